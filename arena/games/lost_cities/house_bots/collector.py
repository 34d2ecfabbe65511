"""Picks its colours, collects them from its hand and the discard piles, and plays them late, in order, doubled."""

from __future__ import annotations

from arena.games.lost_cities import LostCitiesView
from arena.games.lost_cities.house_bots.greedy import COLOUR, COLOURS, NUMBER, Pile, fits, top
from arena.sdk import Bot, Decision, run

FAVOURITES = 3  # colours that it collects


class Collector(Bot[LostCitiesView]):
    """Holds cards back as long as time allows."""

    name = "collector"
    games = ("lost_cities",)
    matches_at_once = 64

    def choose(self, decision: Decision[LostCitiesView]) -> str:
        view = decision.view
        mine = view.expeditions[decision.seat]
        theirs = view.expeditions[1 - decision.seat]
        favourites = find_favourites(view, mine, theirs)
        if decision.legal[0] == "draw deck":
            return draw(decision.legal, view, mine, favourites)
        waiting = [
            card
            for card in view.hand
            if COLOUR[card] in favourites and fits(NUMBER[card], mine[COLOUR[card]])
        ]
        spare = [card for card in view.hand if card not in waiting]
        # Turns that are left, if nobody draws from the discard piles.
        turns = (view.draw_pile + 1) // 2
        if waiting and (len(waiting) + 1 >= turns or not spare or is_free(waiting, view, mine)):
            return f"play {next_card(waiting, mine)}"
        return f"discard {min(spare or view.hand, key=lambda card: gift(card, view, theirs))}"


def find_favourites(view: LostCitiesView, mine: tuple[Pile, ...], theirs: tuple[Pile, ...]) -> frozenset[int]:
    """Name the colours to collect: those begun, then the richest in sight that are worth their cost."""
    wealth = [0.0] * len(COLOURS)
    for card in view.hand:
        wealth[COLOUR[card]] += NUMBER[card] or 5
    for colour, pile in enumerate(view.discards):
        # Cards that the opponent threw away can be had, if they are not buried.
        wealth[colour] += sum(NUMBER[card] for card in pile[-2:]) * 0.5
        # What lies on the opponent's side will never come.
        wealth[colour] -= sum(NUMBER[card] for card in theirs[colour]) * 0.3
    need = 15 if view.draw_pile > 14 else 22
    begun = {colour for colour, pile in enumerate(mine) if pile}
    richest = sorted(range(len(COLOURS)), key=lambda colour: -wealth[colour])
    others = [colour for colour in richest if colour not in begun and wealth[colour] >= need]
    return frozenset((*begun, *others[: max(0, FAVOURITES - len(begun))]))


def draw(
    legal: tuple[str, ...], view: LostCitiesView, mine: tuple[Pile, ...], favourites: frozenset[int]
) -> str:
    """Take the best card that belongs to the collection, if it is a good one."""
    best, action = 3, "draw deck"
    for each in legal[1:]:
        colour = COLOURS.index(each[5])
        number = NUMBER[view.discards[colour][-1]]
        worth = number or 6
        if colour in favourites and worth > best and fits(number, mine[colour]):
            best, action = worth, each
    return action


def is_free(waiting: list[str], view: LostCitiesView, mine: tuple[Pile, ...]) -> bool:
    """Return whether the next card can be played without shutting out any card that may still come."""
    card = next_card(waiting, mine)
    pile = mine[COLOUR[card]]
    company = sum(held[0] == card[0] for held in waiting)
    if not NUMBER[card]:
        return company >= 4 and view.draw_pile >= 12
    between = range(max(2, top(pile) + 1), NUMBER[card])
    gone = {*view.discards[COLOUR[card]][:-1]}
    return company >= 2 and all(f"{card[0]}{number}" in gone for number in between)


def next_card(waiting: list[str], mine: tuple[Pile, ...]) -> str:
    """Choose the card that leaves out the fewest numbers; among equals, the longest colour's."""

    def order(card: str) -> tuple[int, int]:
        step = NUMBER[card] - top(mine[COLOUR[card]])
        return step, -sum(held[0] == card[0] for held in waiting)

    return min(waiting, key=order)


def gift(card: str, view: LostCitiesView, theirs: tuple[Pile, ...]) -> float:
    """Rate how useful a card would be to the opponent, or to the own collection."""
    colour, number = COLOUR[card], NUMBER[card]
    company = sum(held[0] == card[0] for held in view.hand)
    wanted = 3.0 if theirs[colour] and fits(number, theirs[colour]) else 0.5 if not theirs[colour] else 0.0
    return (number or 4) * (wanted + 0.3 * company)


if __name__ == "__main__":
    run(Collector())
