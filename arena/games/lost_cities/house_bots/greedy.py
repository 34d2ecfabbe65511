"""Plays Lost Cities by a few simple rules: the model to start a bot of your own from.

Every legal action gets a number, and the highest one is chosen.  Try it: `arena match lost_cities greedy random`.
"""

from __future__ import annotations

from arena.games.lost_cities import LostCitiesView
from arena.sdk import Bot, Decision, run

Pile = tuple[str, ...]

COST = 20  # what an expedition must earn back
COLOURS = "RGWBY"
NUMBER = {f"{colour}{number}": number for colour in COLOURS for number in range(2, 11)}
NUMBER |= {f"{colour}x": 0 for colour in COLOURS}
"""The number on each card, 0 for an investment."""
COLOUR = {card: COLOURS.index(card[0]) for card in NUMBER}
"""The place of each card's colour in the lists of a view."""


class Greedy(Bot[LostCitiesView]):
    """Starts expeditions that its own hand nearly pays for, and plays each in small steps."""

    name = "greedy"
    games = ("lost_cities",)
    matches_at_once = 64

    def choose(self, decision: Decision[LostCitiesView]) -> str:
        if len(decision.legal) == 1:
            return decision.legal[0]
        view = decision.view
        mine = view.expeditions[decision.seat]
        theirs = view.expeditions[1 - decision.seat]
        if decision.legal[0] == "draw deck":
            return max(decision.legal, key=lambda action: rate_draw(action[5:], view, mine))
        held: list[list[int]] = [[], [], [], [], []]
        for card in view.hand:
            held[COLOUR[card]].append(NUMBER[card])

        def rate(action: str) -> float:
            verb, card = action.split()
            colour = COLOUR[card]
            if verb == "play":
                return rate_play(NUMBER[card], held[colour], mine[colour], view.draw_pile)
            return rate_discard(NUMBER[card], held[colour], mine[colour], theirs[colour])

        return max(decision.legal, key=rate)


def rate_play(number: int, held: list[int], pile: Pile, draw_pile: int) -> float:
    """Rate playing a card: what it earns, less what it shuts out."""
    # My own lower cards could not be played any more.
    shut_out = sum([lower for lower in held if lower < number])
    # Neither could the lower ones that I might still draw: the larger the step, the worse, unless it is late.
    step = (number - max(2, top(pile) + 1)) * min(1.0, draw_pile / 24) if number else 0.0
    if not pile:
        # A new expedition must promise to earn its cost; if it does not, any discard is better.
        return 2 * promise(held, draw_pile) - 2 * shut_out - step
    if not number:
        # An investment on a started expedition pays only while there is much to come.
        return 4 + promise(held, draw_pile) / 2
    factor = len(pile) if top(pile) == 0 else 1 + sum([NUMBER[card] == 0 for card in pile])
    return 4 + number * 0.3 - factor * (2 * shut_out + 1.5 * step)


def promise(held: list[int], draw_pile: int) -> float:
    """Return what an expedition would earn beyond its cost: the cards held, and a few that luck will bring."""
    luck = 12 * min(1.0, draw_pile / 44)
    # Each turn plays one card: late in the hand not all that is held can still be played.
    turns = draw_pile // 2 + 1
    return sum(held if len(held) <= turns else sorted(held)[-turns:]) + luck - COST


def rate_discard(number: int, held: list[int], mine: Pile, theirs: Pile) -> float:
    """Rate discarding a card: the higher, the less it costs to lose it and to leave it to the opponent."""
    value = max(number, 3)
    loss = 0.0
    if not mine:
        loss += value * (0.2 + 0.1 * len(held))
    elif fits(number, mine):
        loss += value
    if theirs and fits(number, theirs):
        loss += 0.7 * value
    return -loss


def rate_draw(letter: str, view: LostCitiesView, mine: tuple[Pile, ...]) -> float:
    """Rate drawing from a pile: the top card if it can be played, or the chance of a good one."""
    if letter == "deck":
        return 2.5
    colour = COLOURS.index(letter)
    number = NUMBER[view.discards[colour][-1]]
    return number if mine[colour] and fits(number, mine[colour]) else 0


def top(pile: Pile) -> int:
    """Return the number that the next card of an expedition must exceed, 0 if any card may follow."""
    return NUMBER[pile[-1]] if pile else 0


def fits(number: int, pile: Pile) -> bool:
    """Return whether a card can be played on an expedition."""
    return number > top(pile) or top(pile) == 0


if __name__ == "__main__":
    run(Greedy())
