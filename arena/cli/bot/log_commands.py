"""`arena bot log`: the last matches of a bot of one's own, and what it printed in one."""

from __future__ import annotations

import click

from arena.cli.bot.author_commands import game_of, game_option
from arena.cli.support import terminal_tables
from arena.cli.support.door import Arena, reads
from arena.cli.support.json_output import json_option, print_json, print_result
from arena.cli.support.noun_group import NounGroup
from arena.cli.support.output import echo
from arena.reports.bot_logs import MatchLog


def _usual(args: list[str]) -> list[str]:
    return ["show" if any(each.startswith("--match") for each in args) else "list", *args]


@click.group("log", cls=NounGroup, usual=_usual)
def log() -> None:
    """List the last matches of a bot of yours, or show its output."""


@log.command("list")
@click.argument("name")
@click.option(
    "--limit",
    type=click.IntRange(1, 50),
    default=20,
    show_default=True,
    metavar="N",
    help="The last N matches.",
)
@game_option
@json_option
@reads
def list_command(arena: Arena, *, name: str, limit: int, game: str | None, as_json: bool) -> None:
    """List the last matches of a bot of yours with its times.

    \b
    Example:
      arena bot log list my-bot
    """
    rows = arena.bots.list_logs(game_of(arena, name, game), name, limit=limit).first.items
    print_result(rows, terminal_tables.logs(rows), as_json=as_json)


@log.command("show")
@click.argument("name")
@click.option("--match", "match_id", required=True, metavar="ID", help="The match.")
@game_option
@json_option
@reads
def show(arena: Arena, *, name: str, match_id: str, game: str | None, as_json: bool) -> None:
    """Show what a bot of yours printed in a match, and its times.

    \b
    Example:
      arena bot log show my-bot@2 --match 5e8f0c2d41b7a963
    """
    rows = tuple(arena.bots.show_log(game_of(arena, name, game), name, match_id))
    if as_json:
        print_json(rows)
        return
    for row in rows:
        _show_log(row)


def _show_log(log: MatchLog) -> None:
    row = log.row
    echo(f"Match {row.id}, seat {row.seat}, version {row.version}: {row.end}, place {row.place}")
    if row.fault:
        echo(f"Fault: {row.fault}")
    if not row.record_kept:
        echo("Its record is no longer stored, so its times are not known.")
    for timing in log.timings:
        echo(f"  step {timing.step}: {timing.action}, {timing.ms:g} ms")
    if log.dropped:
        echo(f"It printed {log.dropped} bytes before this:")
    nothing = "It printed nothing." if row.output_kept else "What it printed is no longer stored."
    echo(log.stderr or nothing)
    if log.notes_dropped:
        echo(f"Of its notes {log.notes_dropped} were dropped; the first one: {log.notes_reason}")
