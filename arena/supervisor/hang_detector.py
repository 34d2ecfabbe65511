"""When a part that gives no sign of life counts as hung.  Pure: time comes in as a number.

A slow machine must not trigger it, so time alone does not count against a part: what counts is time in which it did
nothing at all, neither running nor waiting for a core or a disk.  A part that is busy and yet answers nothing is given
ten times as long, and while it starts, for ever.
"""

from __future__ import annotations

from dataclasses import dataclass

STARTING_S = 60.0
"""Seconds that a part may do nothing before its first sign of life."""
IDLE_S = 30.0
"""Seconds that a part may do nothing between two signs of life."""
BUSY_S = 300.0
"""Seconds that a part may be busy without a sign of life."""
_MAX_STEP_S = 2.0
"""The most that one look counts: where this process itself was stopped, the parts are not to blame."""


@dataclass(frozen=True, slots=True)
class Silence:
    """Duration of a part's silence: in all, and while it did nothing; `heard` says whether it ever gave a sign."""

    heard: bool = False
    total_s: float = 0.0
    idle_s: float = 0.0

    def broken(self) -> Silence:
        """Return the silence after a sign of life."""
        return Silence(heard=True)

    def longer(self, seconds: float, *, active: bool) -> Silence:
        """Return the silence after `seconds` more seconds."""
        counted = min(seconds, _MAX_STEP_S)
        return Silence(self.heard, self.total_s + counted, 0.0 if active else self.idle_s + counted)

    @property
    def reason(self) -> str:
        """Why the part counts as hung; empty while it does not."""
        if self.idle_s >= (IDLE_S if self.heard else STARTING_S):
            return f"it has done nothing for {self.idle_s:.0f} s"
        if self.heard and self.total_s >= BUSY_S:
            return f"it has been busy for {self.total_s:.0f} s without answering"
        return ""
