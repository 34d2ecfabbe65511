"""The decision log: what a tournament's rules are, and what was decided about it, in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, cast

from pydantic import Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.bot_registry.bot_version import BotVersion
from arena.competition import plans
from arena.competition.plans import StoredPlan
from arena.core.answer_fields import UtcTime
from arena.core.translatable import mark, recall, say
from arena.scheduling.decisions import (
    Cycles,
    Decision,
    End,
    Extend,
    RoundDrawn,
    Withdrawal,
    from_json,
    to_json,
)
from arena.scheduling.formats.format_registry import format_of
from arena.storage import Store
from arena.storage.schema import Decision as Row

LATEST = 50
"""Decisions that a page shows."""
MAX_ROWS = 200
_MAX_NAMES = 8
_WHY_LEFT = (
    mark("withdrawn by {name}"),
    mark("suspended: {incidents} separate faults ended {faults} of its {matches} matches here"),
    mark("suspended: {faults} of its {matches} matches here ended by its fault"),
    mark("is superseded"),
    mark("is withdrawn"),
    mark("is suspended"),
    mark("does not play at this table"),
)
_WHY_CANCELLED = (mark("cancelled by its organiser"),)
_WHY_FINISHED = (
    mark("all cycles are played"),
    mark("all rounds are played"),
    mark("all rounds are played; there is no champion, since no bot came to the last pairing"),
    mark("after all {cycles} cycles nothing is certain"),
    mark("after {sets} sets the best is ahead of all others at {certainty} %"),
    mark("after {sets} sets the best {top} are ahead of all others at {certainty} %"),
    mark("after {sets} sets {hypothesis} = {elo} is accepted (LLR {llr})"),
    mark("after {rounds} rounds one bot may still be the best (error at most {percent} %)"),
    mark("after {rounds} rounds {bots} bots may still be the best (error at most {percent} %)"),
    mark("the ladder was stopped"),
    mark("the epoch is over"),
    mark("the arena was updated"),
)
"""Reasons as they are stored, in English; by these they are recognised and translated."""

_DRAWN = '"kind":"drawn"'
"""Part of the canonical JSON of every round."""


def latest(session: Session, stored: StoredPlan) -> tuple[DecisionRow, ...]:
    """Return the latest decisions about a tournament, the newest first."""
    decided = _read(session, stored.tournament_id, max(0, stored.revision - LATEST), stored.revision)
    cycles = stored.course.cycles - sum(each.cycles for each, _, _ in decided if isinstance(each, Cycles))
    rounds = len(stored.course.rounds) - sum(isinstance(each, RoundDrawn) for each, _, _ in decided)
    return tuple(reversed([row for row, _ in _told(decided, stored, cycles, rounds)]))


def decision_rows(
    store: Store, tournament_id: int, *, first: int = 0, most: int = MAX_ROWS
) -> tuple[LoggedDecision, ...]:
    """List the decisions about a tournament from number `first` on, in their order, with all that they say.

    Raises NotFound.
    """
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        cycles, rounds = _before(session, stored, first)
        told = list(_told(_read(session, tournament_id, first, first + most), stored, cycles, rounds))
    return tuple(
        LoggedDecision(row.number, row.kind, row.words, row.basis, row.at, json.loads(to_json(decision)))
        for row, decision in told
    )


DecisionKind = Literal["cycles", "drawn", "extend", "leave", "over"]


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision about a tournament."""

    number: Annotated[int, Field(description="Counted from 0.", examples=[2])]
    kind: Annotated[DecisionKind, Field(description="Description of the decision.")]
    words: Annotated[str, Field(description="The decision in words.", examples=["round 3 was drawn"])]
    basis: Annotated[
        str | None,
        Field(description="SHA-256 of the results that it follows from; null where it follows from none."),
    ]
    at: UtcTime


@dataclass(frozen=True, slots=True)
class LoggedDecision(DecisionRow):
    """Decision as it is in the log, and in an export."""

    data: Annotated[Mapping[str, Any], Field(description="All its fields; entries by their numbers.")]


def rules_in_words(stored: StoredPlan) -> str:
    """Return what is played, with what its organiser has allowed since: `Swiss, 5 rounds`."""
    return stored.rules.describe(stored.course, [_name(entry) for entry in stored.entries])


