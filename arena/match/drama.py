"""Drama of a match, from its scores alone: who led, how often that changed, how close it was at the end.

It needs no search, so that thousands of matches can be compared: `drama.measure(score_series.of_record(record))`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from arena.match.score_series import ScoreSeries

MEASURE = 1
"""Raised when the same scores give another drama, so that stored ones are measured again."""
_CHANGES_FOR_HALF = 2
"""Lead changes that count half of the maximum."""


@dataclass(frozen=True, slots=True)
class Drama:
    """Drama of a match.  Points are numbered as the stepper numbers them; scores are in the game's points."""

    lead_changes: tuple[int, ...]
    """The points at which another seat took the sole lead."""

    largest_swing: int
    """The most that one point moved a seat's distance to the best of the others."""

    largest_swing_at: int
    """The point of the largest swing, the first of equal ones; 0 if the scores never moved."""

    final_margin: int
    """Margin of the best seat over the second at the end."""

    comeback: int
    """Largest deficit of the seat with the best final score; 0 if it never had one, or shares the best score."""

    span: int
    """The most that two seats' scores ever were apart."""

    @property
    def closeness(self) -> float:
        """Return 0 to 1: 1 for a tie, 0 where the final margin is as wide as the scores ever were apart."""
        return 1 - self.final_margin / self.span if self.span else 1.0

    @property
    def turns(self) -> float:
        """Return 0 to 1: the more lead changes, the more."""
        changes = len(self.lead_changes)
        return changes / (changes + _CHANGES_FOR_HALF)

    @property
    def swing(self) -> float:
        """Return the largest swing as a share of the most that two scores ever were apart, 0 to 1."""
        return min(1.0, self.largest_swing / self.span) if self.span else 0.0

    @property
    def excitement(self) -> float:
        """Return one figure to compare matches of one game by, 0 to 1."""
        comeback = min(1.0, self.comeback / self.span) if self.span else 0.0
        return (2 * self.closeness + 2 * self.turns + comeback) / 5 if self.span else 0.0


NO_DRAMA = Drama((), 0, 0, 0, 0, 0)
"""The drama of a match without scores, or whose record cannot be replayed."""


def measure(series: ScoreSeries) -> Drama:
    """Return the drama of a match, from its scores at each point."""
    if not series or len(series[0]) < 2:
        return NO_DRAMA
    swings = list(_swings(series))
    largest = max(swings, default=0)
    last = series[-1]
    span = max(max(scores) - min(scores) for scores in series)
    return Drama(
        lead_changes=tuple(_lead_changes(series)),
        largest_swing=largest,
        largest_swing_at=swings.index(largest) + 1 if largest else 0,
        final_margin=_margin(last),
        comeback=_comeback(series),
        span=span,
    )


def sole_leader(scores: Sequence[int]) -> int | None:
    """Return the seat that has more than all others, None if the best score is shared."""
    best = max(scores)
    return None if list(scores).count(best) > 1 else list(scores).index(best)


def _lead_changes(series: ScoreSeries) -> Iterator[int]:
    before = None
    for point, scores in enumerate(series):
        leader = sole_leader(scores)
        if leader is None:
            continue
        if before is not None and leader != before:
            yield point
        before = leader


def _swings(series: ScoreSeries) -> Iterator[int]:
    """Yield the largest change of a distance at each point after the first."""
    distances = [_distances(scores) for scores in series]
    for earlier, later in pairwise(distances):
        yield max(abs(one - other) for one, other in zip(earlier, later, strict=True))


def _distances(scores: Sequence[int]) -> tuple[int, ...]:
    """Return how far each seat is ahead of the best of the others."""
    return tuple(
        mine - max(other for at, other in enumerate(scores) if at != seat) for seat, mine in enumerate(scores)
    )


def _margin(scores: Sequence[int]) -> int:
    first, second = sorted(scores, reverse=True)[:2]
    return first - second


def _comeback(series: ScoreSeries) -> int:
    winner = sole_leader(series[-1])
    return 0 if winner is None else max(0, *(-_distances(scores)[winner] for scores in series))
