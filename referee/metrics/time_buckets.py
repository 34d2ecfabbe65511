"""Times counted into the buckets of a histogram: plain numbers, since Prometheus's own objects cost a microsecond each time.

Compiled: one is added to for each decision.
"""

from __future__ import annotations

from typing import Final

BOUNDS_MS: Final[tuple[float, ...]] = (
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
    25.0,
    50.0,
    100.0,
    250.0,
    500.0,
    1000.0,
    2500.0,
    5000.0,
    10_000.0,
    30_000.0,
)
"""The upper bounds of all buckets but the last, which has none."""


class TimeBuckets:
    """The number of times in each bucket, and their sum.  Mutable; added to on the event loop, read by any thread."""

    __slots__ = ("_bounds", "counts", "total_ms")

    def __init__(self) -> None:
        self._bounds: list[float] = list(BOUNDS_MS)
        self.counts: list[int] = [0] * (len(BOUNDS_MS) + 1)
        self.total_ms: float = 0.0

    def add(self, ms: float) -> None:
        """Count a time.  Most are short, so the buckets are tried from the first one on."""
        bucket = 0
        for bound in self._bounds:
            if ms <= bound:
                break
            bucket += 1
        self.counts[bucket] += 1
        self.total_ms += ms
