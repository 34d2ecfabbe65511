"""What drawings say beyond the views: scores so far, who played which card, what the bottle was sold for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.games.bottle_imp.state import BLUE, POINTS, RED, START_PRICE, YELLOW
from arena.games.bottle_imp.tricks import find_winner
from arena.games.bottle_imp.view import BottleImpView
from arena.games.kernel import Action, Played
from arena.games.lost_cities.rules import score_expedition
from arena.games.lost_cities.state import CARDS
from arena.web.boards.scene import Scene

Details = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Offer:
    """What a seat may choose: its legal actions by their verb, in the rules' order, and the one it will choose."""

    seat: int
    groups: tuple[tuple[str, tuple[Action, ...]], ...]
    chosen: Action | None


def offers(scene: Scene) -> tuple[Offer, ...]:
    """Sort the legal actions of each seat by their verb."""
    found = []
    for seat, actions in scene.legal.items():
        groups: dict[str, list[Action]] = {}
        for action in actions:
            groups.setdefault(action.split()[0], []).append(action)
        listed = tuple((verb, tuple(each)) for verb, each in groups.items())
        found.append(Offer(seat, listed, scene.chosen.get(seat)))
    return tuple(found)


def _lost_cities(scene: Scene) -> Details:
    """Return what each expedition is worth, the sum of each seat's, and what was done last."""
    worth = [
        [score_expedition(tuple([CARDS[name] for name in pile])) for pile in piles]
        for piles in scene.table.view.expeditions
    ]
    done = next(((step.seat, step.action) for step in scene.after if isinstance(step, Played)), None)
    return {"worth": worth, "standing": [sum(each) for each in worth], "done": done}


@dataclass(frozen=True, slots=True)
class TrickCard:
    """A card of a trick, the side that played it, and whether it wins, or is ahead so far."""

    number: int
    side: int
    wins: bool


@dataclass(frozen=True, slots=True)
class BottleTrick:
    """A trick of The Bottle Imp: the price that it was played at, and the one that it left; `winner` is None while it is open."""

    cards: tuple[TrickCard, ...]
    price: int
    sold: int
    winner: int | None

    @property
    def open(self) -> bool:
        """Whether it is still played."""
        return self.winner is None


def _bottle_imp(scene: Scene) -> Details:
    """Return the tricks of the hand, the one that lies on the table, and what is printed on the cards."""
    view: BottleImpView = scene.table.view
    sides, seats = len(view.points), len(scene.names)
    # Clockwise round the table; of two seats with two hands each, both play twice.
    order = (view.dealer, 1 - view.dealer, 2) if sides > seats else tuple(range(sides))
    tricks: list[BottleTrick] = []
    price = START_PRICE
    for trick in view.tricks:
        tricks.append(_lay_out(trick.cards, trick.leader, order, price, trick.winner))
        price = tricks[-1].sold
    opened = _lay_out(view.trick, view.leader, order, price, None)
    lying = tricks[-1] if tricks and not view.trick else opened
    return {"tricks": tricks, "lying": lying, "colour": _COLOURS, "coins": POINTS}


def _teotlatolli(scene: Scene) -> Details:
    """Return who put which sign to which god last."""
    for step in scene.after:
        if isinstance(step, Played):
            words = step.action.split()
            if len(words) > 2:
                return {"by": step.seat, "touched": words[1], "target": words[-1]}
    return {"by": None, "touched": None, "target": None}


def _lay_out(
    cards: Sequence[int], leader: int, order: Sequence[int], price: int, winner: int | None
) -> BottleTrick:
    best = find_winner(tuple(cards), price) if cards else 0
    first = order.index(leader)
    laid = tuple(
        TrickCard(card, order[(first + at) % len(order)], wins=card == best) for at, card in enumerate(cards)
    )
    return BottleTrick(laid, price, min(best, price) if cards else price, winner)


_COLOURS = {card: letter for letter, colour in (("Y", YELLOW), ("B", BLUE), ("R", RED)) for card in colour}

DETAILS: Mapping[str, Callable[[Scene], Details]] = {
    "lost_cities": _lost_cities,
    "bottle_imp": _bottle_imp,
    "teotlatolli": _teotlatolli,
}
"""By game: more names for its template."""
