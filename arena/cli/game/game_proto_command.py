"""`arena game proto`: the .proto of a game, and the module of its messages, updated to the fields of its view."""

from __future__ import annotations

import click

from arena.cli.game.named_games import resolve_games
from arena.cli.support.output import echo
from arena.core.errors import UsageError
from arena.devtools.view_messages import write_messages
from arena.games import registry


@click.command("proto")
@click.argument("name", metavar="NAME")
@click.option("--anew", is_flag=True, help="Number the fields from 1, as if there were no messages yet.")
def command(*, name: str, anew: bool) -> None:
    """Update the messages of a game to the fields of its view.

    It writes NAME.proto and NAME_pb2.py of a game from outside.  A new field gets a number of its own, with its docstring of view.py as its comment; the number of a removed field is reserved for ever.  The rest of the .proto stays.
    Where neither file exists, both are written from the view alone; --anew does so as well, for a game that is not played anywhere yet.

    \b
    Example:
      arena game proto ./arena-game-tichu
    """
    for game in resolve_games((name,)):
        package = registry.package(game)
        if package.module.startswith("arena.games."):
            raise UsageError(
                f"game {game!r}: has its messages in protos/arena/v1; `make protos` writes their modules"
            )
        for change in write_messages(package, anew=anew):
            field = f"{change.message}.{change.field}" if change.field else change.message
            echo(f"{field}: {change.text.strip().splitlines()[-1]}")
        echo(f"{package.folder / game}.proto is as the view has it")
