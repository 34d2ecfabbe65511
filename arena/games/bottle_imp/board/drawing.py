"""The Bottle Imp: the public position, the tricks of a hand, and the price of the bottle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.translatable import mark, say
from arena.games.bottle_imp.state import BLUE, POINTS, RED, START_PRICE, YELLOW
from arena.games.bottle_imp.tricks import find_winner
from arena.games.bottle_imp.view import BottleImpView
from arena.games.drawing import Details, Drawing, Scene, Table, Titles, Views, any_view

_CARDS = 36
_LOPAKA_HAND = 11
_BRIGHT_HOUSE_HAND = 9
_COLOURS = {card: letter for letter, colour in (("Y", YELLOW), ("B", BLUE), ("R", RED)) for card in colour}


def _mask(views: Views) -> Table:
    view: BottleImpView = any_view(views)
    # The number of cards put away is public, and distinguishes two choices of the same kind.
    blank = view._replace(
        cards=(),
        discarded=(0,) * len(view.discarded),
        passed=(0,) * len(view.passed),
        received=(0,) * len(view.received),
    )
    return Table(blank, _count_hands(blank, len(views)), ((),) * len(views))


def _count_hands(view: BottleImpView, seats: int) -> tuple[tuple[int, ...], ...]:
    if len(view.points) > seats:
        order: tuple[int, ...] = (view.dealer, 1 - view.dealer, 2)
        start, playing = _LOPAKA_HAND, _LOPAKA_HAND
    elif seats == 2:
        return _count_bright_house(view)
    else:
        order = tuple(range(seats))
        start = _CARDS // seats
        playing = start - 1
    if view.choosing not in {"", "play"}:
        return ((start - len(view.discarded) - len(view.passed),),) * seats
    first = order.index(view.leader)
    played = {order[(first + at) % len(order)] for at in range(len(view.trick))}
    return tuple((playing - len(view.tricks) - (seat in played),) for seat in range(seats))


def _count_bright_house(view: BottleImpView) -> tuple[tuple[int, ...], ...]:
    done = len(view.discarded) + len(view.passed)
    if view.choosing not in {"", "play"}:
        # A hand gives away two cards and gets one; the second is dealt, but not looked at before its turn.
        first = (_BRIGHT_HOUSE_HAND, _BRIGHT_HOUSE_HAND - 1, _BRIGHT_HOUSE_HAND - 1)[min(done, 2)]
        second = (_BRIGHT_HOUSE_HAND, _BRIGHT_HOUSE_HAND - 1, _BRIGHT_HOUSE_HAND - 1)[max(done - 2, 0)]
        return ((first, second),) * 2
    left = _BRIGHT_HOUSE_HAND - 1 - len(view.tricks)
    played = len(view.trick)
    order = (view.leader, 1 - view.leader)
    return tuple(
        (left - (order.index(seat) < played), left - (order.index(seat) + 2 < played)) for seat in range(2)
    )


def _titles(view: BottleImpView) -> Titles:
    playing = view.choosing == "play"
    trick = say("Trick {n}", n=len(view.tricks) + 1) if playing else mark("Passing")
    return say("Hand {n}", n=view.hand_number + 1), trick


@dataclass(frozen=True, slots=True)
class TrickCard:
    """A card of a trick, the side that played it, and whether it wins, or is ahead so far."""

    number: int
    side: int
    wins: bool


@dataclass(frozen=True, slots=True)
class BottleTrick:
    """A trick: the price that it was played at, and the one that it left; `winner` is None while it is open."""

    cards: tuple[TrickCard, ...]
    price: int
    sold: int
    winner: int | None

    @property
    def open(self) -> bool:
        """Whether it is still played."""
        return self.winner is None


def _details(scene: Scene) -> Details:
    """Return the tricks of the hand, the one on the table, and the printed values of the cards."""
    view: BottleImpView = scene.table.view
    seats = len(scene.names)
    order = play_order(view, seats)
    tricks: list[BottleTrick] = []
    price = START_PRICE
    for trick in view.tricks:
        tricks.append(lay_out(trick.cards, trick.leader, order, price, trick.winner))
        price = tricks[-1].sold
    opened = lay_out(view.trick, view.leader, order, price, None)
    lying = tricks[-1] if tricks and not view.trick else opened
    return {"tricks": tricks, "lying": lying, "colour": _COLOURS, "coins": POINTS}


def play_order(view: BottleImpView, seats: int) -> tuple[int, ...]:
    """Return the sides clockwise round the table; of two seats with two hands each, both play twice."""
    sides = len(view.points)
    return (view.dealer, 1 - view.dealer, 2) if sides > seats else tuple(range(sides))


def lay_out(
    cards: Sequence[int], leader: int, order: Sequence[int], price: int, winner: int | None
) -> BottleTrick:
    """Lay out a trick as far as it is played, led by `leader` at a price of the bottle."""
    best = find_winner(tuple(cards), price) if cards else 0
    first = order.index(leader)
    laid = tuple(
        TrickCard(card, order[(first + at) % len(order)], wins=card == best) for at, card in enumerate(cards)
    )
    return BottleTrick(laid, price, min(best, price) if cards else price, winner)


def _scores(view: BottleImpView) -> tuple[int, ...]:
    return view.totals


def _standing(view: BottleImpView) -> tuple[int, ...]:
    """Return the totals plus the tricks won in this hand, which the bottle's owner would lose."""
    return tuple(
        total + (0 if side == view.owner else points)
        for side, (total, points) in enumerate(zip(view.totals, view.points, strict=True))
    )


DRAWING = Drawing(mask=_mask, titles=_titles, details=_details, scores=_scores, standing=_standing)
