"""Findings of a bot's check, each with the observation and, if something is wrong, the remedy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from arena.bundle_format.declared_text import may_be_version
from arena.bundle_format.program_kind import kind_of
from arena.bundle_format.sandbox_errors import MEMORY_MIB, PROCESSES, explain
from arena.core.errors import Refusal
from arena.declarations import declared_tables
from arena.declarations.declared_tables import DeclaredTables
from arena.devtools.home_uploads import with_last_words
from arena.games import registry
from arena.games.kernel import Said
from arena.match.clock import STANDARD, Clock
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Record
from arena.match.replay import replay
from arena.referee_client import Endpoint, Hosted, SeatOutput
from arena.v1.bot_pb2 import Hello

_MAX_TEXT_BYTES = 64
_MIB = 1 << 20
_SLOW = 0.5
"""A decision that takes more than this share of the cap is a warning: machines differ."""
_LOW_BANK = 0.25
"""As is a bank that was once below this share of its beginning."""

_EXPLAINED = {
    FaultKind.ILLEGAL_ACTION: "`Answer.action` is an index into `Ask.actions`; with the SDK, `choose` returns one of `decision.legal`",
    FaultKind.TIMEOUT: "think less: `decision.clock` says how long a decision may take, and what is left for all of them",
    FaultKind.CRASH: "an exception ends the bot; the message ends with its traceback",
    FaultKind.PROTOCOL: "docs/protocol.md says what may be sent, and when",
}


class Verdict(StrEnum):
    """Verdict on one part of the check."""

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


@dataclass(slots=True)
class Seen:
    """Observations of the bot in its matches.  Mutable while they are played."""

    times_ms: list[float] = field(default_factory=list)
    lowest_bank_ms: float = float(STANDARD.base_ms)
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Setting:
    """A game, a variant of it and a number of seats: what a bot claims to play at."""

    game: str
    variant: str
    seats: int

    def __str__(self) -> str:
        return f"{self.game} ({self.variant}), {self.seats} seats"


def judge_sandbox(protection: str) -> Finding:
    """Say whether the bot's matches are played in a sandbox as the arena would play them; `protection` is the referee's."""
    if is_full(protection):
        text = f"its matches are played as a submission's: no network, {MEMORY_MIB} MiB of memory, {PROCESSES} processes and threads"
        return Finding("sandbox", Verdict.OK, text)
    return Finding(
        "sandbox",
        Verdict.WARNING,
        f"this machine has no full one ({protection}), so the bot plays with all your rights",
        "an arena may still refuse what works here: network, other files and programs, too many threads (docs/bots.md, In the arena's sandbox)",
    )


def is_full(protection: str) -> bool:
    """Return whether a referee with this protection starts uploads."""
    return protection.partition(":")[0] == "full"


def judge_fault(
    what: str, match: str, fault: SeatFault, printed: Iterable[SeatOutput], *, in_sandbox: bool
) -> Finding:
    """Say what fault ended a match at a table, with the end of what the bot printed, and what to do about it."""
    said = with_last_words(fault, printed) if in_sandbox else fault
    text = f"{fault.kind} in match {match}, seat {fault.seat}: {said.message}"
    remedy: str | None = None
    if in_sandbox and fault.kind is not FaultKind.ILLEGAL_ACTION:
        remedy = explain(text)
    return Finding(what, Verdict.FAILED, text, remedy or _EXPLAINED[fault.kind])


def judge_hello(
    hello: Hello, claimed: Iterable[str], declared: Mapping[str, DeclaredTables], took_s: float
) -> Finding:
    """Judge what a bot says of itself; its project claims these games, and declares these tables of them."""
    who = (
        f"{hello.name or 'a bot without a name'}, version {hello.version or 'unknown'}, after {took_s:.1f} s"
    )
    offered = [offer.game for offer in hello.games]
    for name in ("name", "version", "sdk"):
        if (size := len(getattr(hello, name).encode())) > _MAX_TEXT_BYTES:
            text = f"Hello.{name} has {size} bytes; at most {_MAX_TEXT_BYTES} are allowed"
            return Finding("handshake", Verdict.FAILED, text, "make it shorter")
    if hello.version and not may_be_version(hello.version):
        text = f"Hello.version {hello.version!a}: must be printable, without blanks, `@`, `,` and `/`"
        return Finding("handshake", Verdict.FAILED, text, "leave these out")
    for offer in hello.games:
        if offer.game not in registry.GAMES:
            text = f"Hello.games names {offer.game!r}; the games are {', '.join(registry.GAMES)}"
            return Finding("handshake", Verdict.FAILED, text, "leave it out")
        try:
            declared_tables.check([offer.game], offer.variants, offer.seat_counts)
        except Refusal as refusal:
            return Finding("handshake", Verdict.FAILED, f"Hello.games.{refusal}", "leave it out")
    if lacking := [game for game in claimed if offered and game not in offered]:
        text = f"it is to play {lacking[0]}, but its Hello offers {', '.join(offered)} only"
        return Finding("handshake", Verdict.FAILED, text, "name the same games in bot.toml and in the bot")
    return _judge_tables(hello, declared) or Finding("handshake", Verdict.OK, who)


def _judge_tables(hello: Hello, declared: Mapping[str, DeclaredTables]) -> Finding | None:
    """Judge whether a Hello offers the tables that a project declares; None if it does."""
    offers = declared_tables.read_offers(hello.games)
    for game, tables in declared.items():
        hello_tables = declared_tables.offered(offers, game)
        lacking_tables = {
            variant: tuple(seats for seats in counts if not hello_tables.include(variant, seats))
            for variant, counts in tables.of_game(game).items()
        }
        if any(lacking_tables.values()):
            missing = declared_tables.words(
                {variant: counts for variant, counts in lacking_tables.items() if counts}
            )
            text = (
                f"bot.toml declares {missing} of {game}, but its Hello offers {hello_tables.words(game)} only"
            )
            remedy = "give `variants` and `seat_counts` the same values in bot.toml and in the bot; left out, they mean all"
            return Finding("handshake", Verdict.FAILED, text, remedy)
    return None


def note(record: Record, seat: int, seen: Seen) -> None:
    """Take note of what a bot did in a match."""
    clock = Clock(STANDARD, len(record.seats))
    for point in replay(record, STANDARD):
        for each in point.answers:
            if each.to.seat != seat or each.recorded is None:
                continue
            seen.lines += isinstance(each.recorded.step, Said)
            if (thinking_ms := each.thinking_ms) is not None:
                seen.times_ms.append(thinking_ms)
                seen.lowest_bank_ms = min(seen.lowest_bank_ms, clock.remaining_ms(seat, thinking_ms))
                clock.charge(seat, thinking_ms)


def judge_speed(seen: Seen) -> Finding:
    """Judge how long it thought."""
    times = sorted(seen.times_ms)
    slowest = times[-1]
    text = (
        f"{len(times)} decisions, half of them within {times[len(times) // 2]:.1f} ms, the slowest {slowest:.0f} ms"
        f" of {STANDARD.cap_ms} ms; never less than {seen.lowest_bank_ms / 1000:.1f} of {STANDARD.base_s:g} s in the bank"
    )
    if slowest > _SLOW * STANDARD.cap_ms or STANDARD.share_of_bank(seen.lowest_bank_ms) < _LOW_BANK:
        remedy = (
            "a slower or busier machine may lose matches by timeout: think less as `decision.clock` runs low"
        )
        return Finding("speed", Verdict.WARNING, text, remedy)
    return Finding("speed", Verdict.OK, text)


def judge_memory(peak_bytes: int, source: Hosted | Endpoint) -> Finding:
    """Judge how much memory its processes had at the most."""
    text = f"at most {peak_bytes / _MIB:.0f} MiB"
    if not isinstance(source, Hosted) or kind_of(source.program) is None:
        return Finding(
            "memory", Verdict.OK, f"{text}; the arena sets no limit to bots that it does not run itself"
        )
    text += f"; a hosted bot may have {MEMORY_MIB} MiB"
    if peak_bytes > MEMORY_MIB * _MIB:
        return Finding(
            "memory", Verdict.FAILED, text, "keep less, or let it run elsewhere: dial-in, or endpoint"
        )
    return Finding("memory", Verdict.OK, text)


def judge_talk(tables: Iterable[Setting], seen: Seen) -> Finding:
    """Judge whether a bot that wants to talk does."""
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
