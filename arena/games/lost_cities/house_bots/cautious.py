"""Starts few expeditions, and only those that its hand has already paid for; gives nothing away."""

from __future__ import annotations

from arena.games.lost_cities import LostCitiesView
from arena.games.lost_cities.house_bots.greedy import COLOUR, COLOURS, NUMBER, Pile, fits, top
from arena.sdk import Bot, Decision, run

MAX_EXPEDITIONS = 3
LATE = 16  # cards left in the draw pile from which on nothing new is started
PATIENT_STEP = 2  # numbers that may be passed over without need


class Cautious(Bot[LostCitiesView]):
    """Takes the first rule that applies, the safest first."""

    name = "cautious"
    games = ("lost_cities",)
    matches_at_once = 64

    def choose(self, decision: Decision[LostCitiesView]) -> str:
        view = decision.view
        mine = view.expeditions[decision.seat]
        theirs = view.expeditions[1 - decision.seat]
        if decision.legal[0] == "draw deck":
            return draw(decision.legal, view, mine)
        plays = [action[5:] for action in decision.legal if action[0] == "p"]
        card = next_card(plays, view, mine) or first_card(plays, view, mine)
        if card:
            return f"play {card}"
        return f"discard {min(view.hand, key=lambda held: regret(held, view, mine, theirs))}"


def draw(legal: tuple[str, ...], view: LostCitiesView, mine: tuple[Pile, ...]) -> str:
    """Take a card that goes on with an expedition, or an unknown one."""
    for action in legal[1:]:
        colour = COLOURS.index(action[5])
        card = view.discards[colour][-1]
        if mine[colour] and fits(NUMBER[card], mine[colour]) and NUMBER[card] >= 3:
            return action
    return "draw deck"


def next_card(plays: list[str], view: LostCitiesView, mine: tuple[Pile, ...]) -> str:
    """Find the card that goes on with an expedition by the smallest step, if it is small or time is short."""
    going_on = [card for card in plays if mine[COLOUR[card]] and NUMBER[card]]
    if not going_on:
        return ""
    # Each card waiting for an expedition takes a turn to play; two cards leave the pile in each round of turns.
    in_a_hurry = view.draw_pile < 2 * len(going_on) + 4
    card = min(going_on, key=lambda card: (NUMBER[card] - top(mine[COLOUR[card]]), -NUMBER[card]))
    return card if in_a_hurry or NUMBER[card] - top(mine[COLOUR[card]]) <= PATIENT_STEP + 1 else ""


def first_card(plays: list[str], view: LostCitiesView, mine: tuple[Pile, ...]) -> str:
    """Find the card to start an expedition with: of the richest colour, if it is rich enough."""
    if sum(bool(pile) for pile in mine) >= MAX_EXPEDITIONS or view.draw_pile < LATE:
        return ""
    wealth = dict.fromkeys((card[0] for card in plays if not mine[COLOUR[card]]), 0)
    for card in view.hand:
        if card[0] in wealth:
            wealth[card[0]] += NUMBER[card] or 3
    if not wealth:
        return ""
    colour = max(wealth, key=lambda letter: wealth[letter])
    # What is to be drawn later will add about as many points again as the pile is still high.
    if wealth[colour] + view.draw_pile // 6 < 23:
        return ""
    return min((card for card in plays if card[0] == colour), key=lambda card: NUMBER[card])


def regret(card: str, view: LostCitiesView, mine: tuple[Pile, ...], theirs: tuple[Pile, ...]) -> float:
    """Return how much it would hurt to give a card away; the opponent's gain hurts as much as one's own loss."""
    colour, number = COLOUR[card], NUMBER[card]
    useful = bool(mine[colour]) and fits(number, mine[colour])
    company = sum(held[0] == card[0] for held in view.hand) - 1
    own = (number or 4) * (1.2 if useful else 0 if mine[colour] else 0.15 * company)
    return own + (number or 3) * (1.0 if theirs[colour] and fits(number, theirs[colour]) else 0.1)


if __name__ == "__main__":
    run(Cautious())
