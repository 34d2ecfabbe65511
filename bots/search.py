"""One search for all games: information-set Monte-Carlo tree search, written against the kernel's verbs only.

Each iteration draws a position that its seat may be in (`arena.games.sampling`), goes down the trees, plays on by a simple
policy, and takes back up what came of it for each seat.  Source: P. Cowling, E. Powley, D. Whitehouse, "Information Set
Monte Carlo Tree Search", IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012: the variant with a tree
for each seat (MO-ISMCTS), whose nodes are what that seat has seen, and UCB1 over the actions that are legal in the position
drawn.  Where several seats choose at the same time, each chooses in its own tree (decoupled UCB).  Nobody talks in it.

At the root of the seat that searches, all its actions are tried from each position drawn, so that its luck falls on all alike,
and the worse half of them drops out again and again, after equal parts of the time: sequential halving; Z. Karnin, T. Koren,
O. Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", ICML 2013.

A game's `search.py` names a `Plan`: the policy, and what a position is worth where play is cut off.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from math import sqrt
from time import monotonic
from typing import Any, ClassVar

from arena.core.errors import UsageError
from arena.games.kernel import SILENCE, Action, Answer, Choice, Result
from arena.games.registry import AnyGame, find
from arena.games.sampling import sampler
from arena.sdk import Bot, Decision
from bots.trees import Arm, Descent, Node, Plan, Shares, is_dealt

__all__ = ["ITERATIONS", "Plan", "Search", "SearchBot", "share_out"]

SECONDS = 0.1
ITERATIONS = "ARENA_SEARCH_ITERATIONS"
"""The variable that sets a number of iterations for all bots that search."""

_LEAST_VARIANCE = 1e-6
_PART_OF_LIMIT = 0.5
_PART_OF_BANK = 0.05


class SearchBot(Bot[Any]):
    """Searches for a time, or for a number of iterations: then it plays the same match again exactly."""

    plan: ClassVar[Plan] = Plan()
    matches_at_once = 1

    def __init__(
        self, seconds: float = SECONDS, iterations: int = 0, clock: Callable[[], float] = monotonic
    ) -> None:
        """Take the seconds a decision, or, if it is not 0, the number of iterations."""
        self.seconds = seconds
        self.iterations = iterations or _read_iterations(os.environ.get(ITERATIONS, "0"))
        self.clock = clock

    def choose(self, decision: Decision[Any]) -> Action:
        if len(decision.legal) == 1:
            return decision.legal[0]
        game = find(decision.game)
        setup = game.setup(decision.seats, variant=decision.variant, options=decision.options)
        sample, view, history, seat = sampler(game.id).sample, decision.view, decision.history, decision.seat
        search = Search(game, self.plan, decision)
        # Never long enough for the clock to run short, even if it was set so.
        bank, limit = decision.clock.bank_ms / 1000, decision.clock.limit_ms / 1000
        seconds = min(self.seconds, _PART_OF_LIMIT * limit, _PART_OF_BANK * bank)
        started, spent = self.clock(), 0.0
        while spent < 1 and len(search.live) > 1:
            search.try_all(sample(setup, view, history, seat, decision.random))
            count = search.count
            spent = count / self.iterations if self.iterations else (self.clock() - started) / seconds
            search.drop(spent)
        return search.best()


def _read_iterations(text: str) -> int:
    if not text.isdecimal():
        raise UsageError(f"{ITERATIONS} {text!r}: must be a number of iterations, or 0 to search by time")
    return int(text)


class Search:
    """The trees of one decision, a tree for each seat: they grow with every iteration."""

    def __init__(self, game: AnyGame, plan: Plan, decision: Decision[Any]) -> None:
        self.count = 0
        """The iterations made."""
        self.live = [Arm(action) for action in decision.legal]
        """The actions that may still be chosen."""
        self._phases = (len(self.live) - 1).bit_length()
        self._phase = 0
        self._game = game
        self._plan = plan
        self._seat = decision.seat
        self._legal = decision.legal
        self._random = decision.random
        self._rounds = 0
        self._favours = dict.fromkeys(decision.legal, 0)
        self._roots = [Node() for _ in range(decision.seats)]
        self._roots[self._seat].arms = {arm.action: arm for arm in self.live}
        # By seat, the sum of what all playouts brought, and of the squares.
        self._sums = [0.0] * decision.seats
        self._squares = [0.0] * decision.seats

    def best(self) -> Action:
        """Return the action that brought most."""
        return max(self.live, key=self._standing).action

    def drop(self, spent: float) -> None:
        """Drop the worse half of the candidates when it is due; `spent` is the elapsed share of the time, 0 to 1."""
        while spent * self._phases >= self._phase + 1 and len(self.live) > 1:
            self._phase += 1
            self.live.sort(key=self._standing, reverse=True)
            del self.live[(len(self.live) + 1) // 2 :]

    def try_all(self, state: Any) -> None:  # noqa: ANN401 - of any game
        """Try each action that may still be chosen from one position."""
        self._favours[self._plan.playout(state, self._seat, self._legal, self._random)] += 1
        self._rounds += 1
        for arm in self.live:
            self._iterate(state, arm)

    def _standing(self, arm: Arm) -> float:
        """Return what an arm brought; the policy's own choice has the benefit of the doubt, which vanishes with time."""
        favour = self._favours[arm.action] / self._rounds
        return arm.mean() + self._plan.trust * self._spread(self._seat) * favour / sqrt(arm.visits)

    def _iterate(self, state: Any, first: Arm) -> None:  # noqa: ANN401 - of any game
        """Go down the trees from a position, play on, and take back up what came of it."""
        explorations = [self._plan.exploration * self._spread(seat) for seat in range(len(self._roots))]
        descent = Descent(self._game, self._plan, self._roots, explorations, self._random)
        descent.first = self._seat, first
        dealt = False
        while descent.places[self._seat] is not None and (decisions := self._game.to_act(state)):
            state, dealt = descent.step(state, decisions)
            if dealt and self._plan.evaluate is not None:
                break
        else:
            dealt = False
        shares = self._worth(state) if dealt else self._play_out(state)
        descent.learn(shares)
        self.count += 1
        for seat, share in enumerate(shares):
            self._sums[seat] += share
            self._squares[seat] += share * share

    def _spread(self, seat: int) -> float:
        """Return the standard deviation of what the playouts brought: small early in a match, large late in it."""
        count = self.count or 1
        return sqrt(max(self._squares[seat] / count - (self._sums[seat] / count) ** 2, _LEAST_VARIANCE))

    def _play_out(self, state: Any) -> Shares:  # noqa: ANN401 - of any game
        """Play on by the policy, to the cut-off or to the end."""
        game, random = self._game, self._random
        to_act, legal_in, apply, policy = game.to_act, game.legal, game.apply, self._plan.playout
        cuts = self._plan.evaluate is not None
        left = self._plan.horizon
        while (decisions := to_act(state)) and (left > 0 or not cuts):
            left -= 1
            answers: list[Answer] = []
            for decision in decisions:
                if type(decision) is not Choice:
                    answers.append(SILENCE)
                    continue
                legal = legal_in(state, decision.seat)
                answers.append(legal[0] if len(legal) == 1 else policy(state, decision.seat, legal, random))
            state, followed = apply(state, answers)
            if followed and cuts and is_dealt(followed):
                break
        return self._worth(state)

    def _worth(self, state: Any) -> Shares:  # noqa: ANN401 - of any game
        result = self._game.result(state)
        if result is not None:
            return share_out(result)
        assert self._plan.evaluate is not None  # noqa: S101 - without it play goes on to the end
        return self._plan.evaluate(state)


def share_out(result: Result) -> Shares:
    """Return each seat's share of its pairs won; a shared place counts half."""
    pairs = len(result.places) - 1
    return [
        (sum([(mine < other) + 0.5 * (mine == other) for other in result.places]) - 0.5) / pairs
        for mine in result.places
    ]
