"""Plays a card whenever it can and never draws but from the pile: the hand is over before slow plans ripen."""

from __future__ import annotations

from arena.games.lost_cities import LostCitiesView
from arena.games.lost_cities.house_bots.greedy import COLOUR, NUMBER, Pile, fits, top
from arena.sdk import Bot, Decision, run

LAST_START = 20  # cards in the draw pile below which it starts nothing new


class Rusher(Bot[LostCitiesView]):
    """Begins its two best colours at once, however weak, and never waits for a better card."""

    name = "rusher"
    games = ("lost_cities",)
    matches_at_once = 64

    def choose(self, decision: Decision[LostCitiesView]) -> str:
        if decision.legal[0] == "draw deck":
            return "draw deck"
        view = decision.view
        mine = view.expeditions[decision.seat]
        theirs = view.expeditions[1 - decision.seat]
        plays = [action[5:] for action in decision.legal if action[0] == "p"]
        running = [card for card in plays if mine[COLOUR[card]] and NUMBER[card]]
        if running:
            return f"play {min(running, key=lambda card: (NUMBER[card] - top(mine[COLOUR[card]]), card))}"
        card = opening(plays, view, mine)
        if card:
            return f"play {card}"
        return f"discard {min(view.hand, key=lambda held: keep(held, view, mine, theirs))}"


def opening(plays: list[str], view: LostCitiesView, mine: tuple[Pile, ...]) -> str:
    """Open the colour with the most cards while it is early: with its lowest number, never with an investment."""
    begun = sum(bool(pile) for pile in mine)
    numbers = [card for card in plays if NUMBER[card] and not mine[COLOUR[card]]]
    if not numbers or begun >= 3 or view.draw_pile < LAST_START:
        return ""

    def points(letter: str) -> int:
        return sum(NUMBER[card] for card in view.hand if card[0] == letter)

    letter = max(dict.fromkeys(card[0] for card in numbers), key=points)
    if points(letter) < (10, 14, 18)[begun]:
        return ""
    return min((card for card in numbers if card[0] == letter), key=lambda card: NUMBER[card])


def keep(card: str, view: LostCitiesView, mine: tuple[Pile, ...], theirs: tuple[Pile, ...]) -> float:
    """Return how much a card is worth keeping: for an expedition to be opened, or from the opponent."""
    colour, number = COLOUR[card], NUMBER[card]
    own = 0.0 if mine[colour] else 0.1 * sum(NUMBER[held] for held in view.hand if held[0] == card[0])
    return own + (number if theirs[colour] and fits(number, theirs[colour]) else 0.2 * number)


if __name__ == "__main__":
    run(Rusher())
