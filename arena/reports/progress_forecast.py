"""Forecasts: how fast a tournament is played, and when it may be over, from the times of its last results."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from sqlalchemy import select

from arena.competition import tournament_states
from arena.reports.tournament_details import TournamentPage, TournamentRow
from arena.storage import Store
from arena.storage.schema import MatchResult

_BATCHES = 8
_T = 2.36
"""Student's t at 97.5 % with one degree of freedom fewer than there are batches."""

_MOST = 400
_FEWEST = 24
_WIDEST = 3.0
_STALLED = 20
"""Number of usual pauses without a result, plus a minute, after which a tournament counts as stalled."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """Estimated time at which the planned sets will be played; `low_s` to `high_s` is about the 95 % interval of the seconds left.

    `results` is how many results, the last ones, it was measured on; `per_minute` how many matches end in a minute.
    """

    left_s: float
    low_s: float
    high_s: float
    per_minute: float
    results: int


def read(
    store: Store, tournament: TournamentPage | TournamentRow, now: float | None = None
) -> Forecast | None:
    """Estimate when a running tournament may be over; None if the results do not allow an estimate."""
    left = tournament.matches_total - tournament.matches_done
    if tournament.state != tournament_states.RUNNING or left <= 0 or tournament.matches_done < _FEWEST:
        return None
    times = store.cache.get(
        ("pace", tournament.id),
        tournament.matches_done,
        lambda: _times(store, tournament.id),
    )
    return estimate(times, left, time.time() if now is None else now)


def estimate(times: Sequence[float], left: int, now: float) -> Forecast | None:
    """Estimate how long the remaining matches may take, from the times of the last results in order.

    Means of batches measure how steady the pace is (results of one block come close together, so single pauses would mislead).
    """
    size = (len(times) - 1) // _BATCHES
    if size < 2:
        return None
    used = times[-(size * _BATCHES + 1) :]
    batches = [used[(i + 1) * size] - used[i * size] for i in range(_BATCHES)]
    mean = fmean(batches)
    if mean <= 0 or now - times[-1] > 60 + _STALLED * mean / size:
        return None
    spread = _T * stdev(batches) / mean * sqrt(1 / _BATCHES + size / left)
    spread = min(spread, _WIDEST)
    seconds = left * mean / size
    return Forecast(
        left_s=seconds,
        low_s=seconds / (1 + spread),
        high_s=seconds * (1 + spread),
        per_minute=60 * size / mean,
        results=len(used) - 1,
    )


def _times(store: Store, tournament_id: int) -> list[float]:
    query = (
        select(MatchResult.stored_at)
        .where(MatchResult.tournament_id == tournament_id)
        .order_by(MatchResult.id.desc())
        .limit(_MOST)
    )
    with store.read() as session:
        return sorted(session.scalars(query))
