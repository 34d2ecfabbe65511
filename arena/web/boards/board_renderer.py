"""Drawing a scene: the game's own template, with what every board has in common."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from markupsafe import Markup

from arena.games import registry
from arena.games.drawing import Scene
from arena.web.boards.decorations import decorate
from arena.web.boards.offers import offers
from arena.web.ui.templating import fragment


def draw(scene: Scene, language: str = "en", *, below_bar: bool = False) -> Markup:
    """Draw a scene for a page, as `draw_board` does; where the game's drawing fails, the page has its legal moves alone."""
    board = decorate(scene.game, "its board", None, lambda: draw_board(scene, language, below_bar=below_bar))
    if board is not None:
        return board
    return fragment("undrawn.html", language, scene=scene, offers=offers(scene))


def draw_board(scene: Scene, language: str = "en", *, below_bar: bool = False) -> Markup:
    """Draw a scene in a language of the pages: a fragment of HTML without scripts or styles of its own.

    Raises what the game's code raises.

    It goes below the bar of `draw_bar`, which has the seat to move, the clocks and the scores.
    """
    package = registry.package(scene.game)
    details = {} if package.drawing is None else package.drawing.details(scene)
    board = fragment(
        f"{scene.game}/board.html",
        language,
        scene=scene,
        offers=offers(scene),
        below_bar=below_bar,
        phrases=package.phrases,
        **details,
    )
    return Markup('<div class="board board-{}">{}</div>').format(scene.game, board)


def draw_bar(scene: Scene, language: str = "en") -> Markup:
    """Draw the line above a board: the seats with their scores and clocks, and whose move it is."""
    return fragment("seats_bar.html", language, scene=scene, scores=scores(scene))


def scores(scene: Scene) -> Sequence[int]:
    """Return each seat's score so far, or at the end; nothing where the game has none."""
    drawing = registry.package(scene.game).drawing
    none: Sequence[int] = ()
    if scene.result is not None:
        return scene.result.scores or none
    if drawing is None:
        return none
    return decorate(scene.game, "the scores", none, lambda: drawing.scores(scene.table.view))


@cache
def sign_key(game: str, language: str) -> Markup:
    """Return what the signs on the boards of a game mean, for the page to carry once below its board; empty if the game explains none."""
    if not registry.package(game).read("key.html"):
        return Markup()
    return Markup('<div class="board-{}">{}</div>').format(game, fragment(f"{game}/key.html", language))


@cache
def pieces(game: str) -> Markup:
    """Return the drawings that the boards of a game refer to, for the page to carry once; empty if it has none.

    Each symbol is in the scope of the game's styles: browsers style a drawing that is used elsewhere
    without regard to the elements around it.
    """
    drawings = registry.package(game).read("pieces.svg")
    return Markup(drawings.replace("<symbol ", f'<symbol class="board-{game}" '))  # noqa: S704 - a game's own file
