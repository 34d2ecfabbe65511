"""`arena bot analyse`: where a bot loses, by its matches; and a match played on from one of its decisions."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import process_time

import click

from arena.analysis import find_losses, list_decisions
from arena.analysis.loss_search import Found
from arena.bot_registry.bot_names import names, names_in_all
from arena.cli.bot import fork_run, loss_tables
from arena.cli.bot.record_sources import download_records, read_bot_name, read_record, read_records
from arena.cli.match.progress_meter import Meter
from arena.cli.support.door import arena_options, choose, opened
from arena.cli.support.game_options import time_option
from arena.cli.support.interruption import Interruption, same_command
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo
from arena.core.errors import UsageError
from arena.devtools.record_files import find_records, read_notes
from arena.games import registry
from arena.match.clock import parse_time_control
from arena.match.record import Record
from arena.match.seat_notes import SeatNotes

_MAX_SECONDS = 29
_LEAST_SECONDS = 5
_ALL_SECONDS = 600
"""Time for all matches together, unless there are very many."""
_MINUTE_S = 120
"""Shortest time that is printed in minutes."""
_EXAMPLES = """\b
Examples:
  arena bot analyse records --bot my-bot --out report.html
  arena bot analyse lost_cities/my-bot --arena https://arena.example.org
  arena bot analyse records --fork gzpqumnkarjxzyev:37 --action "play R7" --with my-bot
  arena bot analyse records --fork gzpqumnkarjxzyev:37 --changed my-bot
"""


@click.command("analyse", epilog=_EXAMPLES)
@click.argument("what", nargs=-1, required=True, metavar="FILE|DIR...|GAME/NAME")
@click.option(
    "--seat",
    type=click.IntRange(min=0),
    metavar="SEAT",
    help="Judge the decisions of this seat in every match.",
)
@click.option(
    "--bot",
    metavar="NAME[@VERSION]",
    help="Judge the decisions of this bot.  [default: the only bot of all records that is no house bot]",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 3600),
    metavar="SECONDS",
    help="CPU time for each match.  [default: 29; for many matches less, down to 5, so that all take 10 minutes]",
)
@click.option(
    "--matches",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="The newest N matches of GAME/NAME.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.html",
    help="Write a page as well: it needs no network.",
)
@click.option(
    "--language",
    type=click.Choice(("en", "es")),
    default="en",
    show_default=True,
    help="The language of the page.",
)
@click.option("--fork", metavar="MATCH:STEP", help="Play a match on from the step of this number instead.")
@click.option(
    "--action",
    metavar="ACTION",
    help="With --fork: the action that is chosen there.  [default: the bot's own choice]",
)
@click.option(
    "--with",
    "programs",
    multiple=True,
    metavar="BOT",
    help="With --fork: a bot of its seats, as `arena match` takes it.",
)
@click.option(
    "--changed",
    metavar="BOT",
    help="With --fork: a bot that takes over the seat whose step it is, and plays on from there.",
)
@click.option(
    "--records",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="With --fork: write the record of what came of it.",
)
@time_option("With --fork: the match's time control.")
@arena_options
@json_option
def command(
    *,
    what: tuple[str, ...],
    seat: int | None,
    bot: str | None,
    seconds: float | None,
    matches: int,
    out: Path | None,
    language: str,
    fork: str | None,
    action: str | None,
    programs: tuple[str, ...],
    changed: str | None,
    records: Path | None,
    time: str,
    url: str | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Find the decisions by which a bot lost, and what each cost.

    The cost is in percent of its chance to win.  Reads records that --records of `arena match` wrote, or downloads those of a bot's newest matches.  At each decision it draws
    hidden cards that agree with what the seat knew then, and plays on after each legal action as the house bot `search` does in
    its head.  Time goes to the decisions that may be the costliest; it ends early where they are found.

    With --fork the bots are started again, brought to a decision by the steps before it, and play on from there.  Each
    must answer as it did; one that does not is named, and the exit code is 1.  A new version of your bot goes with --changed: the match goes as
    it went up to that decision, and from there on the new version plays.
    """
    if fork is None and (action or programs or changed or records is not None):
        raise UsageError("action, with, changed, records: go with --fork MATCH:STEP")
    source = _read(what, url, data, matches)
    if fork is not None:
        played = asyncio.run(
            fork_run.play_on(source, fork, programs, parse_time_control(time), action=action, changed=changed)
        )
        fork_run.show(played, records, as_json=as_json)
        return
    read = list(source)
    named = read_bot_name(what)
    seats = _seats(read, seat, bot or (named[1] if named else None))
    interruption, found = Interruption(), list[Found]()
    with interruption.catching():
        _analyse(read, seats, _seconds_for(len(read)) if seconds is None else seconds, found)
    total, read = len(read), read[: len(found)]
    done = f"{len(found)} of {total} matches are analysed"
    if not found:
        interruption.end(done, same_command())
    notes = _read_notes(what)
    tags = {
        (match, step): noted.tags
        for match, seats_notes in notes.items()
        for each in seats_notes.values()
        for step, noted in each.steps
    }
    if out is not None:
        _write_page(out, found, language, notes)
    if as_json:
        print_json(loss_tables.to_document(read, found, tags))
    else:
        loss_tables.print_tables(read, found, tags)
        if out is not None:
            echo(f"Report: {out}")
    interruption.end(done, same_command())


