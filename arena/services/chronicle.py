"""Chronicles: what a tournament's rules are, and what was decided about it, in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import select
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


def latest(session: Session, stored: StoredPlan) -> tuple[DecisionRow, ...]:
    """Give the latest decisions about a tournament, the newest first."""
    rows = [row for row, _ in _told(_read(session, stored.tournament_id), stored)]
    return tuple(reversed(rows[-LATEST:]))


def log(
    store: Store, tournament_id: int, *, first: int = 0, most: int = MOST_ROWS
) -> tuple[LoggedDecision, ...]:
    """List the decisions about a tournament from number `first` on, in their order, with all that they say.

    Raises NotFound.
    """
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        told = list(_told(_read(session, tournament_id), stored))[first : first + most]
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


def in_words(decision: Decision, before: Course, entries: Sequence[BotVersion], form: str) -> str:
    """Say what was decided, after what was decided `before`."""
    match decision:
        case Cycles(cycles=1):
            return f"cycle {before.cycles + 1} was planned"
        case Cycles(cycles=more):
            return f"cycles {before.cycles + 1} to {before.cycles + more} were planned"
        case Drawn(byes=byes):
            byes_in_words = f"; bye: {', '.join(_name(entries[entry]) for entry in byes)}" if byes else ""
            return f"round {len(before.rounds) + 1} was drawn{byes_in_words}"
        case Extend(more=more):
            verb = "was" if more == 1 else "were"
            return f"{more} more {'round' if form == SWISS else 'cycle'}{'' if more == 1 else 's'} {verb} allowed"
        case Leave(entry=entry, annulled=annulled, why=why):
            kept = "its results were annulled" if annulled else "its results stay"
            return f"{_name(entries[entry])} has left: {why}; {kept}"
        case Over(why=why, cancelled=cancelled):
            return f"{'cancelled' if cancelled else 'finished'}: {why}"


def _read(session: Session, tournament_id: int) -> list[tuple[Decision, float]]:
    query = select(Row.data, Row.created_at).where(Row.tournament_id == tournament_id).order_by(Row.number)
    return [(from_json(data), at) for data, at in session.execute(query)]


def _told(
    decided: Iterable[tuple[Decision, float]], stored: StoredPlan
) -> Iterator[tuple[DecisionRow, Decision]]:
    """Tell decisions in their order."""
    cycles, rounds = 0, 0
    for number, (decision, at) in enumerate(decided):
        before = Course(cycles=cycles, rounds=stored.course.rounds[:rounds])
        words = in_words(decision, before, stored.entries, stored.rules.form)
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
