"""How the search plays Lost Cities on in its head, and what a position is worth to it."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from arena.games.kernel import Action
from arena.games.lost_cities.state import CARDS, COLOURS, KINDS, Cards, LostCitiesState

_CARELESS = 0.05
_COST = 20
_NUMBER = tuple((card % KINDS + 1 if card % KINDS else 0) for card in range(KINDS * len(COLOURS)))
"""By card, its number, 0 for an investment."""

_COLOUR = tuple(card // KINDS for card in range(KINDS * len(COLOURS)))
_ABOVE = tuple(sum(range(max(2, top + 1), 11)) for top in range(11))
"""By the number on top of an expedition, the sum of those that may still follow."""

_HAND_SPREAD = 45.0
"""About how far apart, in points, one hand brings two seats of equal strength."""


def playout(state: LostCitiesState, seat: int, legal: Sequence[Action], random: Random) -> Action:
    """Rate the actions as `greedy` does; now and then do anything."""
    if not state.placing:
        return _draw(state, seat, legal)
    if random.random() < _CARELESS:
        return legal[int(random.random() * len(legal))]
    deal, expeditions = state.deal, state.expeditions
    left = len(deal.pile) - state.drawn
    haste = left / 24 if left < 24 else 1.0
    turns = left // 2 + 1
    luck = 12 * left / 44 - _COST
    held: list[list[int]] = [[], [], [], [], []]
    for card in state.hands[seat]:
        held[_COLOUR[card]].append(_NUMBER[card])
    closed, theirs_closed = state.closed[seat], state.closed[1 - seat]
    best, chosen = -1000.0, legal[0]
    for action in legal:
        card = CARDS[action[5:] if action[0] == "p" else action[8:]]
        number, colour = _NUMBER[card], _COLOUR[card]
        mine = expeditions[5 * seat + colour]
        if action[0] == "p":
            numbers = held[colour]
            shut_out = 0
            for each in numbers:
                if each < number:
                    shut_out += each
            top = _NUMBER[mine[-1]] if mine else 0
            step = (number - (top + 1 if top else 2)) * haste if number else 0.0
            if mine and number:
                factor = 1
                for each in mine[:3]:
                    factor += each % KINDS == 0
                worth = 4 + number * 0.3 - factor * (2 * shut_out + 1.5 * step)
            else:
                promise = sum(numbers if len(numbers) <= turns else numbers[-turns:]) + luck
                worth = 4 + promise / 2 if mine else 2 * promise - 2 * shut_out - step
        else:
            value = max(3, number)
            worth = 0.0
            if not mine:
                worth -= value * (0.2 + 0.1 * len(held[colour]))
            elif card not in closed:
                worth -= value
            if card not in theirs_closed and expeditions[5 - 5 * seat + colour]:
                worth -= 0.7 * value
        if worth > best:
            best, chosen = worth, action
    return chosen


def _draw(state: LostCitiesState, seat: int, legal: Sequence[Action]) -> Action:
    best, chosen = 2.5, legal[0]
    for action in legal[1:]:
        colour = COLOURS.index(action[5])
        card = state.discards[colour][-1]
        if _NUMBER[card] > best and state.expeditions[5 * seat + colour] and card not in state.closed[seat]:
            best, chosen = _NUMBER[card], action
    return chosen


def evaluate(state: LostCitiesState) -> tuple[float, float]:
    """Compare the totals and what the expeditions of this hand promise."""
    deal = state.deal
    left = len(deal.pile) - state.drawn
    ahead = float(deal.totals[0] - deal.totals[1])
    hands = deal.hand_limit - len(deal.past)
    if state.turn:
        ahead += expect(state, 0, left) - expect(state, 1, left)
        hands += left / 44 - 1
    share = 1 / (1 + exp(-1.7 * ahead / (_HAND_SPREAD * (hands + 0.03) ** 0.5)))
    return share, 1 - share


def expect(state: LostCitiesState, seat: int, left: int) -> float:
    """Guess what a seat's expeditions will score: what lies, what it holds, and what luck will bring."""
    turns = (left + 1) // 2
    luck = 0.3 * left / (left + 8)
    held: list[list[int]] = [[], [], [], [], []]
    for card in state.hands[seat]:
        held[_COLOUR[card]].append(_NUMBER[card])
    total = 0.0
    needed = 0
    for colour in range(5):
        pile, numbers = state.expeditions[5 * seat + colour], held[colour]
        top, factor, laid = _read(pile)
        in_hand = 0
        count = 0
        for number in numbers:
            if number > top:
                in_hand += number
                count += 1
        out = 0
        for card in state.expeditions[5 - 5 * seat + colour]:
            if _NUMBER[card] > top:
                out += _NUMBER[card]
        discards = state.discards[colour]
        for card in discards:
            if _NUMBER[card] > top:
                out += _NUMBER[card]
        to_come = luck * (_ABOVE[top] - in_hand - out)
        if discards and _NUMBER[discards[-1]] > top:
            to_come += 0.4 * _NUMBER[discards[-1]]
        if pile:
            needed += count
            total += (laid + in_hand + to_come - _COST) * factor
            if len(pile) + count >= 6:
                total += 20 if len(pile) + count >= 8 else 4 * (len(pile) + count - 5) * min(1.0, left / 20)
        else:
            promise = in_hand + to_come - _COST
            if promise > -8:
                factor = 1 + len(numbers) - count
                worth = (promise + 8) ** 2 / 32 if promise < 8 else promise
                total += 0.8 * worth * (1 + 0.5 * (factor - 1))
                if promise > 0:
                    needed += len(numbers)
    if needed > turns:
        total -= 6 * (needed - turns)
    return total


def _read(pile: Cards) -> tuple[int, int, int]:
    """Give the number on top of an expedition, its factor, and the sum of its numbers."""
    factor, laid = 1, 0
    for card in pile:
        if card % KINDS:
            laid += _NUMBER[card]
        else:
            factor += 1
    return (_NUMBER[pile[-1]] if pile else 0), factor, laid
