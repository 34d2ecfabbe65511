"""Which decisions cost most: time goes to those that may still be the costliest.

    all decisions ──halve──▶ the costlier half ──halve──▶ … ──▶ the costliest against its closest rival, until they are apart

Halving looks at all decisions a little, at the costlier half twice as long, and so on; one that is clearly behind is passed
over earlier.  What time is left then goes to the decision that seems costliest and to the one that may be costlier still, by their upper bounds (LUCB, Kalyanakrishnan
et al. 2012).  Nothing is ever given up for good, so an unlucky start does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

from arena.analysis.action_values import ActionValues, Reply
from arena.analysis.past_decisions import PastDecision
from arena.games.kernel import Action
from arena.match.chances import Policy

_FIRST = 32
"""Positions that are drawn for every decision."""
_LEAST_LEFT = 3
"""Decisions at which halving ends."""
_BATCH = 32
"""Positions that are drawn at once for the costliest and for its rival."""
_APART = 2.3
"""Standard errors by which both bounds are apart from the mean when the costliest is taken as found."""
_QUANTILE = 1.96
_MOST = 40_000
"""Positions of one decision at which its error is small enough for anything."""


@dataclass(frozen=True, slots=True)
class Longer:
    """A policy whose rollouts have at least a given number of points: an action shows its worth only when the turn is over."""

    policy: Policy
    least: int

    @property
    def playout(self) -> Callable[..., Action]:
        """Return the policy's own choice."""
        return self.policy.playout

    @property
    def evaluate(self) -> Callable[..., Sequence[float]] | None:
        """Return the policy's own estimate."""
        return self.policy.evaluate

    @property
    def horizon(self) -> int:
        """Return the points until the cut-off."""
        return max(self.policy.horizon, self.least)


@dataclass(frozen=True, slots=True)
class Loss:
    """Cost of a decision: the best action's chance to win less the chosen one's, 0 to 1, and its standard error.

    It is 0 if no better action was found.
    """

    decision: PastDecision
    best: Action
    chance: float
    """The chance to win after the chosen action."""
    loss: float
    error: float
    replies: tuple[Reply, ...]
    """All other actions, the best first."""
    positions: int


@dataclass(frozen=True, slots=True)
class Found:
    """The losses of a match in its order; `certain` is whether the costliest is clearly apart from all others."""

    losses: tuple[Loss, ...]
    certain: bool
    work: int
    """Decisions that the rollouts took."""

    @property
    def worst(self) -> Loss | None:
        """Return the costliest; None for a match without decisions."""
        return max(self.losses, key=lambda each: each.loss, default=None)

    @property
    def ties(self) -> tuple[Loss, ...]:
        """Return the others that may have cost as much as the costliest, by their 95 % intervals; none if it is certain."""
        worst = self.worst
        if worst is None or self.certain:
            return ()
        return tuple(
            each
            for each in self.losses
            if each is not worst and worst.loss - each.loss < _QUANTILE * sqrt(worst.error**2 + each.error**2)
        )


def find_losses(
    decisions: Sequence[PastDecision],
    policy: Policy,
    seed: str,
    used: Callable[[int], float],
    tick: Callable[[], None] = lambda: None,
) -> Found:
    """Find what each decision of a match cost.

    `used` is asked again and again for the share of the budget that is used up, given the decisions that the rollouts
    have taken; from 1 on the search ends.  `tick` is called as often; what it raises ends it.
    """
    random = Random(seed)
    longer = Longer(policy, LEAST_POINTS)
    arms = [ActionValues(each, longer, Random(random.random())) for each in decisions]
    search = _Search(arms, used, tick)
    certain = search.run() if arms else True
    return Found(tuple(_loss(arm) for arm in arms), certain, sum(arm.work for arm in arms))


LEAST_POINTS = 12
"""Points that each rollout has at least, unless cards are dealt again or the match ends earlier."""


class _Search:
    """One search over the decisions of a match.  Mutable."""

    def __init__(
        self, arms: Sequence[ActionValues], used: Callable[[int], float], tick: Callable[[], None]
    ) -> None:
        self._arms = arms
        self._used = used
        self._tick = tick

    def run(self) -> bool:
        """Search until the budget is used up or the costliest is found; return whether it is."""
        left = list(self._arms)
        positions = _FIRST
        while True:
            for arm in left:
                self._look(arm, positions)
                if self._is_over() and all(each.positions for each in self._arms):
                    return False
            if len(left) <= _LEAST_LEFT:
                break
            least = max(map(_lower, left))
            left = [arm for arm in left if _upper(arm) >= least]
            left = sorted(left, key=_upper, reverse=True)[: max(_LEAST_LEFT, len(left) // 2)]
            positions *= 2
        return self._settle()

    def _settle(self) -> bool:
        """Distinguish the costliest from its closest rival."""
        while not self._is_over():
            leader = max(self._arms, key=_lower)
            rivals = [arm for arm in self._arms if arm is not leader]
            rival = max(rivals, key=_upper, default=None)
            if rival is None or _lower(leader) > _upper(rival):
                return True
            if min(leader.positions, rival.positions) >= _MOST:
                return False
            for arm in (leader, rival):
                if arm.positions < _MOST:
                    self._look(arm, max(_BATCH, arm.positions // 8))
        return False

    def _look(self, arm: ActionValues, positions: int) -> None:
        """Draw positions, as many as the budget allows; a first look is never left out."""
        for done in range(0, positions, _FIRST):
            if arm.positions and self._is_over():
                return
            self._tick()
            arm.look(min(_FIRST, positions - done))

    def _is_over(self) -> bool:
        return self._used(sum(arm.work for arm in self._arms)) >= 1


def _upper(arm: ActionValues) -> float:
    return arm.bounds(_APART)[1]


def _lower(arm: ActionValues) -> float:
    return arm.bounds(_APART)[0]


def _loss(arm: ActionValues) -> Loss:
    loss, error = arm.loss()
    return Loss(arm.decision, arm.best(), arm.chosen_share, loss, error, arm.replies(), arm.positions)
