"""`arena tournament`: listing, showing, watching and exporting; creating and directing are in modules of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, get_args

import click

from arena.cli.support import terminal_tables
from arena.cli.support.door import Arena, reads
from arena.cli.support.json_output import json_option, print_json, print_rows
from arena.cli.support.output import echo, has_room, print_table
from arena.cli.tournament import lifecycle_commands, round_tables
from arena.cli.tournament.create_command import create
from arena.cli.tournament.watch_command import watch
from arena.core.errors import UsageError
from arena.reports.tournament_details import TournamentPage
from arena.service.paging import MAX_LIMIT
from arena.service.tournament_operations import ExportFormat

_DECISIONS = 10
"""Number of the latest decisions that `show` prints."""
_BY_ENDING: dict[str, ExportFormat] = {".csv": "csv", ".pgn": "pgn", ".zip": "zip"}


@click.group("tournament")
def command() -> None:
    """Create, direct, watch and export tournaments."""


for _each in (create, *lifecycle_commands.COMMANDS):
    command.add_command(_each)


@command.command("list")
@json_option
@reads
def list_command(arena: Arena, *, as_json: bool) -> None:
    """List the tournaments, the newest first.

    \b
    Example:
      arena tournament list --json
    """
    rows = tuple(arena.tournaments.list(limit=MAX_LIMIT))
    print_rows(
        rows,
        terminal_tables.listing,
        "No tournaments yet: `arena tournament create GAME --bots A,B`",
        as_json=as_json,
    )


@command.command("show")
@click.argument("tournament", type=int, metavar="ID")
@json_option
@reads
def show(arena: Arena, *, tournament: int, as_json: bool) -> None:
    """Show the standings and the crosstable of a tournament.

    \b
    Example:
      arena tournament show 7
    """
    page = arena.tournaments.show(tournament)
    if as_json:
        print_json(page)
        return
    _print_standings(page)
    for table in round_tables.tables_of(page):
        print_table(table)
    echo(f"{page.rules}: {page.game} ({page.variant}), {page.seats} seats, {page.time} s")
    echo(
        f"{page.state.capitalize()}, {page.matches_done} of {page.matches_total} matches, priority {page.priority}"
    )
    if page.own_pairs:
        echo("Matches between two bots of one owner count here, not for the public Elo.")
    if page.sprt is not None:
        echo(round_tables.sprt(page.sprt))
    for decision in reversed(page.decisions[:_DECISIONS]):
        echo(round_tables.decision(decision))
    if page.waiting_for:
        echo(f"Waiting for {', '.join(page.waiting_for)} to connect")
    echo(f"Commitment {page.commitment}")
    if page.secret is not None:
        echo(f"Secret     {page.secret}")


@command.command("watch")
@click.argument("tournament", type=int, metavar="ID")
@json_option
@reads
def watch_command(arena: Arena, *, tournament: int, as_json: bool) -> None:
    """Follow a tournament to its end, and show its standings.

    \b
    Example:
      arena tournament watch 7
    """
    page = watch(arena, tournament, as_json=as_json)
    if not as_json:
        _print_standings(page)


def _print_standings(page: TournamentPage) -> None:
    """Print the standings and, where the terminal is wide enough for it, the crosstable."""
    print_table(terminal_tables.standings(page))
    crosstable = terminal_tables.crosstable(page)
    if crosstable is None:
        return
    if has_room(crosstable):
        print_table(crosstable)
    else:
        echo(f"The crosstable needs {crosstable.needs()} columns; a wider terminal or --json shows it.\n")


@command.command("export")
@click.argument("tournament", type=int, metavar="ID")
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path), metavar="[FILE]", required=False)
@click.option(
    "--format",
    "kind",
    type=click.Choice(get_args(ExportFormat)),
    help="json: results and table; csv: results; standings: the table as CSV; pgn: results for Ordo and BayesElo, two seats; zip: all of it and the records.  [default: the ending of FILE, else json]",
)
@reads
def export(arena: Arena, *, tournament: int, target: Path | None, kind: ExportFormat | None) -> None:
    """Export a tournament, its results or its standings.

    The same inputs give the same bytes everywhere.  The zip holds all that `arena verify --tournament` needs; the records are in it when the tournament is over.

    \b
    Examples:
      arena tournament export 7 > tournament.json
      arena tournament export 7 tournament.zip
      arena tournament export 7 grades.csv --format standings
      arena tournament export 7 results.pgn
    """
    kind = kind or _BY_ENDING.get(target.suffix if target else "", "json")
    if kind == "zip" and target is None:
        raise UsageError("FILE: a zip needs one, such as tournament.zip")
    found = arena.tournaments.export(tournament, format=kind)
    parts = [found] if isinstance(found, bytes) else found
    if target is None:
        echo(b"".join(parts).decode(), nl=False)
        return
    with whole_file(target) as file:
        file.writelines(parts)


@contextmanager
def whole_file(target: Path) -> Iterator[IO[bytes]]:
    """Write a file that is whole or not there.  Raises UsageError."""
    partial = target.with_name(f".{target.name}.partial")
    try:
        with partial.open("wb") as file:
            yield file
        partial.replace(target)
    except OSError as error:
        raise UsageError(f"{target}: cannot be written: {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)
