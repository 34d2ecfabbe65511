"""Thinking: how long a bot's decisions took, from the records of its last public matches."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from arena.rankings.read_models import MatchRow
from arena.reports.bot_logs import read_timings
from arena.reports.bot_profiles import Profile
from arena.storage import Store
from arena.storage.cache import keep
from arena.storage.schema import MatchResult, Record

BOUNDS_MS = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)
"""Where one bar of the distribution ends and the next begins, in milliseconds."""

_MAX_MATCHES = 12


@dataclass(frozen=True, slots=True)
class Thinking:
    """How long the decisions of some matches took, those with one legal action left out; times in milliseconds.

    `counts` are the decisions up to each of BOUNDS_MS and beyond; the rest is 0 without decisions.
    """

    matches: int
    decisions: int
    counts: tuple[int, ...]
    median_ms: float
    p95_ms: float
    longest_ms: float


def read(store: Store, profile: Profile) -> Thinking:
    """Look at a bot's last matches whose records are public and kept; some milliseconds each, the first time."""
    rows = [row for row in profile.last if row.state == "finished"][:_MAX_MATCHES]
    return keep(
        store,
        ("thinking", profile.game, profile.bot),
        tuple(row.id for row in rows),
        lambda: _measure(store, profile.bot, rows),
    )


def _measure(store: Store, bot: str, rows: Sequence[MatchRow]) -> Thinking:
    spent: list[float] = []
    matches = 0
    for row in rows:
        query = (
            select(Record.data)
            .join(MatchResult, MatchResult.id == Record.result_id)
            .where(
                MatchResult.tournament_id == row.tournament_id,
                MatchResult.set_number == row.set,
                MatchResult.match_number == row.match,
            )
        )
        with store.read() as session:
            packed = session.scalar(query)
        seats = [seat.seat for seat in row.seats if seat.bot == bot]
        found = [timing.ms for seat in seats for timing in read_timings(packed, seat)[0]]
        spent += found
        matches += bool(found)
    spent.sort()
    counts = [0] * (len(BOUNDS_MS) + 1)
    for ms in spent:
        counts[bisect_right(BOUNDS_MS, ms)] += 1

    def at(share: float) -> float:
        return spent[min(len(spent) - 1, int(share * len(spent)))] if spent else 0.0

    return Thinking(matches, len(spent), tuple(counts), at(0.5), at(0.95), spent[-1] if spent else 0.0)
