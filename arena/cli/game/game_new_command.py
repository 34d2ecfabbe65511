"""`arena game new`: a project that is a game at once, to be made into the new one."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.support.output import echo
from arena.devtools.game_project import write_game


@click.command("new")
@click.argument("game", metavar="NAME")
@click.option(
    "--like", metavar="GAME", help="Copy this game, such as land_unter, instead of the small skeleton."
)
@click.option("--title", metavar="TITLE", help="Its title.  [default: made from NAME]")
@click.option(
    "--out",
    default=Path(),
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The parent of its folder.",
)
def command(*, game: str, like: str | None, title: str | None, out: Path) -> None:
    """Write a project for a new game.

    It is a small game that can be played at once, or a copy of another game under its own name.  Make it into the new game from there, rules page first; `arena game check` lists what remains.

    \b
    Examples:
      arena game new tichu
      arena game new tichu --like land_unter --title Tichu
    """
    folder = write_game(game, like, out, title)
    echo(f"{folder}/ is there, {'a small game' if like is None else f'a game like {like}'}.")
    echo(f"What remains: arena game check {folder}")
    echo(f"To play it, install it where the arena is: arena game install {folder}")
