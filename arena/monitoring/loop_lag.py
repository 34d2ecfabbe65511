"""Lag of an event loop: measured four times a second; it also shows that the loop turns at all."""

from __future__ import annotations

import asyncio
import time

from prometheus_client import CollectorRegistry, Histogram

_EVERY_S = 0.25
_HANGS_S = 30.0
"""A loop that has not turned for this long hangs: as long as a supervisor waits for a sign of life."""
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class LoopLag:
    """The lag of one event loop.  `run` is its task; the rest may be used by other threads."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._lag = Histogram(
            "arena_event_loop_lag_seconds",
            "How late the event loop ran what was due, sampled four times a second.",
            buckets=_BUCKETS,
            registry=registry,
        )
        self._turned_at = time.monotonic()

    def is_turning(self) -> bool:
        """Return whether the loop has turned lately."""
        return time.monotonic() - self._turned_at < _HANGS_S

    async def run(self) -> None:
        """Measure until cancelled."""
        while True:
            began = time.monotonic()
            await asyncio.sleep(_EVERY_S)
            self._turned_at = time.monotonic()
            self._lag.observe(max(0.0, self._turned_at - began - _EVERY_S))
