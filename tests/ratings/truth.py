"""Results of bots whose strength is known: what the statistics are tested against.

Strengths are in units of e.  Places follow Plackett and Luce: each seat's strength plus noise of Gumbel's distribution, the
highest first; so each pair follows the model of `arena.ratings.model`.  `luck` is the chance that a match takes the noise of its
set instead of one of its own: it is the deal's, so it stays at the seat while the bots move on.

Neighbours share a place now and then, the less likely winner as often as he would have won, so that what is expected stays the same.
With S the strength (e^θ) of both and all behind them, of i and j in either order i is first with chance q = (S − j)/(2S − i − j);
i before j becomes a draw with chance d · min(1, (1 − q)/q), j before i with d · min(1, q/(1 − q)).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from arena.ratings.set_clusters import SetTotal
from arena.ratings.totals import PairTotal, total

Places = tuple[int, ...]
Match = tuple[tuple[str, ...], Places, tuple[()]]
"""Names by seat, places, and no seat at fault."""


@dataclass(frozen=True)
class World:
    """How the simulated matches are."""

    strengths: np.ndarray
    seats: int
    luck: float = 0.0
    draws: float = 0.0
    """d above."""

    def name(self, bot: int) -> str:
        return f"bot{bot:03}"

    @property
    def elo(self) -> dict[str, float]:
        """The true Elo, with their mean at 1500."""
        centred = (self.strengths - self.strengths.mean()) * 400 / np.log(10) + 1500
        return {self.name(bot): float(value) for bot, value in enumerate(centred)}

    def play(
        self, sets: int, chance: np.random.Generator
    ) -> tuple[tuple[PairTotal, ...], dict[SetTotal, int]]:
        """Play sets of random bots; give the totals, and the sets."""
        counted: Counter[SetTotal] = Counter()
        for played, times in Counter(self.sets(sets, chance)).items():  # of few bots many are alike
            counted[total(played)] += times
        units: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
        for pairs, times in counted.items():
            for pair in pairs:
                won = units[pair.low, pair.high]
                won[0] += times * pair.low_units
                won[1] += times * pair.high_units
        return tuple(PairTotal(*pair, *won) for pair, won in sorted(units.items())), dict(counted)

    def sets(self, sets: int, chance: np.random.Generator) -> list[tuple[Match, ...]]:
        """Play sets of random bots; give the matches of each."""
        return [self._set(chance) for _ in range(sets)]

    @cached_property
    def _bots(self) -> list[tuple[str, float, float]]:
        """Each bot's name, its strength θ, and e^θ."""
        powers = np.exp(self.strengths)
        return [
            (self.name(bot), float(strength), float(power))
            for bot, (strength, power) in enumerate(zip(self.strengths, powers, strict=True))
        ]

    def _set(self, chance: np.random.Generator) -> tuple[Match, ...]:
        bots = chance.permutation(len(self.strengths))[: self.seats].tolist()
        deal = chance.gumbel(size=self.seats).tolist()
        matches = []
        for number in range(self.seats):
            first = self.seats - number
            seated = [self._bots[bot] for bot in (*bots[first:], *bots[:first])]
            noise = deal if chance.random() < self.luck else chance.gumbel(size=self.seats).tolist()
            names = tuple(name for name, _, _ in seated)
            matches.append((names, self._places(seated, noise, chance), ()))
        return tuple(matches)

    def _places(
        self, seated: list[tuple[str, float, float]], noise: list[float], chance: np.random.Generator
    ) -> Places:
        # In plain Python, for these are few numbers: with numpy it takes three times as long.
        luck = [strength + more for (_, strength, _), more in zip(seated, noise, strict=True)]
        order = sorted(range(len(luck)), key=lambda seat: -luck[seat])
        strengths = [seated[seat][2] for seat in order]
        behind = [*accumulate(reversed(strengths))][::-1]
        places = [*range(1, len(order) + 1)]
        # Each second pair of neighbours, so that no two have a bot in common.
        for first in range(int(chance.integers(2)) if len(order) > 2 else 0, len(order) - 1, 2):
            i, j = behind[first] - strengths[first + 1], behind[first] - strengths[first]  # q is i / (i + j)
            if chance.random() < self.draws * min(1.0, j / i):
                places[first + 1] = places[first]
        return tuple(place for _, place in sorted(zip(order, places, strict=True)))
