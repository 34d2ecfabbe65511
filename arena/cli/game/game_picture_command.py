"""`arena game picture`: a draft of the picture next to a game's name, made of the pieces of its board."""

from __future__ import annotations

import random
import re
from collections import Counter

import click

from arena.cli.game.named_games import resolve_games
from arena.cli.support.output import echo
from arena.core.errors import UsageError
from arena.games import registry
from arena.games.package import GamePackage
from arena.games.playouts import configurations, play

_SYMBOL = re.compile(r'<symbol id="([\w-]+)" viewBox="([^"]+)">(.*?)</symbol>', re.DOTALL)
_NOT_DRAWN = re.compile(r' class="[^"]*"|<use [^>]*/>|<rect class="p[fw]"[^>]*/>')
"""Parts of a piece that are left out: classes of the board's styles, other pieces, the frame of a card."""
_PLACES = ((24, -12), (48, 0), (72, 12))
"""Of each card: its middle, and how it is turned in degrees."""


@click.command("picture")
@click.argument("name", metavar="NAME")
@click.option(
    "--point",
    default=0.5,
    show_default=True,
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="How far into a match, 0 to 1.",
)
def command(*, name: str, point: float) -> None:
    """Draft the picture of a game from the pieces of its board.

    It draws the most frequent pieces at a point of a match into board/picture.svg.  It is a draft in the classes that all pictures have (stats.css): three cards with the pieces in outline.  Draw it on from there.

    \b
    Example:
      arena game picture ./arena-game-tichu --point 0.3
    """
    for game in resolve_games((name,)):
        package = registry.package(game)
        picture = package.board / "picture.svg"
        picture.write_text(_draw(package, point), encoding="utf-8")
        echo(f"{picture} is a draft; draw it on from there")


def _draw(package: GamePackage, share: float) -> str:
    from arena.web.boards import draw_board, open_scene  # noqa: PLC0415 - the pages take the games as they are now

    symbols = {name: (box, inner) for name, box, inner in _SYMBOL.findall(package.read("pieces.svg"))}
    playout = play(configurations(package.game)[0], bytes(32), random.Random(7))
    states = playout.states()
    names = [f"bot-{seat}" for seat in range(playout.configuration.seats)]
    board = draw_board(open_scene(package.game.id, states[round(share * (len(states) - 1))], names))
    used = Counter(each for each in re.findall(r'href="#([\w-]+)"', board) if each in symbols)
    drawn = [each for each, _ in used.most_common() if _NOT_DRAWN.sub("", symbols[each][1]).strip()]
    if not drawn:
        raise UsageError(f"game {package.game.id!r}: its board has no pieces there (board/pieces.svg)")
    cards = [
        f'<g transform="translate({x} {50 - 4 * (not turned)}) rotate({turned})"><rect class="paper" x="-17" y="-25" width="34" height="50" rx="4"/>'
        f'<svg x="-12" y="-17" width="24" height="34" viewBox="{symbols[each][0]}"><g class="ink">{_NOT_DRAWN.sub("", symbols[each][1])}</g></svg></g>'
        for each, (x, turned) in zip(drawn, _PLACES, strict=False)
    ]
    lines = (
        '<svg class="picture" viewBox="0 0 96 96" aria-hidden="true">',
        '<rect class="sky" width="96" height="96"/>',
    )
    return "\n".join([*lines, *cards, "</svg>"]) + "\n"
