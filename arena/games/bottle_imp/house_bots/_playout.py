"""How the search plays The Bottle Imp on in its head, and what a position between hands is worth to it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import exp
from random import Random

from arena.games.bottle_imp.state import PASSING, PLAY, POINTS, START_PRICE, BottleImpState
from arena.games.bottle_imp.tricks import find_winner
from arena.games.kernel import Action

_CARELESS = 0.1
_HOLDS = (1.0, 0.6, 0.36, 0.216)
"""The chance that a winning card goes on winning, by the cards still to come in the trick."""

_TO_COME = 3.0
"""The points that each of these brings."""

_KEEPS = tuple(0.75**count for count in range(40))
"""The chance to keep the bottle, by the lower cards that others hold."""

_PENALTY = 8.0
_SPREAD = 18.0
"""About how far apart, in points, one hand brings two seats of equal strength."""

_CARDS = {action: card for card, action in enumerate(PLAY)}


def playout(state: BottleImpState, seat: int, legal: Sequence[Action], random: Random) -> Action:
    """Rate each card as `greedy` does, but with the hands of the others seen; now and then play any."""
    if state.place == PASSING:
        return _pass(state, seat, legal)
    if random.random() < _CARELESS:
        return legal[int(random.random() * len(legal))]
    trick, price = state.trick, state.price
    still = len(state.order) - 1 - len(trick)
    holds = _HOLDS[still]
    best = find_winner(trick, price) if trick else 0
    sold = 0 < best < price
    stake = _TO_COME * still + sum([POINTS[each] for each in trick])
    sides = state.deal.form.sides
    others = [hand for at, hand in enumerate(state.hands) if sides[at] != seat]
    most, chosen = -1000.0, legal[0]
    for action in legal:
        card = _CARDS[action]
        if card < price:
            if sold and card < best:
                worth = 0.3 * (START_PRICE - card) - POINTS[card]
            else:
                won = stake + POINTS[card]
                lower = sum([bisect_left(hand, card) for hand in others])
                lost = (state.points[seat] + won + _PENALTY) * _KEEPS[lower]
                worth = holds * won - (1 - holds) * POINTS[card] - lost * max(holds, 0.4)
        elif sold or card < best:
            worth = -POINTS[card]
        else:
            worth = holds * (stake + POINTS[card]) - (1 - holds) * POINTS[card]
        if worth > most:
            most, chosen = worth, action
    return chosen


def _pass(state: BottleImpState, seat: int, legal: Sequence[Action]) -> Action:
    """Return the lowest card away, and open the hand of the fewer points."""
    if state.deal.form.verbs[len(state.given)] != "open":
        return legal[0]
    first, second = (sum([POINTS[card] for card in state.hands[place]]) for place in (seat, seat + 2))
    return legal[first > second]


def evaluate(state: BottleImpState) -> tuple[float, ...]:
    """Compare the totals; the fewer hands are left, the more they say."""
    deal = state.deal
    seats = deal.form.seats
    totals = deal.totals[:seats]
    left = deal.hand_limit - len(deal.past)
    if deal.target:
        left = 1 + (deal.target - max(totals)) // 25
    scale = 1.7 / (_SPREAD * max(1, left) ** 0.5)
    return tuple(
        [
            (sum([1 / (1 + exp((other - mine) * scale)) for other in totals]) - 0.5) / (seats - 1)
            for mine in totals
        ]
    )
