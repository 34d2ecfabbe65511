"""Checks a bot as the arena will: its Hello, and matches against `random` at every table it claims to play at."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import zip_longest
from time import perf_counter

from arena.core.errors import ArenaError, UsageError
from arena.declarations import declared_tables
from arena.declarations.declared_tables import DeclaredTables, offered
from arena.devtools.bot_driver import BotFailed, meet
from arena.devtools.findings import (
    Finding,
    Seen,
    Setting,
    Verdict,
    judge_fault,
    judge_hello,
    judge_memory,
    judge_speed,
    judge_talk,
    note,
)
from arena.devtools.memory_use import Peak
from arena.match.record import Record
from arena.referee_client import (
    Endpoint,
    Failed,
    Finished,
    Hosted,
    Order,
    Postponed,
    Referee,
    SeatOrder,
    SeatOutput,
)
from arena.v1.bot_pb2 import Hello


@dataclass(frozen=True, slots=True)
class Candidate:
    """Bot to be checked; `games` are those that its project or its author claims in addition to its Hello."""

    name: str
    source: Hosted | Endpoint
    games: tuple[str, ...]
    matches: int = 2
    """Matches at each table."""
    upload: str = ""
    """The program that its matches are played with, where a sandbox has it: the one that it would be submitted as."""
    declared: Mapping[str, DeclaredTables] = field(default_factory=dict)
    """The tables that its project declares, by game; those that its Hello offers if there is no project."""
    variants: tuple[str, ...] = ()
    """The only variants that are checked; empty for all that it declares."""


class CannotCheck(ArenaError):  # noqa: N818 - it says what is the case
    """Raised when the referee fails, so that nothing can be said of the bot."""


async def check(candidate: Candidate, referee: str, records: dict[str, str]) -> AsyncIterator[Finding]:
    """Check a bot; yield findings as they are made, and put the records of its matches into `records`.

    Its Hello is asked for first, of the program as it is at home; no match is played if that fails.  `referee` is the control port of one that starts files.  Raises UsageError if the bot's games are unknown,
    and CannotCheck.
    """
    heard = await _hear(candidate)
    yield heard.finding
    if heard.hello is None:
        return
    hello = heard.hello
    peak = (
        Peak(candidate.upload or candidate.source.program) if isinstance(candidate.source, Hosted) else None
    )
    tables = _tables(hello, candidate)
    seen = Seen()
    if peak is None:
        async for finding in _play_all(candidate, tables, referee, records, seen):
            yield finding
    else:
        async with peak.watched():
            async for finding in _play_all(candidate, tables, referee, records, seen):
                yield finding
    if seen.times_ms:
        yield judge_speed(seen)
    if peak is not None and peak.bytes:
        yield judge_memory(peak.bytes, candidate.source)
    if hello.talks:
        yield judge_talk(tables, seen)


async def check_hello(candidate: Candidate) -> AsyncIterator[Finding]:
    """Check a bot's Hello alone."""
    yield (await _hear(candidate)).finding


@dataclass(frozen=True, slots=True)
class _Heard:
    finding: Finding
    hello: Hello | None
    """None if something is wrong with it."""


async def _hear(candidate: Candidate) -> _Heard:
    began = perf_counter()
    try:
        async with meet(candidate.source) as partner:
            hello, took_s = partner.hello, perf_counter() - began
    except BotFailed as error:
        is_here = isinstance(candidate.source, Hosted)
        remedy = (
            "what it has printed, if anything, is above" if is_here else "see that it runs and listens there"
        )
        return _Heard(Finding("handshake", Verdict.FAILED, str(error), remedy), None)
    finding = judge_hello(hello, candidate.games, candidate.declared, took_s)
    return _Heard(finding, None if finding.verdict is Verdict.FAILED else hello)


