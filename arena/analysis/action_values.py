"""Values of the actions of one decision compared with the chosen one, from positions drawn once for all of them.

Every position is played on after each action with the same luck, so that differences have small errors.  The action that
seems best is chosen by one half of the positions and measured by the other, and the other way round: the best of many
noisy means would look better than it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from random import Random

from arena.analysis.past_decisions import PastDecision
from arena.games import registry
from arena.games.kernel import Action
from arena.match.chances import Policy, play_on

_HALVES = 2
_DOUBT = 0.5
"""Added to each sum of squares, so that few positions that all end alike are not taken for certainty."""
_CLEARLY = 2.5
"""Standard errors by which an action must be behind the best one to be given up."""
_BETTER = 1.5
"""Standard errors by which one half of the positions must call an action better than the chosen one."""
_LEAST = 16
"""Positions before an action may be given up."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An action's worth less that of the chosen one, in shares of -1 to 1, and its standard error."""

    action: Action
    gain: float
    error: float


class _Sums:
    """The differences of one action to the chosen one, added up by halves.  Mutable."""

    __slots__ = ("count", "squares", "sums")

    def __init__(self) -> None:
        self.count = [0] * _HALVES
        self.sums = [0.0] * _HALVES
        self.squares = 0.0

    def add(self, half: int, difference: float) -> None:
        self.count[half] += 1
        self.sums[half] += difference
        self.squares += difference * difference

    def mean(self, half: int) -> float:
        return self.sums[half] / self.count[half] if self.count[half] else 0.0

    def overall(self) -> tuple[float, float]:
        """Return the mean over both halves and its standard error."""
        count, total = sum(self.count), sum(self.sums)
        if not count:
            return 0.0, 1.0
        around = max(0.0, self.squares - total * total / count)
        return total / count, sqrt((around + _DOUBT) / count) / sqrt(count)


class ActionValues:
    """One decision's actions, and what is known of them so far.  Mutable."""

    def __init__(self, decision: PastDecision, policy: Policy, random: Random) -> None:
        self.decision = decision
        self.positions = 0
        self.chosen_share = 0.0
        self.work = 0
        """Decisions that its rollouts have taken."""
        self._policy = policy
        self._random = random
        self._sampler = registry.package(decision.seen.game.id).sampler
        self._others = {action: _Sums() for action in decision.seen.legal if action != decision.chosen}
        self._open = list(self._others)
        self._chosen_sum = 0.0

    def look(self, positions: int) -> None:
        """Draw some positions more, and play each on after the chosen action and after those not given up."""
        seen, setup, chosen = self.decision.seen, self.decision.setup, self.decision.chosen
        seat, seats, game = seen.seat, setup.seats, seen.game
        for _ in range(positions):
            half = self.positions % _HALVES
            drawn = self._sampler.sample(setup, seen.view, seen.history, seat, self._random)
            luck = self._random.random()
            shares, work = play_on(game, self._policy, drawn, Random(luck), seats, {seat: chosen})
            base = shares[seat]
            self._chosen_sum += base
            self.work += work
            for action in self._open:
                shares, work = play_on(game, self._policy, drawn, Random(luck), seats, {seat: action})
                self._others[action].add(half, shares[seat] - base)
                self.work += work
            self.positions += 1
        self.chosen_share = self._chosen_sum / self.positions
        self._give_up()

    def loss(self) -> tuple[float, float]:
        """Return the cost of the chosen action compared with the best one, as a share, and its standard error.

        It is 0 where no other action is better by more than noise: else small errors of many decisions would add up.
        """
        total = error = 0.0
        for half in range(_HALVES):
            best = self._best(half)
            if best is not None:
                total += self._others[best].mean(1 - half)
                error = max(error, self._others[best].overall()[1])
        if error == 0.0 and self._open:
            error = min(self._others[action].overall()[1] for action in self._open)
        return max(0.0, total / _HALVES), error

    def bounds(self, apart: float) -> tuple[float, float]:
        """Return the least and the most that the chosen action may have cost, `apart` standard errors from the means."""
        found = [self._others[action].overall() for action in self._open]
        least = max(mean - apart * error for mean, error in found)
        most = max(mean + apart * error for mean, error in found)
        return max(0.0, least), max(0.0, most)

    def replies(self) -> tuple[Reply, ...]:
        """Return all other actions with what they would have gained, the best first."""
        found = [Reply(action, *sums.overall()) for action, sums in self._others.items()]
        return tuple(sorted(found, key=lambda each: -each.gain))

    def best(self) -> Action:
        """Return the action that seems best over all positions: the chosen one if none seems better."""
        means = {action: self._others[action].overall()[0] for action in self._open}
        better = max(means, key=lambda action: means[action])
        return better if means[better] > 0 else self.decision.chosen

    def _best(self, half: int) -> Action | None:
        """Return the action that one half of the positions calls better than the chosen one; None if the lead may be noise."""
        best = max(self._open, key=lambda action: self._others[action].mean(half))
        noise = _BETTER * sqrt(_HALVES) * self._others[best].overall()[1]
        return best if self._others[best].mean(half) > noise else None

    def _give_up(self) -> None:
        """Give up actions that are clearly behind the best one; one is always left."""
        if self.positions < _LEAST or len(self._open) == 1:
            return
        found = {action: self._others[action].overall() for action in self._open}
        least = max([0.0, *(mean - _CLEARLY * error for mean, error in found.values())])
        left = [action for action, (mean, error) in found.items() if mean + _CLEARLY * error >= least]
        best = max(found, key=lambda action: found[action][0])
        self._open = left if best in left else [best, *left]
