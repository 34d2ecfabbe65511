"""What sets have saved: how many matches of luck they made unnecessary.

With r the surplus of a match over what was expected, the matches of a set would, if they were independent, have the variance Σ r²;
what they really have is (Σ r)².  The ratio of the two, over all sets, is how many matches without sets one with sets is worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

FEWEST_SETS = 30
"""With fewer the ratio says nothing."""


@dataclass(frozen=True, slots=True)
class Savings:
    """The ratio of variances, and the matches that were played; a ratio below 1 means that sets did harm."""

    ratio: float
    matches: int

    @property
    def saved(self) -> int:
        """Give how many matches more the same certainty would have taken without sets."""
        return round((self.ratio - 1) * self.matches)


def measure(sets: Iterable[Sequence[float]]) -> Savings | None:
    """Measure from the surpluses of one bot in the matches of each set; None where there are too few sets."""
    alone = together = 0.0
    count = matches = 0
    for surpluses in sets:
        if len(surpluses) < 2:
            continue
        alone += sum(surplus**2 for surplus in surpluses)
        together += sum(surpluses) ** 2
        count += 1
        matches += len(surpluses)
    if count < FEWEST_SETS or together == 0:
        return None
    return Savings(alone / together, matches)