def _tables(hello: Hello, candidate: Candidate) -> list[Setting]:
    games = candidate.games or tuple(dict.fromkeys(offer.game for offer in hello.games))
    if not games:
        raise UsageError(
            f"bot {candidate.name!r}: does not say what it plays; give --game, or name games in the bot"
        )
    offers = declared_tables.read_offers(hello.games)
    found = [
        Setting(game, variant, seats)
        for game in games
        for variant, counts in candidate.declared.get(game, offered(offers, game)).of_game(game).items()
        if not candidate.variants or variant in candidate.variants
        for seats in counts
    ]
    if not found and candidate.variants:
        plays = "; ".join(f"{game}: {offered(offers, game).words(game)}" for game in games)
        raise UsageError(
            f"variant {candidate.variants[0]!r}: {candidate.name} does not declare it; it plays {plays}"
        )
    return found


# --- playing --------------------------------------------------------------------------------------------------


async def _play_all(
    candidate: Candidate, tables: Sequence[Setting], referee: str, records: dict[str, str], seen: Seen
) -> AsyncIterator[Finding]:
    for table in tables:
        yield await _play(candidate, table, referee, records, seen)


async def _play(
    candidate: Candidate, table: Setting, address: str, records: dict[str, str], seen: Seen
) -> Finding:
    """Play at one table: some matches, the bot in one seat after the other, and the first of them once more."""
    again = f"{_name(table, 0)}-again"
    orders = [_order(candidate, table, number, _name(table, number)) for number in range(candidate.matches)]
    if isinstance(candidate.source, Hosted):
        orders.append(_order(candidate, table, 0, again, lane=1))
    what = str(table)
    played: dict[str, Record] = {}
    printed: dict[str, tuple[SeatOutput, ...]] = {}
    async with Referee(address) as referee:
        async for report in referee.play(orders):
            match report:
                case Postponed():
                    return Finding(
                        what, Verdict.FAILED, report.reason, "see that it can be reached and plays this"
                    )
                case Failed():
                    raise CannotCheck(f"{what}: the referee failed: {report.reason}; try again")
                case Finished():
                    records[report.match] = report.text
                    played[report.match] = report.record
                    printed[report.match] = report.outputs
    repeated = played.pop(again, None)
    for number, record in enumerate(played[order.match] for order in orders if order.match in played):
        note(record, number % table.seats, seen)
        fault = record.result.fault
        if fault is not None and fault.seat == number % table.seats:
            return judge_fault(
                what, record.match, fault, printed[record.match], in_sandbox=bool(candidate.upload)
            )
    first = played[_name(table, 0)]
    if repeated is not None and (step := _departs(first, repeated)) is not None:
        text = f"match {first.match} went another way from step {step} on when it was played again"
        remedy = "draw from `decision.random` alone and do not look at the clock, else no match of it can be replayed"
        return Finding(what, Verdict.WARNING, text, remedy)
    return Finding(
        what,
        Verdict.OK,
        f"{len(played)} matches against random{' and one of them again' if repeated else ''}",
    )


def _name(table: Setting, number: int) -> str:
    return f"check-{table.game}-{table.variant}-{table.seats}-{number}"


def _order(candidate: Candidate, table: Setting, number: int, match: str, *, lane: int = 0) -> Order:
    mine = number % table.seats
    source = candidate.source
    if isinstance(source, Hosted):
        source = Hosted(candidate.upload or source.program, lane)
    seats = tuple(
        SeatOrder(candidate.name, "check", source)
        if seat == mine
        else SeatOrder("random", "1", Hosted(f"house:{table.game}/random", seat))
        for seat in range(table.seats)
    )
    seed = sha256(_name(table, number).encode()).digest()
    return Order(match=match, game=table.game, variant=table.variant, seats=seats, seed=seed)


def _departs(first: Record, again: Record) -> int | None:
    """Find the first step in which two records differ."""
    pairs = zip_longest(first.steps, again.steps)
    return next(
        (at for at, (one, other) in enumerate(pairs) if not one or not other or one.step != other.step), None
    )
