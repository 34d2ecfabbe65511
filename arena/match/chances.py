"""The chance of each seat to win, at the points of a match that is over: by rollouts from the position with all hands open.

    point ──▶ redeal what is still to come ──▶ play on by the policy of the game's search ──▶ each seat's share, over and over

A chance is the expected share of a seat's pairs: the chance to win, a tie counting half; with more than two seats the share of
the others that it ends before.  Future chance is drawn again in each rollout, so a lucky draw is a swing.  All randomness
follows from the match's id, and the work is counted in decisions and not in seconds: the same match has the same chances on any
machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from random import Random
from types import MappingProxyType
from typing import Any, Protocol

from arena.games import registry
from arena.games.kernel import SILENCE, Action, Answer, AnyGame, Chance, Choice
from arena.match.record import Record
from arena.match.score_series import shown_states

STANDARD_WORK = 240_000
"""Decisions that the rollouts of one match may take together."""

_FIRST_POINTS = 17
"""Points that are looked at first, evenly spread."""
_MOST_POINTS = 41
"""Points in all: more are looked at where the chances of neighbours differ most."""
_LEAST_ROLLOUTS = 8
_MOST_ROLLOUTS = 400
_QUANTILE = 1.96
_DOUBT = 2.0
"""Added to the sum of squares, so that rollouts that all end alike are not taken for certainty."""
_LONGEST = 20_000
"""Points that a rollout may have at most."""
_NO_ONE: Mapping[int, Action] = MappingProxyType({})


class Policy(Protocol):
    """Policy of rollouts: the plan of a game's search bot has these."""

    @property
    def playout(self) -> Callable[[Any, int, Sequence[Action], Random], Action]:
        """Return the function that chooses one of two or more legal actions."""

    @property
    def evaluate(self) -> Callable[[Any], Sequence[float]] | None:
        """Return the function that estimates the seats' shares where play is cut off, None to play to the end."""

    @property
    def horizon(self) -> int:
        """Return the points that are played before the cut-off."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The chances at one point, by seat: shares from 0 to 1, and the half widths of their 95 % intervals."""

    point: int
    shares: tuple[float, ...]
    errors: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class KeyMoment:
    """A large swing: the chance of a seat before the steps `first` to `point`, and after them."""

    first: int
    point: int
    seat: int
    before: float
    after: float

    @property
    def swing(self) -> float:
        """Return how much the chance changed."""
        return abs(self.after - self.before)


