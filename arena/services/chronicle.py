"""Chronicles: what a tournament's rules are, and what was decided about it, in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.schedule.decisions import Course, Cycles, Decision, Drawn, Extend, Leave, Over, from_json, to_json
from arena.schedule.formats import GAUNTLET, KNOCKOUT, LADDER, SWISS, Rules
from arena.schedule.stops import Separated, StopRule
from arena.schedule.swiss import Swiss
from arena.services import plans
from arena.services.bots import BotVersion
from arena.services.pages import DecisionRow, LoggedDecision
from arena.services.plans import StoredPlan
from arena.store import Store
from arena.store.schema import Decision as Row

LATEST = 50
"""How many decisions a page shows."""
MOST_ROWS = 200
_MOST_NAMES = 8
_DRAWN = '"kind":"drawn"'
"""What the canonical JSON of a round has."""


def latest(session: Session, stored: StoredPlan) -> tuple[DecisionRow, ...]:
    """Give the latest decisions about a tournament, the newest first."""
    decided = _read(session, stored.tournament_id, max(0, stored.revision - LATEST), stored.revision)
    cycles = stored.course.cycles - sum(each.cycles for each, _, _ in decided if isinstance(each, Cycles))
    rounds = len(stored.course.rounds) - sum(isinstance(each, Drawn) for each, _, _ in decided)
    return tuple(reversed([row for row, _ in _told(decided, stored, cycles, rounds)]))


def log(
    store: Store, tournament_id: int, *, first: int = 0, most: int = MOST_ROWS
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


def rules_in_words(rules: Rules, course: Course, entries: Sequence[BotVersion]) -> str:
    """Say what is played, with what its organiser has allowed since: `Swiss, 5 rounds`."""
    if rules.form == LADDER:
        return "Ladder"
    if rules.form == KNOCKOUT:
        return f"Knockout, {_plural(rules.sets or 1, 'set')} a tie"
    if rules.form == SWISS:
        if rules.rounds is None and not course.rounds:
            return "Swiss"  # how many rounds it takes follows from how many enter
        return f"Swiss, {_plural((rules.rounds or Swiss.usual_rounds(len(entries))) + course.more, 'round')}"
    form = "Round-robin"
    if rules.form == GAUNTLET:
        form = f"Gauntlet of {_name(entries[0])} against the field" if entries else "Gauntlet"
    cycles = _plural(rules.cycles + course.more, "cycle")
    if rules.sets_each is not None:
        form = f"{form} with {_plural(rules.sets_each, 'set')} each"
    if rules.stop is None:
        return f"{form}, {cycles}"
    return f"{form} until {_aim(rules.stop)}, at most {cycles}"


def in_words(decision: Decision, cycles: int, rounds: int, entries: Sequence[BotVersion], form: str) -> str:
    """Say what was decided when so many cycles, or rounds, had been planned."""
    match decision:
        case Cycles(cycles=1):
            return f"cycle {cycles + 1} was planned"
        case Cycles(cycles=more):
            return f"cycles {cycles + 1} to {cycles + more} were planned"
        case Drawn(byes=byes):
            named = ", ".join(_name(entries[entry]) for entry in byes[:_MOST_NAMES])
            more_byes = f" and {len(byes) - _MOST_NAMES} more" if len(byes) > _MOST_NAMES else ""
            return f"round {rounds + 1} was drawn{f'; bye: {named}{more_byes}' if byes else ''}"
        case Extend(more=more):
            verb = "was" if more == 1 else "were"
            return f"{more} more {'round' if form == SWISS else 'cycle'}{'' if more == 1 else 's'} {verb} allowed"
        case Leave(entry=entry, annulled=annulled, why=why):
            kept = "its results were annulled" if annulled else "its results stay"
            return f"{_name(entries[entry])} has left: {why}; {kept}"
        case Over(why=why, cancelled=cancelled):
            return f"{'cancelled' if cancelled else 'finished'}: {why}"


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
    """Tell decisions in their order, after so many cycles and rounds."""
    for decision, number, at in decided:
        words = in_words(decision, cycles, rounds, stored.entries, stored.rules.form)
        yield DecisionRow(number, decision.kind, words, getattr(decision, "basis", None), at), decision
        cycles += decision.cycles if isinstance(decision, Cycles) else 0
        rounds += isinstance(decision, Drawn)


def _aim(stop: StopRule) -> str:
    if isinstance(stop, Separated):
        best = "the best is" if stop.top == 1 else f"the best {stop.top} are"
        return f"{best} separated at 95 %"
    return (
        f"elo0 = {stop.elo0:g} or elo1 = {stop.elo1:g} is accepted (alpha {stop.alpha:g}, beta {stop.beta:g})"
    )


def _name(entry: BotVersion) -> str:
    return f"{entry.bot}@{entry.version}"


def _plural(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"
