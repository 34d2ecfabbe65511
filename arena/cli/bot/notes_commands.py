"""`arena bot notes`: who may read the notes of a bot of one's own."""

from __future__ import annotations

import click

from arena.cli.bot.author_commands import game_of, game_option
from arena.cli.support.door import Arena, reads, writes
from arena.cli.support.json_output import json_option, print_result
from arena.cli.support.noun_group import NounGroup
from arena.service.composed_answers import NoteVisibility


def _usual(args: list[str]) -> list[str]:
    return ["set" if {"--public", "--private"} & {*args} else "show", *args]


@click.group("notes", cls=NounGroup, usual=_usual)
def notes() -> None:
    """Show or set who may read the notes of a bot of yours."""


@notes.command("show")
@click.argument("name")
@game_option
@json_option
@reads
def show(arena: Arena, *, name: str, game: str | None, as_json: bool) -> None:
    """Show who may read the notes of a bot of yours.

    \b
    Example:
      arena bot notes show my-bot
    """
    _show(name, arena.bots.show_note_visibility(game_of(arena, name, game), name), as_json=as_json)


@notes.command("set")
@click.argument("name")
@click.option("--public/--private", "public", required=True, help="Readable by everybody, or by you alone.")
@game_option
@json_option
@writes
def set_command(arena: Arena, *, name: str, public: bool, game: str | None, as_json: bool) -> None:
    """Set who may read the notes of a bot of yours.

    It counts for earlier matches as well.  Notes are never readable before a match is open to all.

    \b
    Example:
      arena bot notes set my-bot --public
    """
    row = arena.bots.set_note_visibility(game_of(arena, name, game), name, public=public)
    _show(name, row, as_json=as_json)


def _show(name: str, row: NoteVisibility, *, as_json: bool) -> None:
    who = "everybody" if row.public else "you alone"
    print_result(row, f"The notes of {name} can be read by {who}, once a match is open", as_json=as_json)
