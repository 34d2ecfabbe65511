"""Checks a bot as the arena will: its Hello, and matches against `random` at every table it claims to play at."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from itertools import zip_longest
from time import perf_counter

from arena.authoring.memory import Peak
from arena.authoring.partner import BotFailed, meet
from arena.errors import ArenaError, UsageError
from arena.games import registry
from arena.games.kernel import Played, Said
from arena.match.clock import STANDARD
from arena.match.fault import FaultKind
from arena.match.record import Record
from arena.play import Endpoint, Failed, Finished, Hosted, Order, Postponed, Referee, SeatOrder
from arena.v1.bot_pb2 import Hello

MOST_MIB = 512
"""What a hosted bot may have in memory, at the arena's standard."""
_MOST_TEXT_BYTES = 64
_MIB = 1 << 20
_SLOW = 0.5
"""A decision that takes more than this share of the cap is a warning: machines differ."""
_LOW_BANK = 0.25

_EXPLAINED = {
    FaultKind.ILLEGAL_ACTION: "`Answer.action` is an index into `Ask.actions`; with the SDK, `choose` returns one of `decision.legal`",
    FaultKind.TIMEOUT: "think less: `decision.clock` says how long a decision may take, and what is left for all of them",
    FaultKind.CRASH: "an exception ends the bot; the message ends with its traceback",
    FaultKind.PROTOCOL: "docs/protocol.md says what may be sent, and when",
}


