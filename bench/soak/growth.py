"""Growth of a part: its use after the first quarter of the run compared with that at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from bench.soak.recorder import Use

MAX_GROWTH = 0.02
"""Of memory, after the first quarter."""
MAX_MORE = 8
"""Descriptors or threads."""
_WINDOW = 0.1


@dataclass(frozen=True, slots=True)
class Growth:
    """Use of a process early and late, in a tenth of the run each: medians of memory, the lowest tenth of what comes and goes."""

    part: str
    early: Use
    late: Use

    @property
    def memory(self) -> float:
        """Return how much the memory of its own grew, as a part of what it was."""
        return self.late.own_mb / self.early.own_mb - 1

    @property
    def mapped_too(self) -> float:
        """Return how much all memory grew, its share of the pages of files included."""
        return self.late.memory_mb / self.early.memory_mb - 1

    @property
    def resident(self) -> float:
        """Return how much its resident memory grew, as monitors show it."""
        return self.late.resident_mb / self.early.resident_mb - 1

    @property
    def descriptors(self) -> int:
        """Return how many descriptors came on top."""
        return self.late.descriptors - self.early.descriptors

    @property
    def threads(self) -> int:
        """Return how many threads came on top."""
        return self.late.threads - self.early.threads


def growth_of(part: str, uses: Sequence[Use], lasted_s: float) -> Growth | None:
    """Return the growth of a part from the first quarter of a run to its end; None if no process of it lived as long."""
    if not uses:
        return None
    pid = uses[-1].pid
    early = _typical([use for use in uses if _is_within(use, lasted_s, 0.25) and use.pid == pid])
    late = _typical([use for use in uses if _is_within(use, lasted_s, 1 - _WINDOW) and use.pid == pid])
    return None if early is None or late is None else Growth(part, early, late)


def _is_within(use: Use, lasted_s: float, since: float) -> bool:
    return since <= use.at_s / lasted_s <= since + _WINDOW


def _typical(uses: Sequence[Use]) -> Use | None:
    if not uses:
        return None
    return Use(
        uses[0].at_s,
        uses[0].pid,
        median(use.memory_mb for use in uses),
        median(use.own_mb for use in uses),
        median(use.resident_mb for use in uses),
        median(use.own_share_mb for use in uses),
        _low([use.descriptors for use in uses]),
        _low([use.threads for use in uses]),
        round(median(use.bots for use in uses)),
    )


def _low(counts: Sequence[int]) -> int:
    """Return a count that a tenth of the counts do not exceed."""
    return sorted(counts)[len(counts) // 10]
