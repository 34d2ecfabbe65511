"""`arena game proto`: the .proto of a game, and the module of its messages, brought to the fields of its view."""

from __future__ import annotations

import click

from arena.cli.game.named_games import resolve_games
from arena.cli.support.output import echo
from arena.core import foreign_text
from arena.core.errors import UsageError
from arena.devtools.view_messages import derive_messages, edit, write_module
from arena.games import registry


@click.command("proto")
@click.argument("name", metavar="NAME")
def command(*, name: str) -> None:
    """Bring the messages of a game from outside to the fields of its view: NAME.proto and NAME_pb2.py in its folder.

    A new field gets a number of its own, with what stands below it in view.py as its comment; the number of one that is gone is reserved for ever.  What else the .proto says stays.

    \b
    Example:
      arena game proto ./arena-game-tichu
    """
    for game in resolve_games((name,)):
        package = registry.package(game)
        proto = package.folder / f"{game}.proto"
        if not proto.is_file():
            raise UsageError(
                f"game {game!r}: {proto} must be there; a game of this tree has its own in protos/arena/v1"
            )
        made = derive_messages(package)
        text = edit(foreign_text.read(proto), made.changes)
        proto.write_text(text, encoding="utf-8")
        if made.changes:
            module = write_module(made.file, package.module, game)
            (package.folder / f"{game}_pb2.py").write_text(module, encoding="utf-8")
        for change in made.changes:
            echo(
                f"{change.message}{'.' if change.field else ''}{change.field}: {change.text.strip().splitlines()[-1]}"
            )
        echo(f"{proto} is as the view has it")
