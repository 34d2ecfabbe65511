"""Participation: the tournaments that a bot's versions took part in, and the cache version of what may be shown of their matches."""

from __future__ import annotations

import time
from collections.abc import Collection, Hashable
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.competition import retention
from arena.competition.matches import rating_inputs
from arena.competition.pools import tournament_scope
from arena.storage.schema import Entry, Tournament, Trial, VersionTotal

_MOMENT_S = 30.0
"""Seconds between two checks of an organiser's delay, which opens matches by the clock."""


@dataclass(frozen=True, slots=True)
class Participation:
    """A version's number of entry in a tournament, and what it did there."""

    tournament_id: int
    number: int
    version_id: int
    matches: int
    faults: int


def of(session: Session, versions: Collection[int]) -> tuple[Participation, ...]:
    """List where versions have played, trials among it, the newest tournament first."""
    query = select(Entry.tournament_id, Entry.number, Entry.version_id).where(Entry.version_id.in_(versions))
    entries = session.execute(query.order_by(Entry.tournament_id.desc())).all()
    scopes = {tournament_scope(entry.tournament_id) for entry in entries}
    totals = select(VersionTotal).where(VersionTotal.scope.in_(scopes), VersionTotal.version_id.in_(versions))
    did = {(row.scope, row.version_id): row for row in session.scalars(totals)}
    found = []
    for entry in entries:
        row = did.get((tournament_scope(entry.tournament_id), entry.version_id))
        if row is not None:
            found.append(Participation(*entry, row.matches, row.faults))
    return tuple(found)


def without_trials(
    session: Session, found: Collection[Participation], *, besides: Collection[str] = ()
) -> tuple[Participation, ...]:
    """Leave out what is its author's business: trials, besides some kinds of them."""
    numbers = {each.tournament_id for each in found}
    query = select(Trial.tournament_id).where(Trial.tournament_id.in_(numbers), Trial.kind.not_in(besides))
    trials = set(session.scalars(query))
    return tuple(each for each in found if each.tournament_id not in trials)


def cache_version(session: Session, found: Collection[Participation]) -> Hashable:
    """Return a cache version that changes whenever one of these matches is played, published, annulled or pruned."""
    tournaments = select(
        Tournament.id, Tournament.revision, Tournament.finished_at, Tournament.delay_s
    ).where(Tournament.id.in_({each.tournament_id for each in found}))
    rows = session.execute(tournaments.order_by(Tournament.id)).all()
    moment = int(time.time() / _MOMENT_S) if any(row.delay_s for row in rows) else 0
    return (
        tuple(found),
        tuple(map(tuple, rows)),
        rating_inputs.touched(session),
        retention.mark(session),
        moment,
    )
