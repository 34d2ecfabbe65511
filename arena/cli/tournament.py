"""`arena tournament`: creating, listing, showing, watching and exporting tournaments."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

from arena.cli import tables
from arena.cli.options import game_options, read_options
from arena.cli.stores import data_option, json_option, opened, print_json
from arena.cli.waking import wake
from arena.cli.watching import watch
from arena.errors import UsageError
from arena.match.clock import STANDARD, parse_time_control
from arena.schedule.seeds import parse_secret
from arena.services import archive, exports, tournaments
from arena.services.tournaments import TournamentSpec


@click.group("tournament")
def command() -> None:
    """Create, list, show and watch tournaments.

    \b
    Example:
      arena tournament create lost_cities --bots greedy,random,rusher --cycles 5
    """


@command.command("create")
@click.argument("game")
@click.option("--bots", required=True, metavar="A,B,…", help="The bots: NAME, or NAME@VERSION.")
@click.option("--variant", help="The variant; the game's standard one if not given.")
@click.option(
    "--seats", type=int, metavar="K", help="Seats at a table; the fewest of the variant if not given."
)
@game_options
@click.option(
    "--time", default=str(STANDARD), show_default=True, metavar="BASE+INC", help="Seconds per seat."
)
@click.option(
    "--cycles", default=1, show_default=True, metavar="N", help="How often everybody meets everybody."
)
@click.option(
    "--secret", metavar="HEX", help="64 hex digits that all chance follows from; random if not given."
)
@click.option(
    "--trusted", is_flag=True, help="The bots are trusted not to remember a deal: all sets share theirs."
)
@click.option("--name", help="What it is called; made from the rest if not given.")
@data_option
@json_option
def create(
    *,
    game: str,
    bots: str,
    variant: str | None,
    seats: int | None,
    options: tuple[str, ...],
    time: str,
    cycles: int,
    secret: str | None,
    trusted: bool,
    name: str | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Create a round-robin; the workers begin with it at once.

    In a set every bot plays every seat.  With two seats a cycle lets each pair play one set; with more, all tables that
    can be formed if they are few, else just so many that everybody meets everybody.

    \b
    Examples:
      arena tournament create lost_cities --bots greedy,random,rusher --cycles 5
      arena tournament create land_unter --bots greedy,random,counter,hoarder --seats 4 --time 10+0.1
    """
    spec = TournamentSpec(
        game=game,
        bots=tuple(bot.strip() for bot in bots.split(",") if bot.strip()),
        variant=variant,
        seats=seats,
        options=read_options(options),
        time=parse_time_control(time),
        cycles=cycles,
        secret=None if secret is None else parse_secret(secret),
        trusted=trusted,
        name=name,
    )
    with opened(data) as store:
        page = tournaments.create(store, spec)
    wake(data)
    if as_json:
        print_json(page)
        return
    click.echo(f"Tournament {page.id}: {page.name}, {page.matches_total} matches in {page.sets_total} sets")
    click.echo(f"Commitment {page.commitment}")
    click.echo(f"Follow it with `arena tournament watch {page.id}`")


@command.command("list")
@data_option
@json_option
def list_command(*, data: Path | None, as_json: bool) -> None:
    """List all tournaments, the newest first.

    \b
    Example:
      arena tournament list --json
    """
    with opened(data) as store:
        rows = tournaments.listing(store)
    if as_json:
        print_json(rows)
    elif rows:
        tables.print_table(tables.listing(rows))
    else:
        click.echo("No tournaments yet: `arena tournament create GAME --bots A,B`")


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
    tables.print_table(tables.standings(page))
    click.echo(f"{page.game} ({page.variant}), {page.seats} seats, {page.time}, {page.state}")
    click.echo(f"{page.matches_done} of {page.matches_total} matches")
    if page.waiting_for:
        click.echo(f"Waiting for {', '.join(page.waiting_for)}: not connected when last looked for")
    click.echo(f"Commitment {page.commitment}")
    if page.secret is not None:
        click.echo(f"Secret     {page.secret}")


@command.command("watch")
@click.argument("tournament", type=int, metavar="ID")
@data_option
@json_option
def watch_command(*, tournament: int, data: Path | None, as_json: bool) -> None:
    """Follow a tournament to its end: a bar on a terminal, lines in a pipe, then its standings.

    \b
    Example:
      arena tournament watch 7
    """
    with opened(data) as store:
        page = watch(store, tournament, as_json=as_json)
    if not as_json:
        tables.print_table(tables.standings(page))


@command.command("export")
@click.argument("tournament", type=int, metavar="ID")
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path), metavar="[FILE]", required=False)
@click.option(
    "--format",
    "kind",
    type=click.Choice(("json", "csv", "zip")),
    help="json: results and table; csv: results; zip: both and all records.  [default: the ending of FILE, else json]",
)
@data_option
def export(*, tournament: int, target: Path | None, kind: str | None, data: Path | None) -> None:
    """Write a tournament down: the same bytes wherever the same inputs were played.

    The zip holds all that `arena verify --tournament` needs; the records are in it when the tournament is over.

    \b
    Examples:
      arena tournament export 7 > tournament.json
      arena tournament export 7 tournament.zip
    """
    kind = kind or (target.suffix[1:] if target and target.suffix in {".csv", ".zip"} else "json")
    if kind == "zip":
        if target is None:
            raise UsageError("FILE: a zip needs one, such as tournament.zip")
        with opened(data) as store, whole_file(target) as file:
            archive.write(store, tournament, file)
        return
    with opened(data) as store:
        text = exports.export(store, tournament)
    text = archive.to_csv(text) if kind == "csv" else text
    if target is None:
        click.echo(text, nl=False)
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
