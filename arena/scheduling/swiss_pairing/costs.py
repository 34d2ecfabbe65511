"""Costs of a pair in a Swiss: any number of one kind costs less than one of a dearer kind.

dearest first    a third meeting, a second meeting, two bots of one owner, a bye of a bot that others are ranked below,
                 the square of the difference in score, a lot
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena.scheduling.swiss_pairing.cheapest_matching import LOT_BITS, Pair, lots
from arena.scheduling.swiss_pairing.history import BYE, History

_MOST_REPEATS = 2
"""Further meetings cost no more than the third."""

_MAX_DIFFERENCE = 255
"""Half points; greater differences in score cost no more."""

_MOST_WHOLE = 100
"""In a larger field all pairs are compared only where those of near ranks leave a bot without an opponent."""

_NEAR = (24, 72)
"""By how many places two entries are apart at most in such a field."""


@dataclass(frozen=True)
class Costs:
    """The costs of one round's pairs; `order` is who plays, the best first, and `scores` those of all entries."""

    history: History
    order: Sequence[int]
    scores: Sequence[int]
    seed: bytes

    @property
    def of_kin(self) -> int:
        """Return what two bots of one owner cost at least; a pair of two owners that has not met costs less."""
        size = len(self.order) + 1
        return (size << LOT_BITS) * size * _MAX_DIFFERENCE**2 * size

    def of(self, pairs: Iterable[Pair]) -> dict[Pair, int]:
        """Return the cost of each pair."""
        wanted = sorted(pairs)
        size = len(self.order) + 1
        difference = size << LOT_BITS
        bye = difference * size * _MAX_DIFFERENCE**2
        repeats = [self.of_kin * size * again for again in (0, 1, size)]
        dearest = [sum(repeats[: again + 1]) for again in range(_MOST_REPEATS + 1)]
        from_last = {entry: place for place, entry in enumerate(reversed(self.order))}
        met, least, kin = self.history.meetings, self.history.fewest_meetings, self.history.kin()
        costs = lots(b"arena-swiss/1" + self.seed, wanted)
        for pair in wanted:
            a, b = pair
            if a == BYE:
                costs[pair] += from_last[b] * bye
                continue
            costs[pair] += min(abs(self.scores[a] - self.scores[b]), _MAX_DIFFERENCE) ** 2 * difference
            costs[pair] += dearest[min(met[pair] - least, _MOST_REPEATS)]
            if pair in kin:
                costs[pair] += self.of_kin
        return costs

    def near(self) -> Iterator[frozenset[Pair]]:
        """Yield the pairs of entries that are near to each other in a large field, then those that are less near."""
        if len(self.order) <= _MOST_WHOLE:
            return
        byes = {(BYE, entry) for entry in self.order} & self.history.meetings.keys()
        for most in _NEAR:
            pairs = {
                (min(a, b), max(a, b))
                for place, a in enumerate(self.order)
                for b in self.order[place + 1 : place + 1 + most]
            }
            yield frozenset(pairs | byes)
