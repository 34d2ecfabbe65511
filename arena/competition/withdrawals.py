"""Departures: an entry leaves a tournament that has begun; what it has played stays, or is annulled.

What was played of a set that it breaks off counts for no bot.
"""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.competition import plans, stages
from arena.competition.plans import StoredPlan
from arena.scheduling.decisions import Withdrawal
from arena.storage import Store
from arena.storage.schema import MatchResult, Tournament


def leave(
    store: Store, session: Session, tournament: Tournament, entry: int, *, annulled: bool, why: str
) -> bool:
    """Withdraw an entry; return False if it has left already, or the tournament is over.

    `arena.competition.settlement.settle` does the rest, in a transaction of its own.  The tournament's row is locked by the caller.
    """
    stored = plans.load(store, session, tournament.id)
    if entry in stored.course.withdrawn or stored.course.over is not None:
        return False
    tournament.matches_total -= _open_matches(session, stored, entry)
    stages.decide(session, tournament, Withdrawal(entry, annulled, why))
    return True


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