def _read(what: Sequence[str], url: str | None, data: Path | None, most: int) -> Iterator[Record]:
    named = read_bot_name(what)
    if named is None:
        if url is not None or data is not None:
            raise UsageError("--arena, --data: go with GAME/NAME, a bot there; files need no arena")
        yield from read_records(map(Path, what))
        return
    with opened(choose(url, data)) as arena:
        yield from download_records(arena, *named, most)


def _seats(records: Sequence[Record], seat: int | None, bot: str | None) -> list[set[int]]:
    """Return whose decisions are judged, by record.  Raises UsageError."""
    if not records:
        raise UsageError("there is no open match of this bot whose record is still stored")
    if seat is not None:
        return [{seat} for _ in records]
    name = bot or _own_bot(records)
    seats = [
        {
            number
            for number, each in enumerate(record.seats)
            if name in {each.bot, f"{each.bot}@{each.version}"}
        }
        for record in records
    ]
    if not any(seats):
        there = ", ".join(sorted({label for labels in _labels(records) for label in labels}))
        raise UsageError(f"bot {name!r}: sat in no seat of these matches; they have {there}")
    return seats


def _labels(records: Sequence[Record]) -> list[tuple[str, ...]]:
    return names_in_all([record.seats for record in records])


def _own_bot(records: Sequence[Record]) -> str:
    house = {name for record in records for name in registry.package(record.game).house_bots}
    counts = Counter(name for record in records for name in {each.bot for each in record.seats})
    always = sorted(name for name, count in counts.items() if count == len(records))
    own = [name for name in always if name not in house] or always
    met = {label for record in records for label in names(record.seats) if label.partition("@")[0] in own}
    if len(own) != 1 or len(met) > len(own):  # two versions of it met each other
        choice = met if len(own) == 1 else set(counts)
        raise UsageError(f"bot: whose decisions?  Give --bot, one of {', '.join(sorted(choice))}")
    return own[0]


def _seconds_for(matches: int) -> float:
    """Return how long a match is looked at if nothing else is asked for."""
    return float(min(_MAX_SECONDS, max(_LEAST_SECONDS, _ALL_SECONDS // matches)))


def _analyse(
    records: Sequence[Record], seats: Sequence[set[int]], seconds: float, found: list[Found]
) -> None:
    """Analyse records, one after the other, and collect what is found."""
    echo(
        f"{len(records)} matches, at most about {_write_time(len(records) * seconds)} at --seconds {seconds:g}; less where the costliest decision is found earlier",
        err=True,
    )
    with Meter(len(records), done="analysed") as meter:
        for record, mine, labels in zip(records, seats, _labels(records), strict=True):
            plan = registry.package(record.game).search_plan
            if plan is None:
                raise UsageError(f"game {record.game!r}: has no house bot `search`, whose policy plays on")
            used = partial(_used, process_time(), seconds)
            found.append(find_losses(list_decisions(record, mine, labels), plan, record.match, used))
            meter.advance()


def _used(began_s: float, budget_s: float, _work: int) -> float:
    return (process_time() - began_s) / budget_s


def _write_time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < _MINUTE_S else f"{seconds / 60:.0f} minutes"


def _read_notes(what: Sequence[str]) -> dict[str, dict[int, SeatNotes]]:
    """Read the notes of bots that were written with records, by match and seat.  Raises RecordError."""
    if read_bot_name(what) is not None:
        return {}
    noted = ((file, read_notes(file)) for file in find_records(map(Path, what)))
    return {read_record(file).match: notes for file, notes in noted if notes}


def _write_page(
    file: Path, found: Sequence[Found], language: str, notes: Mapping[str, Mapping[int, SeatNotes]]
) -> None:
    from arena.web.analysis import loss_page  # noqa: PLC0415 - the pages take long to import

    if not any(each.losses for each in found):
        raise UsageError(
            f"out {str(file)!r}: there was nothing to choose in these matches, so there is no page"
        )
    try:
        file.write_text(loss_page.draw_page(found, language, notes), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"out {str(file)!r}: {error.strerror}; give a file that can be written") from error
