"""Decision times: how long a bot's decisions took, from the records of its last public matches."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from arena.competition.matches import stored_records
from arena.reports.bot_logs import read_timings
from arena.reports.bot_profiles import Profile
from arena.reports.match_details import MatchRow
from arena.storage import Store

BOUNDS_MS = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)
"""Bounds between the bars of the distribution, in milliseconds."""

_MAX_MATCHES = 12


@dataclass(frozen=True, slots=True)
class DecisionTimes:
    """Distribution of a bot's decision times; decisions with one legal action are left out."""

    matches: Annotated[
        int, Field(description="The matches that were looked at, the last public ones.", examples=[12])
    ]
    decisions: Annotated[int, Field(description="The decisions in them.", examples=[600])]
    bounds_ms: Annotated[
        tuple[float, ...], Field(description="Upper bounds of all bars but the last, in milliseconds.")
    ]
    counts: Annotated[tuple[int, ...], Field(description="Decisions by part.")]
    median_ms: Annotated[float, Field(description="Half of them took longer; 0 without any.", examples=[1.5])]
    p95_ms: Annotated[float, Field(description="One in twenty took longer; 0 without any.", examples=[4.0])]
    longest_ms: Annotated[float, Field(description="The longest; 0 without any.", examples=[12.0])]


def read(store: Store, profile: Profile) -> DecisionTimes:
    """Look at a bot's last matches whose records are public and kept; some milliseconds each, the first time."""
    rows = [row for row in profile.last if row.state == "finished"][:_MAX_MATCHES]
    return store.cache.get(
        ("decision times", profile.game, profile.bot),
        tuple(row.id for row in rows),
        lambda: _measure(store, profile.bot, rows),
    )


def _measure(store: Store, bot: str, rows: Sequence[MatchRow]) -> DecisionTimes:
    spent: list[float] = []
    matches = 0
    for row in rows:
        packed = stored_records.load(store, row.key)
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

    return DecisionTimes(
        matches=matches,
        decisions=len(spent),
        bounds_ms=BOUNDS_MS,
        counts=tuple(counts),
        median_ms=at(0.5),
        p95_ms=at(0.95),
        longest_ms=spent[-1] if spent else 0.0,
    )
