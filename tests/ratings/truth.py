"""Results of bots whose strength is known: what the statistics are tested against.

Strengths are in units of e.  Places follow Plackett and Luce: each seat's strength plus noise of Gumbel's distribution, the
highest first; so each pair follows the model of `arena.ratings.model`.  `luck` is the chance that a match takes the noise of its
set instead of one of its own: it is the deal's, so it stays at the seat while the bots move on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.ratings.sets import SetTotal, count
from arena.ratings.totals import PairTotal, total

Places = tuple[int, ...]


@dataclass(frozen=True)
class World:
    """How the simulated matches are."""

    strengths: np.ndarray
    seats: int
    luck: float = 0.0
    draws: float = 0.0
    """At two seats, how much of the weaker one's chance goes to draws; what is expected stays the same."""

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
        if self.draws:
            # With d the chance of a draw, wins come with p − d/2: half a point for a draw makes it p again.
            first, second = self.strengths[seated]
            p = 1 / (1 + np.exp(second - first))
            drawn = self.draws * 2 * min(p, 1 - p)
            lot = chance.random()
            if lot < drawn:
                return (1, 1)
            return (1, 2) if lot < drawn + p - drawn / 2 else (2, 1)
        best_first = np.argsort(-(self.strengths[seated] + noise))
        return tuple(int(place) for place in np.argsort(best_first) + 1)
