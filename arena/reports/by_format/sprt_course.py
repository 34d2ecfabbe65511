"""Course of a test between two versions: its LLR set by set, and the number of sets by their result."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.competition import plans
from arena.competition.matches import rating_inputs
from arena.competition.plans import StoredPlan
from arena.ratings.totals import half_units
from arena.scheduling.stop_rules import Sprt
from arena.storage import Store
from arena.storage.schema import SetTotal

_MAX_POINTS = 240


@dataclass(frozen=True, slots=True)
class SprtCourse:
    """LLR after each set, from the side of entry 0, between the bounds at which the test ends."""

    sets: tuple[int, ...]
    llrs: tuple[float, ...]
    low: float
    high: float
    outcomes: tuple[tuple[float, int], ...]
    """Points that entry 0 took from a set, and how many sets ended so."""


def read(store: Store, tournament_id: int) -> SprtCourse | None:
    """Return how a test went; None for a tournament that is none, or before its first set.  Raises NotFound."""
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        stop = stored.rules.stop
        if not isinstance(stop, Sprt) or len(stored.entries) != 2:
            return None
        cache_version = (rating_inputs.cache_version_of_tournament(session, tournament_id), stored.revision)
        found: SprtCourse | None = store.cache.get(
            ("sprt course", tournament_id), cache_version, lambda: _course(session, stored, stop)
        )
        return found


def _course(session: Session, stored: StoredPlan, stop: Sprt) -> SprtCourse | None:
    whole = 2 * stored.plan.seats * half_units(stored.plan.seats)
    columns = (SetTotal.low, SetTotal.low_units, SetTotal.high_units)
    query = select(*columns).where(SetTotal.tournament_id == stored.tournament_id)
    scores = [
        (low_units if low == stored.entries[0].version_id else high_units) / (low_units + high_units)
        for low, low_units, high_units in session.execute(query.order_by(SetTotal.set_number))
        # A set that is still played does not count yet.
        if stored.course.over is not None or low_units + high_units == whole
    ]
    if not scores:
        return None
    llrs = stop.course(scores)
    at = np.unique(np.linspace(0, len(scores) - 1, min(len(scores), _MAX_POINTS)).round().astype(np.int64))
    low, high = stop.bounds
    counted = Counter(round(score * stored.plan.seats * 2) / 2 for score in scores)
    return SprtCourse(
        sets=tuple((at + 1).tolist()),
        llrs=tuple(llrs[number] for number in at.tolist()),
        low=low,
        high=high,
        outcomes=tuple(sorted(counted.items())),
    )
