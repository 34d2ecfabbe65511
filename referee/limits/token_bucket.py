"""How much a bot may send: one message per ask, and a little more per second, averaged over ten seconds."""

from __future__ import annotations

WINDOW_S = 10


class Allowance:
    """A bucket that every ask fills by one, and that fills by itself to a bound."""

    __slots__ = ("_at_ms", "_left", "_per_ms", "_spare")

    def __init__(self, spare_per_second: int, now_ms: float) -> None:
        self._per_ms = spare_per_second / 1000
        self._spare = float(spare_per_second * WINDOW_S)
        self._left = self._spare
        self._at_ms = now_ms

    def earn(self) -> None:
        """Take note of an ask."""
        self._left += 1

    def spend(self, messages: int, now_ms: float) -> bool:
        """Take note of a frame; false if it was too much.  An empty frame counts as one message."""
        self._left -= max(1, messages)
        if self._left >= 0:
            return True
        # A debt is bounded too, so that whoever asked in vain for long need not be silent for as long.
        left = max(self._left, -self._spare - 1) + (now_ms - self._at_ms) * self._per_ms
        self._left = min(self._spare, left)
        self._at_ms = now_ms
        return self._left >= 0
