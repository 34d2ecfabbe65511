"""Rate limit of a bot's messages: one per ask, and some more per second, averaged over ten seconds."""

from __future__ import annotations

WINDOW_S = 10


class TokenBucket:
    """A token bucket that every ask credits with one message, and that is refilled over time up to its capacity."""

    __slots__ = ("_at_ms", "_capacity", "_level", "_per_ms")

    def __init__(self, spare_per_second: int, now_ms: float) -> None:
        self._per_ms = spare_per_second / 1000
        self._capacity = float(spare_per_second * WINDOW_S)
        self._level = self._capacity
        self._at_ms = now_ms

    def credit(self) -> None:
        """Add one message, for an ask."""
        self._level += 1

    def try_consume(self, messages: int, now_ms: float) -> bool:
        """Take the messages of a frame out; return False if there are too many.  An empty frame counts as one message."""
        self._level -= max(1, messages)
        if self._level >= 0:
            return True
        # A debt is bounded, too: a bot that was over the limit for long need not be silent for as long.
        level = max(self._level, -self._capacity - 1) + (now_ms - self._at_ms) * self._per_ms
        self._level = min(self._capacity, level)
        self._at_ms = now_ms
        return self._level >= 0
