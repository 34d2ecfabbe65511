"""Whether a process that runs also works: its signs of life, and what it does without them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from arena.supervisor.cpu_activity import Activity
from arena.supervisor.hang_detector import Silence

if TYPE_CHECKING:
    from arena.supervisor.liveness_probe import Question

_EVERY_S = 1.0


class Vitals:
    """The signs of life of one process.  Mutable; never blocks."""

    def __init__(self, pid: int, question: Question | None) -> None:
        self._question = question
        self._activity = Activity(pid)
        self._silence = Silence()
        self._looked_at = time.monotonic()

    def hear(self) -> None:
        """Take note of a sign of life."""
        self._silence = self._silence.broken()

    def look(self) -> str:
        """Look at the process; call this often.  Returns why it counts as hung, nothing while it does not."""
        if self._question is not None and self._question.look():
            self.hear()
        now = time.monotonic()
        if now - self._looked_at >= _EVERY_S:
            elapsed_s, self._looked_at = now - self._looked_at, now
            self._silence = self._silence.longer(elapsed_s, active=self._activity.look(elapsed_s))
        return self._silence.reason

    def close(self) -> None:
        """Look no more."""
        if self._question is not None:
            self._question.close()
