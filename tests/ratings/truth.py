"""Results of bots whose strength is known: what the statistics are tested against.

Strengths are in units of e.  Places follow Plackett and Luce: each seat's strength plus noise of Gumbel's distribution, the
highest first; so each pair follows the model of `arena.ratings.model`.  `luck` is the chance that a match takes the noise of its
set instead of one of its own: it is the deal's, so it stays at the seat while the bots move on.

Neighbours share a place now and then, the less likely winner as often as he would have won, so that what is expected stays the same.
With S the strength (e^θ) of both and all behind them, of i and j in either order i is first with chance q = (S − j)/(2S − i − j);
i before j becomes a draw with chance d · min(1, (1 − q)/q), j before i with d · min(1, q/(1 − q)).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.ratings.set_clusters import SetTotal, count
from arena.ratings.totals import PairTotal, total

Places = tuple[int, ...]


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
        played = self.sets(sets, chance)
        return total(match for each in played for match in each), dict(count(map(total, played)))

    def sets(self, sets: int, chance: np.random.Generator) -> list[list[tuple[list[str], Places, None]]]:
        """Play sets of random bots; give their matches: names by seat, and places."""
        return [self._set(chance) for _ in range(sets)]

    def _set(self, chance: np.random.Generator) -> list[tuple[list[str], Places, None]]:
        bots = chance.permutation(len(self.strengths))[: self.seats]
        deal = chance.gumbel(size=self.seats)
        matches = []
        for number in range(self.seats):
            seated = np.roll(bots, number)
            noise = deal if chance.random() < self.luck else chance.gumbel(size=self.seats)
            matches.append(([self.name(bot) for bot in seated], self._places(seated, noise, chance), None))
        return matches

    def _places(self, seated: np.ndarray, noise: np.ndarray, chance: np.random.Generator) -> Places:
        order = np.argsort(-(self.strengths[seated] + noise))
        strengths = np.exp(self.strengths[seated][order])
        behind = np.cumsum(strengths[::-1])[::-1]
        places = np.arange(1, len(order) + 1)
        # Each second pair of neighbours, so that no two have a bot in common.
        for first in range(int(chance.integers(2)) if len(order) > 2 else 0, len(order) - 1, 2):
            i, j = behind[first] - strengths[first + 1], behind[first] - strengths[first]  # q is i / (i + j)
            if chance.random() < self.draws * min(1.0, j / i):
                places[first + 1] = places[first]
        by_seat = np.empty(len(order), dtype=int)
        by_seat[order] = places
        return tuple(by_seat.tolist())
