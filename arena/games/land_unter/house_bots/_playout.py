"""How the search plays Land Unter on in its head, and what a position between rounds is worth to it."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from arena.games.kernel import Action
from arena.games.land_unter.state import HALVES, LandUnterState

HIGHEST = 60
_CARELESS = 0.1
_DANGER = (1.0, 0.4, 0.15, 0.05, 0.05, 0.05, 0.05)
"""The chance to have to pay, by how many levels will be above the own one."""

_SPREAD = 2.6
"""About how far apart, in points, one round brings two seats of equal strength."""


def _outcomes(rivals: int) -> tuple[tuple[float, float], ...]:
    shares = [(card - 1) / HIGHEST for card in range(HIGHEST + 1)]
    return tuple((below**rivals, rivals * below ** (rivals - 1) * (1 - below)) for below in shares)


_OUTCOMES = ((), *[_outcomes(rivals) for rivals in range(1, 5)])
"""By rivals, then by card: the chances to be the highest and to be the second if the rivals play just anything."""


def playout(state: LandUnterState, seat: int, legal: Sequence[Action], random: Random) -> Action:
    """Play the card that promises the best level, as `greedy` does; now and then any."""
    if random.random() < _CARELESS:
        return legal[int(random.random() * len(legal))]
    at = 2 * len(state.tricks)
    low, high = state.water[at], state.water[at + 1]
    if low > high:
        low, high = high, low
    level = state.levels[seat]
    price = 1.0 if state.lifebelts[seat] else 2.5
    over_low, over_high, over_none, rivals = 1, 0, (low > level) + (high > level), -1
    for here, other in zip(state.still_in, state.levels, strict=True):
        if here:
            rivals += 1
            over_low += other > low
            over_high += other > high
            over_none += other > level
    over_low -= level > low
    over_high -= level > high
    none = price * _DANGER[over_none] + 0.05 * level
    # What the lower and the higher water card save.
    first = none - price * _DANGER[over_low] - 0.05 * low
    second = none - price * _DANGER[over_high] - 0.05 * high
    outcomes = _OUTCOMES[rivals]
    best, chosen = -9.0, 0
    for at, card in enumerate(state.hands[seat]):
        highest, next_to_it = outcomes[card]
        saved = highest * first + next_to_it * second
        if saved > best:
            best, chosen = saved, at
    return legal[chosen]


def evaluate(state: LandUnterState) -> tuple[float, ...]:
    """Compare what the seats have and what the hands that they are still to play are worth in lifebelts."""
    seats = len(state.dealt)
    done = len(state.scores)
    worth = [sum([HALVES[card] for card in hand]) // 2 for hand in state.dealt]
    totals = [
        sum([scores[seat] for scores in state.scores])
        + 0.7 * sum([worth[(seat - number) % seats] for number in range(done, state.rounds)])
        for seat in range(seats)
    ]
    scale = 1.7 / (_SPREAD * (state.rounds - done) ** 0.5)
    return tuple(
        [
            (sum([1 / (1 + exp((other - mine) * scale)) for other in totals]) - 0.5) / (seats - 1)
            for mine in totals
        ]
    )