def in_words(decision: Decision, cycles: int, rounds: int, stored: StoredPlan) -> str:
    """Describe a decision made after `cycles` planned cycles and `rounds` drawn rounds."""
    entries = stored.entries
    match decision:
        case Cycles(cycles=1):
            return say("cycle {cycle} was planned", cycle=cycles + 1)
        case Cycles(cycles=more):
            return say("cycles {first} to {last} were planned", first=cycles + 1, last=cycles + more)
        case RoundDrawn(byes=byes):
            drawn = stored.course.rounds
            first = stored.rules.count_rounds(len(entries), drawn[:rounds]) + 1
            last = stored.rules.count_rounds(len(entries), drawn[: rounds + 1])
            words = _round(first, last, [_name(entries[entry]) for entry in byes])
            return _with_repeats(words, stored, rounds)
        case Extend(more=more):
            return format_of(stored.rules.name).describe_more(more)
        case Withdrawal(entry=entry):
            return _left(decision, _name(entries[entry]))
        case End():
            return _over(decision)


def _left(decision: Withdrawal, bot: str) -> str:
    why = recall(decision.why, _WHY_LEFT)
    if decision.annulled:
        return say("{bot} has left: {why}; its results were annulled", bot=bot, why=why)
    return say("{bot} has left: {why}; its results stay", bot=bot, why=why)


def _over(decision: End) -> str:
    if decision.cancelled:
        return say("cancelled: {why}", why=recall(decision.why, _WHY_CANCELLED))
    return say("finished: {why}", why=recall(decision.why, _WHY_FINISHED))


def _round(number: int, last: int, byes: Sequence[str]) -> str:
    if last > number:  # several at once: those without a table in them have left
        return say("rounds {first} to {last} were drawn", first=number, last=last)
    if not byes:
        return say("round {round} was drawn", round=number)
    named, more = ", ".join(byes[:_MAX_NAMES]), len(byes) - _MAX_NAMES
    if more > 0:
        return say(
            "round {round} was drawn; bye: {bots} and {more} more", round=number, bots=named, more=more
        )
    return say("round {round} was drawn; bye: {bots}", round=number, bots=named)


def _with_repeats(words: str, stored: StoredPlan, number: int) -> str:
    """Add to the words about a round which of its tables had met before, in a format that avoids this."""
    repeated = [
        " – ".join(_name(stored.entries[entry]) for entry in table)
        for table in stored.rules.repeated(stored.course.rounds[: number + 1])
    ]
    if not repeated:
        return words
    named, more = ", ".join(repeated[:_MAX_NAMES]), len(repeated) - _MAX_NAMES
    if more > 0:
        return say(
            "{round_drawn}; met before: {tables} and {more} more", round_drawn=words, tables=named, more=more
        )
    return say("{round_drawn}; met before: {tables}", round_drawn=words, tables=named)


_Decided: TypeAlias = tuple[Decision, int, float]
"""A decision, its number, and when it was made."""


def _read(session: Session, tournament_id: int, first: int, end: int) -> list[_Decided]:
    mine = (Row.tournament_id == tournament_id, Row.number >= first, Row.number < end)
    query = select(Row.data, Row.number, Row.created_at).where(*mine).order_by(Row.number)
    return [(from_json(data), number, at) for data, number, at in session.execute(query)]


def _before(session: Session, stored: StoredPlan, first: int) -> tuple[int, int]:
    """Count the cycles and the rounds that were planned before a decision.  Rounds are long: they are only counted."""
    if stored.rules.adapts:
        drawn = (Row.tournament_id == stored.tournament_id, Row.number < first, Row.data.contains(_DRAWN))
        return 0, session.scalar(select(func.count()).where(*drawn)) or 0
    decided = _read(session, stored.tournament_id, 0, first)
    return sum(each.cycles for each, _, _ in decided if isinstance(each, Cycles)), 0


def _told(
    decided: Iterable[_Decided], stored: StoredPlan, cycles: int, rounds: int
) -> Iterator[tuple[DecisionRow, Decision]]:
    """Yield decisions in their order with their descriptions; `cycles` and `rounds` came before them."""
    for decision, number, at in decided:
        words = in_words(decision, cycles, rounds, stored)
        kind = cast("DecisionKind", decision.kind)
        yield DecisionRow(number, kind, words, getattr(decision, "basis", None), at), decision
        cycles += decision.cycles if isinstance(decision, Cycles) else 0
        rounds += isinstance(decision, RoundDrawn)


def _name(entry: BotVersion) -> str:
    return f"{entry.bot}@{entry.version}"
