"""The share of a worker's time that figures of past matches get while it has blocks to play.

    blocks played for t seconds      the figures are owed t/4 seconds, at most MAX_OWED_S
    something is owed                the next job is one of theirs, if any waits
    a figure took t seconds          t seconds less are owed; those that nothing is owed for are played before

So figures get a fifth of the time: a job that waits alone is done after one turn of blocks (workers/blocks_job.py), some
seconds, and play always gets the other four fifths.  A worker with nothing to play computes figures all the time; that is
not counted.
"""

from __future__ import annotations

_OWED_PER_S = 1 / 4
MAX_OWED_S = 5.0
"""The most that is owed, so that many figures never come at once, before any block, after a time without any."""


class FiguresShare:
    """Seconds that one worker owes the figures."""

    def __init__(self) -> None:
        self._owed_s = 0.0

    @property
    def is_due(self) -> bool:
        """Whether figures come before blocks now."""
        return self._owed_s > 0

    def played(self, seconds: float) -> None:
        """Count time for which blocks were played."""
        self._owed_s = min(MAX_OWED_S, self._owed_s + seconds * _OWED_PER_S)

    def computed(self, seconds: float) -> None:
        """Count time for which a figure was computed; not if nothing was owed, since then no block was waiting."""
        if self.is_due:
            self._owed_s -= seconds
