"""`arena bot new`: a small project that plays at once."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.support.output import echo
from arena.core.errors import UsageError
from arena.devtools.starters import LANGUAGES, write_project
from arena.games import registry


@click.command("new")
@click.argument("folder", metavar="NAME", type=click.Path(path_type=Path))
@click.option("--game", metavar="GAME", help="The game that it plays, such as lost_cities.")
@click.option(
    "--language",
    default=LANGUAGES[0],
    show_default=True,
    type=click.Choice(LANGUAGES),
    help="The language that it is written in.",
)
def command(*, folder: Path, game: str | None, language: str) -> None:
    """Write a small project that can play at once.

    \b
    Examples:
      arena bot new my-bot --game lost_cities
      arena match my-bot greedy --sets 20
      arena bot new other-bot --game land_unter --language typescript
      arena bot new fast-bot --game lost_cities --language c
      arena bot new third-bot --game bottle_imp --language go
    """
    if game is None:
        raise UsageError(f"game: say what it plays with --game, one of {', '.join(registry.GAMES)}")
    if folder.name in {*registry.GAMES, *registry.package(game).house_bots}:
        raise UsageError(f"name {folder.name!r}: is that of a game or a house bot; give another one")
    made = write_project(folder, game, language)
    rivals = " ".join(["greedy", *["random"] * (made.rivals - 1)])
    echo(f"{folder}/ is there: {', '.join(made.files)}")
    if made.then:
        echo(f"First: {made.then}")
    echo(f"Let it play: arena match {folder} {rivals} --sets 20")
    echo(f"Then make {folder / made.entry} better.")
