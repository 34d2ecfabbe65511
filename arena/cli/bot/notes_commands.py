"""`arena bot notes`: who may read the notes of a bot of one's own."""

from __future__ import annotations

import click

from arena.cli.bot.author_commands import game_of, game_option
from arena.cli.support.arena_option import arena_option, connected
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.noun_group import NounGroup
from arena.cli.support.output import echo
from arena.client import Row


def _usual(args: list[str]) -> list[str]:
    return ["set" if {"--public", "--private"} & {*args} else "show", *args]


@click.group("notes", cls=NounGroup, usual=_usual)
def notes() -> None:
    """Show or set who may read the notes of a bot of yours.

    \b
    Examples:
      arena bot notes show my-bot
      arena bot notes set my-bot --public
    """


@notes.command("show")
@click.argument("name")
@game_option
@arena_option
@json_option
def show(*, name: str, game: str | None, url: str | None, as_json: bool) -> None:
    """Show who may read the notes of a bot of yours.

    \b
    Example:
      arena bot notes show my-bot
    """
    with connected(url) as client:
        row = client.show_note_visibility(game_of(client, name, game), name)
    _show(name, row, as_json=as_json)


@notes.command("set")
@click.argument("name")
@click.option("--public/--private", "public", required=True, help="Readable by everybody, or by you alone.")
@game_option
@arena_option
@json_option
def set_command(*, name: str, public: bool, game: str | None, url: str | None, as_json: bool) -> None:
    """Set who may read the notes of a bot of yours.

    It counts for earlier matches as well.  Notes are never readable before a match is open to all.

    \b
    Example:
      arena bot notes set my-bot --public
    """
    with connected(url) as client:
        row = client.set_note_visibility(game_of(client, name, game), name, public=public)
    _show(name, row, as_json=as_json)


def _show(name: str, row: Row, *, as_json: bool) -> None:
    if as_json:
        print_json(row)
    else:
        who = "everybody, once a match is open" if row["public"] else "you alone, once a match is open"
        echo(f"The notes of {name} can be read by {who}")
