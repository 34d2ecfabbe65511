"""Time controls and a seat's bank.  Times are milliseconds; where they come from is the caller's business."""

from __future__ import annotations

import re
from dataclasses import dataclass

from arena.core.errors import UsageError

_TEXT = re.compile(r"(\d+(?:\.\d+)?)\+(\d+(?:\.\d+)?)")
_MAX_BASE_MS = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time a seat has: a bank, what each decision adds to it, and the most one decision may take."""

    base_ms: int = 30_000
    increment_ms: int = 100
    cap_ms: int = 10_000
    talk_ms: int = 1_000

    def __str__(self) -> str:
        """Write it as people do, in seconds: `30+0.1`."""
        return f"{self.base_ms / 1000:g}+{self.increment_ms / 1000:g}"


STANDARD = TimeControl()


def parse_time_control(text: str) -> TimeControl:
    """Read `BASE+INC` in seconds; the cap per decision is a third of the base, at most that of the standard.

    Raises UsageError.
    """
    match = _TEXT.fullmatch(text)
    if match is None:
        raise UsageError(f"time {text!r}: must be BASE+INC in seconds, such as {STANDARD}")
    base_ms, increment_ms = (round(float(seconds) * 1000) for seconds in match.groups())
    if not 1 <= base_ms <= _MAX_BASE_MS or increment_ms > base_ms:
        raise UsageError(f"time {text!r}: BASE must be 0.001 to 86400 seconds, and INC at most BASE")
    cap_ms = max(1, min(STANDARD.cap_ms, base_ms // 3))
    return TimeControl(base_ms=base_ms, increment_ms=increment_ms, cap_ms=cap_ms)