def estimate_chances(
    record: Record, policy: Policy, work: int = STANDARD_WORK, tick: Callable[[], None] = lambda: None
) -> tuple[Estimate, ...]:
    """Estimate the chances at some points of a match, in order, the last one its result.

    `tick` is called before each rollout; what it raises ends the work.  Raises ArenaError where the record cannot be replayed.
    """
    states = list(shown_states(record))
    final = len(states) - 1
    package = registry.package(record.game)
    seats = len(record.seats)

    def look(point: int) -> Estimate:
        if point == final:
            return Estimate(final, share_pairs(record.result.places), (0.0,) * seats)
        random = Random(f"{record.match}/{point}")
        sums = ShareSums(seats)
        used = 0
        while sums.count < _LEAST_ROLLOUTS or (used < share and sums.count < most):
            tick()
            dealt = package.redeal(states[point], random)
            shares, decisions = play_on(package.game, policy, dealt, random, seats)
            sums.add(shares)
            used += decisions
        return Estimate(point, sums.means(), sums.errors())

    share = work / min(_MOST_POINTS, max(1, final))
    most = _MOST_ROLLOUTS * max(1, work // STANDARD_WORK)
    spread = {round(final * at / (_FIRST_POINTS - 1)) for at in range(_FIRST_POINTS)}
    found = {point: look(point) for point in sorted(spread)}
    while len(found) < _MOST_POINTS and (between := _widest_swing(found)) is not None:
        found[between] = look(between)
    return tuple(found[point] for point in sorted(found))


def share_pairs(places: Sequence[int]) -> tuple[float, ...]:
    """Return each seat's share of its pairs won, 0 to 1; a shared place counts half."""
    pairs = len(places) - 1
    return tuple(
        (sum((mine < other) + 0.5 * (mine == other) for other in places) - 0.5) / pairs for mine in places
    )


def key_moments(estimates: Sequence[Estimate], most: int = 6) -> tuple[KeyMoment, ...]:
    """Return the largest swings that are more than the errors of both chances, in the order of the match."""
    found = []
    for earlier, later in pairwise(estimates):
        changes = [after - before for before, after in zip(earlier.shares, later.shares, strict=True)]
        seat = max(range(len(changes)), key=lambda each: abs(changes[each]))
        if abs(changes[seat]) > sqrt(earlier.errors[seat] ** 2 + later.errors[seat] ** 2):
            found.append(
                KeyMoment(earlier.point + 1, later.point, seat, earlier.shares[seat], later.shares[seat])
            )
    largest = sorted(found, key=lambda moment: (-moment.swing, moment.point))[:most]
    return tuple(sorted(largest, key=lambda moment: moment.point))


def _widest_swing(found: dict[int, Estimate]) -> int | None:
    """Return the middle of the gap whose ends differ most; None if there is no gap with a difference."""
    points = sorted(found)
    gaps = [
        (_difference(found[first], found[second]), first, second)
        for first, second in pairwise(points)
        if second - first > 1
    ]
    if not gaps:
        return None
    _, first, second = max(gaps, key=lambda gap: (gap[0], -gap[1]))
    return (first + second) // 2


def _difference(one: Estimate, other: Estimate) -> float:
    return max(abs(before - after) for before, after in zip(one.shares, other.shares, strict=True))


def play_on(
    game: AnyGame,
    policy: Policy,
    state: Any,  # noqa: ANN401 - each game has its own state
    random: Random,
    seats: int,
    first: Mapping[int, Action] = _NO_ONE,
) -> tuple[Sequence[float], int]:
    """Play on once from a state by a policy; return each seat's share, and how many decisions that took.

    `first` gives the actions of seats at the first point, where the policy does not choose; these are taken even where its
    horizon is 0.
    """
    decisions_made = 0
    left = _LONGEST if policy.evaluate is None else max(policy.horizon, bool(first))
    while left > 0 and (decisions := game.to_act(state)):
        left -= 1
        answers: list[Answer] = []
        for decision in decisions:
            decisions_made += 1
            if type(decision) is not Choice:
                answers.append(SILENCE)
                continue
            seat = decision.seat
            if seat in first:
                answers.append(first[seat])
                continue
            legal = game.legal(state, seat)
            answers.append(legal[0] if len(legal) == 1 else policy.playout(state, seat, legal, random))
        first = _NO_ONE
        state, followed = game.apply(state, answers)
        if policy.evaluate is not None and any(type(step) is Chance for step in followed):
            break
    result = game.result(state)
    if result is not None:
        return share_pairs(result.places), max(1, decisions_made)
    if policy.evaluate is not None:
        return policy.evaluate(state), max(1, decisions_made)
    return [0.5] * seats, max(1, decisions_made)


class ShareSums:
    """The shares of some rollouts, added up by seat.  Mutable."""

    def __init__(self, seats: int) -> None:
        self.count = 0
        self._sums = [0.0] * seats
        self._squares = [0.0] * seats

    def add(self, shares: Sequence[float]) -> None:
        """Add the shares of a rollout."""
        self.count += 1
        for seat, share in enumerate(shares):
            self._sums[seat] += share
            self._squares[seat] += share * share

    def means(self) -> tuple[float, ...]:
        """Return the mean of each seat."""
        return tuple(total / self.count for total in self._sums)

    def errors(self) -> tuple[float, ...]:
        """Return the half width of each mean's 95 % interval."""
        return tuple(
            self._error(total, squares) for total, squares in zip(self._sums, self._squares, strict=True)
        )

    def _error(self, total: float, squares: float) -> float:
        around = max(0.0, squares - total * total / self.count)
        return min(1.0, _QUANTILE * sqrt((around + _DOUBT) / self.count) / sqrt(self.count))