class Verdict(StrEnum):
    """What came of one part of the check."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Finding:
    """One part of the check: what was looked at, what came of it, and in words what was seen and what to do."""

    what: str
    verdict: Verdict
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """The bot that is checked; `games` is what is claimed for it beside its Hello: by its project, or by its author."""

    name: str
    source: Hosted | Endpoint
    games: tuple[str, ...]
    matches: int = 2
    """How many at each table."""


@dataclass(slots=True)
class _Seen:
    """What was seen of the bot in its matches.  Mutable while they are played."""

    times_ms: list[float] = field(default_factory=list)
    lowest_bank_ms: float = float(STANDARD.base_ms)
    lines: int = 0


@dataclass(frozen=True, slots=True)
class _Table:
    game: str
    variant: str
    seats: int

    def __str__(self) -> str:
        return f"{self.game} ({self.variant}), {self.seats} seats"


class CannotCheck(ArenaError):  # noqa: N818 - it says what is the case
    """Raised when the referee fails, so that nothing can be said of the bot."""


async def check(candidate: Candidate, referee: str, records: dict[str, str]) -> AsyncIterator[Finding]:
    """Check a bot; gives what is found as it is found, and puts the records of its matches into `records`.

    `referee` is the control port of one that starts files.  Raises UsageError if nobody says what the bot plays,
    and CannotCheck.
    """
    peak = Peak(candidate.source.program) if isinstance(candidate.source, Hosted) else None
    began = perf_counter()
    try:
        async with meet(candidate.source) as partner:
            hello, took_s = partner.hello, perf_counter() - began
    except BotFailed as error:
        yield Finding("handshake", Verdict.FAILED, str(error), "whatever it printed stands above")
        return
    yield _judge_hello(hello, candidate, took_s)
    tables = _tables(hello, candidate)
    seen = _Seen()
    if peak is None:
        async for finding in _play_all(candidate, tables, referee, records, seen):
            yield finding
    else:
        async with peak.watched():
            async for finding in _play_all(candidate, tables, referee, records, seen):
                yield finding
    if seen.times_ms:
        yield _judge_speed(seen)
    if peak is not None and peak.bytes:
        yield _judge_memory(peak.bytes, candidate.source)
    if hello.talks:
        yield _judge_talk(tables, seen)


def _judge_hello(hello: Hello, candidate: Candidate, took_s: float) -> Finding:
    who = (
        f"{hello.name or 'a bot without a name'}, version {hello.version or 'unknown'}, after {took_s:.1f} s"
    )
    offered = [offer.game for offer in hello.games]
    for name in ("name", "version", "sdk"):
        if (size := len(getattr(hello, name).encode())) > _MOST_TEXT_BYTES:
            text = f"Hello.{name} has {size} bytes; at most {_MOST_TEXT_BYTES} are allowed"
            return Finding("handshake", Verdict.FAILED, text, "make it shorter")
    for offer in hello.games:
        if offer.game not in registry.GAMES:
            text = f"Hello.games names {offer.game!r}; the games are {', '.join(registry.GAMES)}"
            return Finding("handshake", Verdict.FAILED, text, "leave it out")
        has = registry.GAMES[offer.game].variants
        if unknown := [variant for variant in offer.variants if variant not in has]:
            text = f"Hello.games: {offer.game} has no variant {unknown[0]!r}, but {', '.join(has)}"
            return Finding("handshake", Verdict.FAILED, text, "leave it out")
    if lacking := [game for game in candidate.games if offered and game not in offered]:
        text = f"it is to play {lacking[0]}, but its Hello offers {', '.join(offered)} only"
        return Finding("handshake", Verdict.FAILED, text, "name the same games in bot.toml and in the bot")
    return Finding("handshake", Verdict.OK, who)


def _tables(hello: Hello, candidate: Candidate) -> list[_Table]:
    games = candidate.games or tuple(dict.fromkeys(offer.game for offer in hello.games))
    if not games:
        raise UsageError(
            f"bot {candidate.name!r}: does not say what it plays; give --game, or name games in the bot"
        )
    variants = {offer.game: set(offer.variants) for offer in hello.games}
    return [
        _Table(game, variant, seats)
        for game in games
        if game in registry.GAMES
        for variant, counts in registry.GAMES[game].variants.items()
        if not variants.get(game) or variant in variants[game]
        for seats in counts
    ]


# --- playing --------------------------------------------------------------------------------------------------


async def _play_all(
    candidate: Candidate, tables: Sequence[_Table], referee: str, records: dict[str, str], seen: _Seen
) -> AsyncIterator[Finding]:
    for table in tables:
        yield await _play(candidate, table, referee, records, seen)


async def _play(
    candidate: Candidate, table: _Table, address: str, records: dict[str, str], seen: _Seen
) -> Finding:
    """Play at one table: some matches, the bot in one seat after the other, and the first of them once more."""
    again = f"{_name(table, 0)}-again"
    orders = [_order(candidate, table, number, _name(table, number)) for number in range(candidate.matches)]
    if isinstance(candidate.source, Hosted):
        orders.append(_order(candidate, table, 0, again, lane=1))
    what = str(table)
    played: dict[str, Record] = {}
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
    repeated = played.pop(again, None)
    for number, record in enumerate(played[order.match] for order in orders if order.match in played):
        _note(record, number % table.seats, seen)
        fault = record.result.fault
        if fault is not None and fault.seat == number % table.seats:
            text = f"{fault.kind} in match {record.match}, seat {fault.seat}: {fault.message}"
            return Finding(what, Verdict.FAILED, text, _EXPLAINED[fault.kind])
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


def _name(table: _Table, number: int) -> str:
    return f"check-{table.game}-{table.variant}-{table.seats}-{number}"


def _order(candidate: Candidate, table: _Table, number: int, match: str, *, lane: int = 0) -> Order:
    mine = number % table.seats
    source = candidate.source
    if isinstance(source, Hosted):
        source = Hosted(source.program, lane)
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


def _note(record: Record, seat: int, seen: _Seen) -> None:
    bank_ms = float(STANDARD.base_ms)
    for recorded in record.steps:
        step = recorded.step
        if isinstance(step, Said) and step.seat == seat:
            seen.lines += 1
        elif isinstance(step, Played) and step.seat == seat and recorded.ms:
            seen.times_ms.append(recorded.ms)
            bank_ms -= recorded.ms
            seen.lowest_bank_ms = min(seen.lowest_bank_ms, bank_ms)
            bank_ms += STANDARD.increment_ms


# --- judging --------------------------------------------------------------------------------------------------


def _judge_speed(seen: _Seen) -> Finding:
    times = sorted(seen.times_ms)
    slowest = times[-1]
    text = (
        f"{len(times)} decisions, half of them within {times[len(times) // 2]:.1f} ms, the slowest {slowest:.0f} ms"
        f" of {STANDARD.cap_ms} ms; never less than {seen.lowest_bank_ms / 1000:.1f} of {STANDARD.base_ms / 1000:g} s in the bank"
    )
    if slowest > _SLOW * STANDARD.cap_ms or seen.lowest_bank_ms < _LOW_BANK * STANDARD.base_ms:
        remedy = (
            "a slower or busier machine may lose matches by timeout: think less as `decision.clock` runs low"
        )
        return Finding("speed", Verdict.WARNING, text, remedy)
    return Finding("speed", Verdict.OK, text)


def _judge_memory(peak_bytes: int, source: Hosted | Endpoint) -> Finding:
    text = f"at most {peak_bytes / _MIB:.0f} MiB"
    if not isinstance(source, Hosted) or not source.program.endswith(".py"):
        return Finding(
            "memory", Verdict.OK, f"{text}; the arena hosts bots in Python only, and sets no limit to others"
        )
    text += f"; a hosted bot may have {MOST_MIB} MiB"
    if peak_bytes > MOST_MIB * _MIB:
        return Finding(
            "memory", Verdict.FAILED, text, "keep less, or let it run elsewhere: dial-in, or endpoint"
        )
    return Finding("memory", Verdict.OK, text)


def _judge_talk(tables: Iterable[_Table], seen: _Seen) -> Finding:
    if not any(registry.GAMES[table.game].has_talk for table in tables):
        return Finding(
            "talk",
            Verdict.WARNING,
            "it wants to talk, but there is no talk in what it plays",
            "leave `talks` out",
        )
    if not seen.lines:
        return Finding(
            "talk",
            Verdict.WARNING,
            "it wants to talk, but said nothing in any match",
            "leave `talks` out, or say something",
        )
    return Finding("talk", Verdict.OK, f"it said {seen.lines} lines")
