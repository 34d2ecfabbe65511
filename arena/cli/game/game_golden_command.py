"""`arena game golden`: the golden matches of a game, written again."""

from __future__ import annotations

import click

from arena.cli.game.named_games import resolve_games
from arena.cli.support.output import echo
from arena.core.errors import UsageError
from arena.devtools.golden_matches import write_golden
from arena.games import registry


@click.command("golden")
@click.argument("games", metavar="NAME", nargs=1)
def command(*, games: str) -> None:
    """Play the golden matches of a game again, and write them.

    Review what has changed in its folder.

    \b
    Example:
      arena game golden ./arena-game-tichu
    """
    for game in resolve_games((games,)):
        package = registry.package(game)
        if package.checks is None:
            raise UsageError(
                f"game {game!r}: must have checks/__init__.py with CHECKS (arena/games/checks.py)"
            )
        write_golden(package.game, package.checks, package.golden)
        echo(f"{len(list(package.golden.glob('*.json')))} matches are in {package.golden}")
