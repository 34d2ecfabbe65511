"""`arena game new`: a project that is a game at once, to be made into the new one."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.support.output import echo
from arena.devtools.game_project import write_game


@click.command("new")
@click.argument("game", metavar="NAME")
@click.option(
    "--like", required=True, metavar="GAME", help="The game that it is most like, such as land_unter."
)
@click.option("--title", help="What it is called; made of the name, if not given.")
@click.option(
    "--out", default=Path(), type=click.Path(path_type=Path, file_okay=False), help="Where its folder is put."
)
def command(*, game: str, like: str, title: str | None, out: Path) -> None:
    """Write a project that is a game from outside: played, drawn and described as another one, under its own name.

    Make it into the new game from there, rules page first; `arena game check` lists what remains.

    \b
    Example:
      arena game new tichu --like land_unter --title Tichu
    """
    folder = write_game(game, like, out, title)
    echo(f"{folder}/ is there, a game like {like}.")
    echo(f"What remains: arena game check {folder}")
    echo(f"To play it, install it where the arena is: pip install --editable {folder}")
