"""Settlement: what follows from stored results and from departures: the next decision, a verdict, a suspension.

    results    ──▶ the next decision, if one was the last of those planned ──▶ suspensions of bots at fault
    departures ──▶ sums without what does not count ──▶ the next decision, if nothing is left to be played
    the last decision ──▶ the verdict of a qualification, in the same transaction

The process that stores the last planned result asks for the next decision; if it dies first, the reconciler does.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import and_, or_, select

from arena.competition import plans, stages, tournament_states
from arena.competition.matches import results, running_totals
from arena.competition.matches.outcomes import RecordMismatch
from arena.competition.matches.results import Arrival
from arena.competition.qualification import suspensions, verdicts
from arena.storage import Store
from arena.storage.schema import Decision, Tournament

_ANNULLED, _LEFT = '{"annulled":true,%', '{"annulled":%'
"""Beginnings of the decisions that annul, and of those by which entries leave, in their canonical JSON."""


def add_results(
    store: Store, tournament_id: int, arrivals: Sequence[Arrival]
) -> tuple[bool | RecordMismatch, ...]:
    """Store results as `results.add_all` does, and settle what follows; return its answer for each.  Raises NotFound."""
    stored = results.add_all(store, tournament_id, arrivals)
    if stored.is_last:
        advance(store, tournament_id)
    for entry in stored.faulted:
        if suspensions.consider(store, tournament_id, entry):
            settle(store, tournament_id)
    return stored.answers


def fail_match(store: Store, tournament_id: int, set: int, match: int, attempt: int, reason: str) -> bool:  # noqa: A002
    """Count a failure as `results.failed` does, and settle what follows; return whether the match was annulled.  Raises NotFound."""
    failure = results.failed(store, tournament_id, set, match, attempt, reason)
    if failure.is_last:
        advance(store, tournament_id)
    return failure.annulled


def advance(store: Store, tournament_id: int) -> bool:
    """Decide what comes next if all that was planned is played; False if it is not.  Concurrent calls decide once."""
    moved = False
    while True:
        with store.read() as session:
            tournament = session.get(Tournament, tournament_id)
            if tournament is None or not stages.is_due(tournament):
                return moved
            stored = plans.load(store, session, tournament_id)
            decision = stages.next_decision(session, stored)
        running_totals.drop_broken_sets(store, tournament_id)
        with store.write() as session:
            locked = session.get_one(Tournament, tournament_id, with_for_update=True)
            if not stages.is_due(locked) or locked.revision != stored.revision:
                continue
            stages.decide(session, locked, decision)
            if locked.state in tournament_states.OVER:
                verdicts.settle(session.connection(), stored)
            moved = True


def settle(store: Store, tournament_id: int) -> None:
    """Settle the departures from a tournament.  Doing it twice does no harm."""
    with store.read() as session:
        course = plans.load(store, session, tournament_id).course
    running_totals.drop_broken_sets(store, tournament_id)
    for entry, annulled in course.withdrawn.items():
        if annulled:
            running_totals.annul(store, tournament_id, entry)
    advance(store, tournament_id)


def settle_all(store: Store) -> None:
    """Settle all departures that a process killed in between left unsettled."""
    with store.read() as session:
        left = and_(
            Decision.data.like(_LEFT),
            Tournament.state.in_({tournament_states.RUNNING, tournament_states.PAUSED}),
        )
        found = session.scalars(
            select(Decision.tournament_id)
            .join(Tournament, Tournament.id == Decision.tournament_id)
            .where(or_(Decision.data.like(_ANNULLED), left))
            .distinct()
        ).all()
    for tournament_id in found:
        settle(store, tournament_id)
