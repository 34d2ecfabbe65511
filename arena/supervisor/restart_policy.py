"""When a part that died is started again.

At once the first time, since it was most likely killed; then after ever longer pauses, since something is most likely
wrong; but never longer than that it is back within ten seconds of what was wrong being put right.
"""

from __future__ import annotations

from dataclasses import dataclass

_PAUSES_S = (0.0, 0.5, 1.0, 2.0, 4.0)
_HEALTHY_S = 20.0
"""A part that lived this long is well again."""
_WORRYING = 4
"""Deaths in a row after which the operator gets a message."""


@dataclass(frozen=True, slots=True)
class Restarts:
    """Number of deaths of a part in a row."""

    deaths: int = 0

    def died(self, lived_s: float) -> Restarts:
        """Count one more death, of a part that lived this long."""
        return Restarts(1 if lived_s >= _HEALTHY_S else self.deaths + 1)

    @property
    def pause_s(self) -> float:
        """Seconds to wait before the next start."""
        return _PAUSES_S[min(self.deaths, len(_PAUSES_S)) - 1] if self.deaths else 0.0

    @property
    def worrying(self) -> bool:
        """Whether the operator should get a message: at the fourth death in a row, then at every tenth."""
        return self.deaths == _WORRYING or (self.deaths > _WORRYING and self.deaths % 10 == 0)
