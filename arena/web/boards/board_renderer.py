"""Drawing a scene: the game's own template, with what every board has in common."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from arena.games import registry
from arena.web.boards.drawing_details import DETAILS, offers
from arena.web.boards.scene import Scene
from arena.web.ui.templating import fragment

_GAMES = Path(registry.__file__).parent


def draw(scene: Scene, language: str = "en") -> Markup:
    """Draw a scene in a language of the pages: a fragment of HTML without scripts or styles of its own."""
    details = DETAILS[scene.game](scene) if scene.game in DETAILS else {}
    board = fragment(f"{scene.game}/board.html", language, scene=scene, offers=offers(scene), **details)
    return Markup('<div class="board">{}</div>').format(board)


def pieces(game: str) -> Markup:
    """Return the drawings that the boards of a game refer to, for the page to carry once; empty if it has none."""
    return _PIECES.get(game, Markup())


_PIECES = {
    path.parent.name: Markup(path.read_text(encoding="utf-8"))  # noqa: S704 - a file of ours
    for path in sorted(_GAMES.glob("*/pieces.svg"))
}
