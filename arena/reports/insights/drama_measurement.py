"""Measuring the drama of matches that pages list or Arena TV may show: a bounded number at once, each of them once.

open matches ──▶ those that are not measured, the games in turn ──▶ their records are replayed ──▶ stored together
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress

from arena.competition.matches import stored_records
from arena.competition.matches.outcomes import FAULT_END
from arena.competition.plans import NotFound
from arena.core.errors import ArenaError
from arena.match import drama, score_series
from arena.match.drama import NO_DRAMA, Drama
from arena.match.record import from_json
from arena.reports import match_views
from arena.reports.insights import stored_dramas, watchable_matches
from arena.reports.insights.insight import Insight, Tick
from arena.reports.match_details import MatchRow
from arena.storage import Store
from arena.storage.record_compression import unpack

MOST_SETS = 15
"""Sets that one job measures at most: their numbers fit into an argument."""
MOST = 60
"""Matches that are measured at once."""
_MOST_S = 2.0
"""Seconds after which no further match is begun: a block may be waiting for the worker."""


def measure_newest(store: Store, now: float, tick: Tick = lambda: None) -> int:
    """Measure the newest open matches of each game; return how many were measured.

    `now` is in seconds since the epoch.  `tick` is called before each match; what it raises ends the work.
    """
    return _measure(store, watchable_matches.open_at(store, now), tick)


def measure_sets(store: Store, tournament_id: int, sets: Sequence[int], tick: Tick = lambda: None) -> int:
    """Measure the open matches of some sets of a tournament; return how many were measured."""
    rows: list[MatchRow] = []
    for number in sets:
        with suppress(NotFound):  # the job may name a set that does not exist
            rows += match_views.of_tournament(store, tournament_id, number, 1)
    return _measure(store, rows, tick)


def has_drama(row: MatchRow) -> bool:
    """Return whether a match is one that drama is measured of: it is open, and no fault ended it."""
    return row.state == "finished" and row.end != FAULT_END


def _measure(store: Store, rows: Iterable[MatchRow], tick: Tick) -> int:
    wanted = _in_turn([row for row in rows if has_drama(row)])
    known = stored_dramas.load(store, [row.key for row in wanted])
    due = [row for row in wanted if row.key in known and known[row.key] is None]
    began = time.monotonic()
    found = {}
    for row in due[:MOST]:
        if time.monotonic() - began > _MOST_S:
            break
        tick()
        found[row.key] = _drama_of(store, row)
    if found:
        stored_dramas.save(store, found)
    return len(found)


def _in_turn(rows: Sequence[MatchRow]) -> list[MatchRow]:
    """Order matches so that games take turns: a game of long matches must not leave the others without any."""
    turns: dict[str, int] = defaultdict(int)
    placed = []
    for row in rows:
        placed.append((turns[row.game], row))
        turns[row.game] += 1
    return [row for _, row in sorted(placed, key=lambda each: each[0])]


def _drama_of(store: Store, row: MatchRow) -> Drama:
    packed = stored_records.load(store, row.key)
    if packed is None:
        return NO_DRAMA
    try:
        return drama.measure(score_series.of_record(from_json(unpack(packed))))
    except ArenaError:  # its game is no longer here, or has other rules
        return NO_DRAMA


DRAMA = Insight(
    "drama",
    (int, str),  # a tournament, and its sets
    lambda store, tick, tournament_id, sets: measure_sets(
        store, tournament_id, [int(number) for number in sets.split(",")], tick
    ),
)
NEWEST_DRAMA = Insight("newest_drama", (), lambda store, tick: measure_newest(store, time.time(), tick))
