"""SPRT: which of two claims about two versions is true, with as few sets as that takes.

The claims are that the difference is `elo0`, or `elo1`.  A set is one observation, so its matches may depend on each other: its score
is the mean of its matches, 0 to 1.  The log-likelihood ratio is that of normal means with the variance that was seen,

    LLR = N (s₁ − s₀) (2 x̄ − s₀ − s₁) / (2 σ²),      s = 1 / (1 + 10^(−elo/400))

Source: Wald 1945, *Sequential tests of statistical hypotheses*; M. Van den Bergh, *A practical introduction to the GSPRT*, for the
ratio with the variance estimated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from arena.core.errors import UsageError
from arena.core.translatable import say
from arena.ratings.model import expected

MIN_SETS = 16
"""Before that the variance is not known well enough for a decision."""

_DOUBT = 1.0
"""Sets of the widest kind that are added to the variance: a run of equal scores is no proof that all will be."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test.  `alpha` bounds how often `elo1` is accepted where `elo0` holds, `beta` the other way round."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Check that it is a test.  Raises UsageError."""
        if not self.elo0 < self.elo1:
            raise UsageError(
                say("elo0 {elo0:g}, elo1 {elo1:g}: elo1 must be greater", elo0=self.elo0, elo1=self.elo1)
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise UsageError(
                    say("{name} {value:g}: must be more than 0 and less than 0.5", name=name, value=value)
                )

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the LLR at which `elo0` and `elo1` are accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def look(self, scores: Sequence[float]) -> Look:
        """Look at the sets so far: the first version's mean score in each, 0 to 1."""
        low, high = self.bounds
        ratio = self._ratio(scores)
        accepted = None
        if len(scores) >= MIN_SETS:
            accepted = "elo0" if ratio <= low else "elo1" if ratio >= high else None
        return Look(len(scores), ratio, low, high, accepted)

    def course(self, scores: Sequence[float]) -> Sequence[float]:
        """Return the LLR after each of the sets, which may be far beyond a bound before the test looks at it."""
        values = np.asarray(scores, dtype=np.float64)
        counts = np.arange(1, len(values) + 1)
        means = np.cumsum(values) / counts
        squares = np.maximum(np.cumsum(values**2) - counts * means**2, 0.0)
        variances = (squares + _DOUBT / 4) / (counts + _DOUBT)
        first, second = expected(self.elo0, 0.0), expected(self.elo1, 0.0)
        ratios: list[float] = (
            counts * (second - first) * (2 * means - first - second) / (2 * variances)
        ).tolist()
        return ratios

    def _ratio(self, scores: Sequence[float]) -> float:
        count = len(scores)
        if not count:
            return 0.0
        mean = sum(scores) / count
        variance = (sum((score - mean) ** 2 for score in scores) + _DOUBT / 4) / (count + _DOUBT)
        first, second = expected(self.elo0, 0.0), expected(self.elo1, 0.0)
        return count * (second - first) * (2 * mean - first - second) / (2 * variance)


def check_sets(sets: int) -> None:
    """Check that a test of at most `sets` sets can decide.  Raises UsageError."""
    if sets < MIN_SETS:
        raise UsageError(
            say(
                "sets {sets}: a test (SPRT) decides after {needed} sets or more; allow at least {needed}",
                sets=sets,
                needed=MIN_SETS,
            )
        )


@dataclass(frozen=True, slots=True)
class Look:
    """State of a test: the LLR between its bounds, and the claim that is accepted, if one is."""

    sets: int
    llr: float
    low: float
    high: float
    accepted: str | None
