"""Departures: an entry leaves a tournament that has begun; what it has played stays, or is annulled.

What was played of a set that it breaks off counts for no bot.
"""

from __future__ import annotations

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session

from arena.competition import plans, stages
from arena.competition.matches import running_totals
from arena.competition.plans import StoredPlan
from arena.scheduling.decisions import Withdrawal
from arena.storage import Store
from arena.storage.schema import Decision, MatchResult, Tournament

_ANNULLED, _LEFT = '{"annulled":true,%', '{"annulled":%'
"""How the decisions that annul begin, and those by which entries leave, in their canonical JSON."""


def leave(
    store: Store, session: Session, tournament: Tournament, entry: int, *, annulled: bool, why: str
) -> bool:
    """Withdraw an entry; return False if it has left already, or the tournament is over.  `settle` does the rest, in a transaction of its own.

    The tournament's row is locked by the caller.
    """
    stored = plans.load(store, session, tournament.id)
    if entry in stored.course.withdrawn or stored.course.over is not None:
        return False
    tournament.matches_total -= _open_matches(session, stored, entry)
    stages.decide(session, tournament, Withdrawal(entry, annulled, why))
    return True


def settle(store: Store, tournament_id: int) -> None:
    """Take what does not count off the sums, and go on if nothing is left to be played.  Doing it twice does no harm."""
    with store.read() as session:
        course = plans.load(store, session, tournament_id).course
    running_totals.drop_broken_sets(store, tournament_id)
    for entry, annulled in course.withdrawn.items():
        if annulled:
            running_totals.annul(store, tournament_id, entry)
    stages.advance(store, tournament_id)


def settle_all(store: Store) -> None:
    """Settle all departures that a process killed in between left unsettled."""
    with store.read() as session:
        left = and_(Decision.data.like(_LEFT), Tournament.state.in_({stages.RUNNING, stages.PAUSED}))
        found = session.scalars(
            select(Decision.tournament_id)
            .join(Tournament, Tournament.id == Decision.tournament_id)
            .where(or_(Decision.data.like(_ANNULLED), left))
            .distinct()
        ).all()
    for tournament_id in found:
        settle(store, tournament_id)


def _open_matches(session: Session, stored: StoredPlan, entry: int) -> int:
    """Count the matches that are not played because an entry leaves."""
    plan = stored.plan
    counts = (
        select(MatchResult.set_number, func.count())
        .where(MatchResult.tournament_id == stored.tournament_id)
        .group_by(MatchResult.set_number)
    )
    played = dict(session.execute(counts).all())
    return sum(
        plan.seats - played.get(number, 0)
        for number in range(plan.sets_total)
        if entry in plan.schedule[number] and plan.is_active(number)
    )
