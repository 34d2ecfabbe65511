"""`arena tournament`: listing, showing, watching and exporting; creating and directing are in modules of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

from arena.cli.support import terminal_tables
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo
from arena.cli.support.store_option import data_option, opened
from arena.cli.tournament import lifecycle_commands, round_tables
from arena.cli.tournament.create_command import create
from arena.cli.tournament.watch_command import watch
from arena.core.errors import UsageError
from arena.reports import exports, tournament_archive, tournaments
from arena.reports.match_lists.result_exports import SHEETS

_DECISIONS = 10
"""Number of the latest decisions that `show` prints."""


@click.group("tournament")
def command() -> None:
    """Create, direct, watch and export tournaments.

    \b
    Examples:
      arena tournament create lost_cities --bots greedy,random,rusher --cycles 5
      arena tournament create lost_cities --format swiss --open
    """


for _each in (create, *lifecycle_commands.COMMANDS):
    command.add_command(_each)


@command.command("list")
@data_option
@json_option
def list_command(*, data: Path | None, as_json: bool) -> None:
    """List the tournaments, the newest first.

    \b
    Example:
      arena tournament list --json
    """
    with opened(data) as store:
        rows = tournaments.with_winners(store, tournaments.listing(store))
    if as_json:
        print_json(rows)
    elif rows:
        terminal_tables.print_table(terminal_tables.listing(rows))
    else:
        echo("No tournaments yet: `arena tournament create GAME --bots A,B`")


@command.command("show")
@click.argument("tournament", type=int, metavar="ID")
@data_option
@json_option
def show(*, tournament: int, data: Path | None, as_json: bool) -> None:
    """Show the standings and the crosstable of a tournament.

    \b
    Example:
      arena tournament show 7
    """
    with opened(data) as store:
        page = tournaments.page(store, tournament)
    if as_json:
        print_json(page)
        return
    terminal_tables.print_table(terminal_tables.standings(page))
    for table in round_tables.tables_of(page):
        terminal_tables.print_table(table)
    echo(f"{page.rules}: {page.game} ({page.variant}), {page.seats} seats, {page.time} s")
    echo(
        f"{page.state.capitalize()}, {page.matches_done} of {page.matches_total} matches, priority {page.priority}"
    )
    if page.own_pairs:
        echo("Matches between two bots of one owner count here, not for the public Elo")
    if page.sprt is not None:
        echo(round_tables.sprt(page.sprt))
    for decision in reversed(page.decisions[:_DECISIONS]):
        echo(round_tables.decision(decision))
    if page.waiting_for:
        echo(f"Waiting for {', '.join(page.waiting_for)}: not connected when last looked for")
    echo(f"Commitment {page.commitment}")
    if page.secret is not None:
        echo(f"Secret     {page.secret}")


@command.command("watch")
@click.argument("tournament", type=int, metavar="ID")
@data_option
@json_option
def watch_command(*, tournament: int, data: Path | None, as_json: bool) -> None:
    """Follow a tournament to its end, and show its standings.

    \b
    Example:
      arena tournament watch 7
    """
    with opened(data) as store:
        page = watch(store, tournament, as_json=as_json)
    if not as_json:
        terminal_tables.print_table(terminal_tables.standings(page))


@command.command("export")
@click.argument("tournament", type=int, metavar="ID")
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path), metavar="[FILE]", required=False)
@click.option(
    "--format",
    "kind",
    type=click.Choice(("json", "csv", "standings", "pgn", "zip")),
    help="json: results and table; csv: results; standings: the table as CSV; pgn: results for Ordo and BayesElo, two seats; zip: all of it and the records.  [default: the ending of FILE, else json]",
)
@data_option
def export(*, tournament: int, target: Path | None, kind: str | None, data: Path | None) -> None:
    """Export a tournament, its results or its standings.

    The same inputs give the same bytes everywhere.  The zip holds all that `arena verify --tournament` needs; the records are in it when the tournament is over.

    \b
    Examples:
      arena tournament export 7 > tournament.json
      arena tournament export 7 tournament.zip
      arena tournament export 7 grades.csv --format standings
      arena tournament export 7 results.pgn
    """
    kind = kind or (target.suffix[1:] if target and target.suffix in {".csv", ".pgn", ".zip"} else "json")
    if kind == "zip":
        if target is None:
            raise UsageError("FILE: a zip needs one, such as tournament.zip")
        with opened(data) as store, whole_file(target) as file:
            tournament_archive.write(store, tournament, file)
        return
    with opened(data) as store:
        text = SHEETS.get(kind, exports.export)(store, tournament)
    if target is None:
        echo(text, nl=False)
        return
    with whole_file(target) as file:
        file.write(text.encode())


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
