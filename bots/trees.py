"""The trees of the search (bots/search.py): one for each seat, whose nodes are what that seat has seen."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import log, sqrt
from random import Random
from typing import Any, NamedTuple, TypeAlias

from arena.games.kernel import SILENCE, Action, Answer, Chance, Choice, Decision, Played, Step
from arena.games.registry import AnyGame

Shares: TypeAlias = Sequence[float]
"""By seat, 0 to 1: the share of its pairs that it won, or is expected to win."""


def choose_any(_state: Any, _seat: int, legal: Sequence[Action], random: Random) -> Action:  # noqa: ANN401 - of any game
    """Choose any legal action: the policy of a game that has no better one."""
    return legal[int(random.random() * len(legal))]


class Plan(NamedTuple):
    """A game's plan for the search."""

    playout: Callable[[Any, int, Sequence[Action], Random], Action] = choose_any
    """The policy: state, seat, its legal actions (two or more), chance → the action."""

    evaluate: Callable[[Any], Shares] | None = None
    """Value of a position where play is cut off; None: play goes on to the end of the match."""

    horizon: int = 1000
    """Points that are played by the policy before the cut-off, which also comes where cards are dealt again."""

    widening: float = 0.3
    """A node that was visited n times has at most 1 + widening · √n arms."""

    trust: float = 1.0
    """Margin by which an action must beat the policy's choice, in standard errors of one mean."""

    exploration: float = 0.7
    """The factor of UCB1's second term, in standard deviations of what the playouts of this decision brought."""


class Arm:
    """An action of a node."""

    __slots__ = ("action", "available", "total", "visits")

    def __init__(self, action: Action) -> None:
        self.action = action
        self.visits = 0
        self.total = 0.0
        """Sum of its visits' results, in shares."""
        self.available = 0
        """In how many of the visits to its node it was legal and known."""

    def mean(self) -> float:
        """Return what a visit brought on average."""
        return self.total / self.visits

    def bound(self, exploration: float) -> float:
        """Return UCB1's upper bound, in the form of Cowling et al. for actions that are not always legal."""
        return self.mean() + exploration * sqrt(log(self.available) / self.visits)


class Node:
    """One seat's information set, as a place in its tree."""

    __slots__ = ("arms", "children", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.arms: dict[Action, Arm] = {}
        self.children: dict[Hashable, Node] = {}


class Descent:
    """One way down the trees; each seat goes down its own until it has taken a new arm."""

    def __init__(
        self, game: AnyGame, plan: Plan, roots: Sequence[Node], explorations: Sequence[float], random: Random
    ) -> None:
        self.places: list[Node | None] = list(roots)
        """By seat, the node of its last choice; None when it has left its tree."""
        self._game = game
        self._plan = plan
        self._explorations = explorations
        self._random = random
        self._seen: list[list[Hashable]] = [[] for _ in roots]
        """By seat, what it has seen since its last choice."""
        self._path: list[tuple[int, Node, Arm]] = []
        self.first: tuple[int, Arm] | None = None
        """The seat that searches and the action that it tries, while it has not."""

    def step(self, state: Any, decisions: Sequence[Decision]) -> tuple[Any, bool]:  # noqa: ANN401 - of any game
        """Resolve a point: the state after it, and whether cards were dealt."""
        answers: list[Answer] = []
        steps: list[Step] = []
        for decision in decisions:
            if type(decision) is not Choice:
                answers.append(SILENCE)
                continue
            action = self._choose(state, decision.seat)
            answers.append(action)
            steps.append(Played(decision.seat, action, len(decisions) if len(decisions) > 1 else None))
        state, followed = self._game.apply(state, answers)
        steps += followed
        for seat, place in enumerate(self.places):
            if place is not None:
                self._seen[seat] += [self._game.seen(step, seat) for step in steps]
        return state, is_dealt(followed)

    def learn(self, shares: Shares) -> None:
        """Take back up what came of it."""
        for seat, node, arm in self._path:
            node.visits += 1
            arm.visits += 1
            arm.total += shares[seat]

    def _choose(self, state: Any, seat: int) -> Action:  # noqa: ANN401 - of any game
        legal = self._game.legal(state, seat)
        if len(legal) == 1:
            return legal[0]
        node = self.places[seat]
        if node is None:
            return self._plan.playout(state, seat, legal, self._random)
        seen = self._seen[seat]
        if seen:
            node = node.children.setdefault(tuple(seen), Node())
            seen.clear()
        if self.first is not None and self.first[0] == seat:
            arm, self.first = self.first[1], None
        else:
            arm = self._take_arm(node, state, seat, legal)
        self._path.append((seat, node, arm))
        self.places[seat] = node if arm.visits else None
        return arm.action

    def _take_arm(self, node: Node, state: Any, seat: int, legal: Sequence[Action]) -> Arm:  # noqa: ANN401
        """Choose by UCB1 among the arms of the legal actions, or make a new one, the policy's first."""
        known = [arm for action in legal if (arm := node.arms.get(action)) is not None]
        if len(known) < len(legal) and len(known) <= self._plan.widening * node.visits**0.5:
            action = self._plan.playout(state, seat, legal, self._random)
            if action in node.arms:
                action = choose_any(
                    state, seat, [each for each in legal if each not in node.arms], self._random
                )
            arm = node.arms[action] = Arm(action)
            known.append(arm)
        else:
            exploration = self._explorations[seat]
            arm = max(known, key=lambda each: each.bound(exploration))
        for each in known:
            each.available += 1
        return arm


def is_dealt(followed: Sequence[Step]) -> bool:
    """Return whether cards were dealt."""
    return any(type(step) is Chance for step in followed)
