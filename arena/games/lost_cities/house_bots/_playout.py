"""How the search plays Lost Cities on in its head, and what a position is worth to it."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from arena.games.kernel import Action
from arena.games.lost_cities.state import CARDS, COLOURS, KINDS, Cards, LostCitiesState, fits

_CARELESS = 0.05
_COST = 20
_NUMBER = tuple((card % KINDS + 1 if card % KINDS else 0) for card in range(KINDS * len(COLOURS)))
"""By card, its number, 0 for an investment."""

_COLOUR = tuple(card // KINDS for card in range(KINDS * len(COLOURS)))
_ABOVE = tuple(sum(range(max(2, top + 1), 11)) for top in range(11))
"""By the number on top of an expedition, the sum of those that may still follow."""

_LUCK = 0.3
"""The part of what is still unseen, by points, that comes to a seat and fits, while the pile is high."""

_DOUBT = 8.0
"""So many points to either side of nothing, an expedition that is not begun may or may not come about."""

_TOO_LATE = 6.0
"""The points lost for each card that there is no turn left to play."""

_HAND_SPREAD = 45.0
"""About how far apart, in points, one hand brings two seats of equal strength."""


def playout(state: LostCitiesState, seat: int, legal: Sequence[Action], random: Random) -> Action:
    """Rate the actions as `greedy` does; now and then do anything."""
    if not state.placing:
        return _draw(state, seat, legal)
    if random.random() < _CARELESS:
        return legal[int(random.random() * len(legal))]
    left = len(state.deal.pile) - state.drawn
    held = _sort(state.hands[seat])
    mine, theirs = state.expeditions[seat], state.expeditions[1 - seat]
    best, chosen = -1000.0, legal[0]
    for action in legal:
        if action[0] == "p":
            card = CARDS[action[5:]]
            colour = _COLOUR[card]
            worth = _rate_play(_NUMBER[card], held[colour], mine[colour], left)
        else:
            card = CARDS[action[8:]]
            number, colour = _NUMBER[card], _COLOUR[card]
            value = max(3, number)
            worth = 0.0
            if not mine[colour]:
                worth -= value * (0.2 + 0.1 * len(held[colour]))
            elif fits(card, mine[colour]):
                worth -= value
            if theirs[colour] and fits(card, theirs[colour]):
                worth -= 0.7 * value
        if worth > best:
            best, chosen = worth, action
    return chosen


def _sort(hand: Cards) -> list[list[int]]:
    """Return the numbers held by colour, ascending."""
    held: list[list[int]] = [[], [], [], [], []]
    for card in hand:
        held[_COLOUR[card]].append(_NUMBER[card])
    return held


def _rate_play(number: int, held: list[int], pile: Cards, left: int) -> float:
    if not pile or not number:
        turns = left // 2 + 1
        promise = sum(held if len(held) <= turns else held[-turns:]) + 12 * left / 44 - _COST
        if pile:
            return 4 + promise / 2
    shut_out = sum([each for each in held if each < number])
    top = _NUMBER[pile[-1]] if pile else 0
    step = (number - (top + 1 if top else 2)) * min(1.0, left / 24) if number else 0.0
    if not pile:
        return 2 * promise - 2 * shut_out - step
    factor = 1 + sum([not card % KINDS for card in pile[:3]])
    return 4 + number * 0.3 - factor * (2 * shut_out + 1.5 * step)


def _draw(state: LostCitiesState, seat: int, legal: Sequence[Action]) -> Action:
    best, chosen = 2, legal[0]
    for action in legal[1:]:
        colour = COLOURS.index(action[5])
        card = state.discards[colour][-1]
        pile = state.expeditions[seat][colour]
        if _NUMBER[card] > best and pile and fits(card, pile):
            best, chosen = _NUMBER[card], action
    return chosen


def evaluate(state: LostCitiesState) -> tuple[float, float]:
    """Compare the totals and what the expeditions of this hand promise."""
    deal = state.deal
    left = len(deal.pile) - state.drawn
    ahead = float(deal.totals[0] - deal.totals[1])
    hands = float(deal.hand_limit - len(deal.past))
    if state.turn:
        ahead += expect(state, 0, left) - expect(state, 1, left)
        hands += left / 44 - 1
    share = 1 / (1 + exp(-1.7 * ahead / (_HAND_SPREAD * (hands + 0.03) ** 0.5)))
    return share, 1 - share


def expect(state: LostCitiesState, seat: int, left: int) -> float:
    """Guess what a seat's expeditions will score: what lies, what it holds, and what luck will bring."""
    turns = (left + 1) // 2
    luck = _LUCK * left / (left + 8)
    total, needed = 0.0, 0
    for colour, held in enumerate(_sort(state.hands[seat])):
        pile = state.expeditions[seat][colour]
        top, factor, laid = _read(pile)
        fitting = [number for number in held if number > top]
        in_hand = sum(fitting)
        gone, within_reach = _count_gone(state.expeditions[1 - seat][colour], state.discards[colour], top)
        promise = laid + in_hand + luck * (_ABOVE[top] - in_hand - gone) + within_reach - _COST
        if pile:
            needed += len(fitting)
            total += promise * factor + _promise_bonus(len(pile) + len(fitting), left)
        elif promise > -_DOUBT:
            # It need not be begun: half of what is doubtful counts.
            worth = promise if promise > _DOUBT else (promise + _DOUBT) ** 2 / (4 * _DOUBT)
            total += 0.8 * worth * (1 + 0.5 * (len(held) - len(fitting)))
            needed += len(held) if promise > 0 else 0
    return total - _TOO_LATE * max(0, needed - turns)


def _count_gone(theirs: Cards, discards: Cards, top: int) -> tuple[int, float]:
    """Add up the numbers above the top that will hardly come, and give what the top discard is worth."""
    gone = 0
    for card in (*theirs, *discards):
        if _NUMBER[card] > top:
            gone += _NUMBER[card]
    within_reach = _NUMBER[discards[-1]] if discards else 0
    return gone, 0.4 * within_reach if within_reach > top else 0.0


def _promise_bonus(cards: int, left: int) -> float:
    """Guess what the bonus for eight cards is worth with so many laid and in hand."""
    if cards >= 8:
        return 20.0
    return 4.0 * (cards - 5) * min(1.0, left / 20) if cards > 5 else 0.0


def _read(pile: Cards) -> tuple[int, int, int]:
    """Return the number on top of an expedition, its factor, and the sum of its numbers."""
    factor, laid = 1, 0
    for card in pile:
        if card % KINDS:
            laid += _NUMBER[card]
        else:
            factor += 1
    return (_NUMBER[pile[-1]] if pile else 0), factor, laid
