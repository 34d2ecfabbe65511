"""Cards and state of The Bottle Imp.  A card is its number, 1 to 37 without 19.

Cards are held at *places*, and points are won by *sides*:

                 places                                                            sides
    standard     0 … n−1: the seats                                                the seats
    lopaka       0, 1: the seats, 2: Lopaka                                        the seats, 2: Lopaka
    bright_house 0, 1: each seat's first hand, once opened its open one            the seats
                 2, 3: each seat's second hand, once opened its hidden one
"""

from __future__ import annotations

from typing import NamedTuple

from arena.games.chance import Stream
from arena.games.kernel import Action, Choice, Decision

Cards = tuple[int, ...]

START_PRICE = 19
HIGHEST = 37
DECK: Cards = tuple(card for card in range(1, HIGHEST + 1) if card != START_PRICE)
MAX_HANDS = 100

YELLOW = {1: 1, 2: 1, 3: 2, 5: 2, 7: 3, 9: 3, 12: 4, 15: 4, 18: 5, 22: 5, 25: 6, 28: 6}
BLUE = {4: 1, 6: 1, 8: 2, 10: 2, 13: 3, 17: 3, 20: 4, 24: 4, 27: 5, 30: 5, 32: 6, 34: 6}
RED = {11: 1, 14: 1, 16: 2, 21: 2, 23: 3, 26: 3, 29: 4, 31: 4, 33: 5, 35: 5, 36: 6, 37: 6}

_ALL = {**YELLOW, **BLUE, **RED}
POINTS: Cards = tuple(_ALL.get(card, 0) for card in range(HIGHEST + 1))
"""By card."""

SUIT: tuple[frozenset[int], ...] = tuple(
    frozenset(card for colour in (YELLOW, BLUE, RED) if of in colour for card in colour)
    for of in range(HIGHEST + 1)
)
"""By card, all cards of its colour."""

PLAY: tuple[Action, ...] = tuple(f"play {card}" for card in range(HIGHEST + 1))

NOBODY = -1
"""Owns the bottle before it is first bought; also the dummy's place where there is none."""

LOPAKA = 2
PASSING = -1
"""Stands for a place while all seats choose at the same time."""

OVER = -2
"""Stands for a place when a hand, or the match, is over."""


class Form(NamedTuple):
    """What a variant with its number of seats looks like."""

    variant: str
    seats: int
    sides: Cards
    """By place, who wins with a card from there."""

    groups: Cards
    """How many cards each group of the deal has."""

    verbs: tuple[str, ...]
    """What all seats choose at the same time before the tricks, in turn."""

    sources: Cards
    """By verb, where seat 0 takes its card from; seat s takes it s places further on."""

    orders: tuple[tuple[Cards, ...], ...]
    """By dealer, then by the side that leads: the places in the order in which a trick is played."""

    choices: tuple[tuple[Decision, ...], ...]
    """By place, who must choose when a card is due from it, and so for PASSING and OVER, counted from the end."""

    dummy: int
    """The place that a rule plays from."""


class Hand(NamedTuple):
    """A hand that is over."""

    scores: Cards
    """By side."""

    owner: int
    """The side that kept the bottle."""

    price: int
    devil: Cards
    """The devil's trick, in the order in which the cards got there."""


class Trick(NamedTuple):
    """A trick that is over."""

    leader: int
    """The side that led it."""

    cards: Cards
    """In the order of play."""

    winner: int
    """The side that won it."""


class Deal(NamedTuple):
    """What stays the same from the first trick of a hand to its last."""

    form: Form
    stream: Stream
    """After the shuffle of this hand."""

    hand_limit: int
    target: int
    """The total that ends the match, 0 for none."""

    past: tuple[Hand, ...]
    totals: Cards
    """By side, over the hands that are over."""

    dealer: int
    rest: Cards
    """Lopaka's variant: the three cards that nobody was dealt, as dealt."""

    given: tuple[Cards, ...]
    """By verb, as far as they are done, the cards that the seats chose; for `open` the numbers of the hands."""


class BottleImpState(NamedTuple):
    """A whole position.  A named tuple: one is made per action, twice as fast as a frozen dataclass."""

    deal: Deal
    place: int
    """Where the next card must come from, or PASSING or OVER."""

    hands: tuple[Cards, ...]
    """By place, ascending."""

    order: Cards
    """The places in the order of this trick."""

    trick: Cards
    """The cards of this trick so far."""

    price: int
    owner: int
    """The side that has the bottle, or NOBODY."""

    points: Cards
    """By side, won in this hand so far."""

    tricks: tuple[Trick, ...]
    """The tricks of this hand that are over."""


def _standard(seats: int) -> Form:
    order = tuple(tuple((leader + at) % seats for at in range(seats)) for leader in range(seats))
    return Form(
        variant="standard",
        seats=seats,
        sides=tuple(range(seats)),
        groups=(len(DECK) // seats,) * seats,
        verbs=("devil", "left", "right"),
        sources=(0, 0, 0),
        orders=(order,) * seats,
        choices=_choices(tuple(range(seats)), seats),
        dummy=NOBODY,
    )


def _choices(deciders: Cards, seats: int) -> tuple[tuple[Decision, ...], ...]:
    return (*[(Choice(seat),) for seat in deciders], (), tuple([Choice(seat) for seat in range(seats)]))


_LOPAKA = Form(
    variant="lopaka",
    seats=2,
    sides=(0, 1, LOPAKA),
    groups=(11, 11, 11, 3),
    verbs=("pass",),
    sources=(0,),
    orders=(((0, 1, 2), (1, 2, 0), (2, 0, 1)), ((0, 2, 1), (1, 0, 2), (2, 1, 0))),
    choices=_choices((0, 1), 2),
    dummy=LOPAKA,
)

_BRIGHT_HOUSE = Form(
    variant="bright_house",
    seats=2,
    sides=(0, 1, 0, 1),
    groups=(9, 9, 9, 9),
    verbs=("devil", "pass", "devil", "pass", "open"),
    sources=(0, 0, 2, 2, 0),
    orders=(((0, 1, 2, 3), (1, 0, 3, 2)),) * 2,
    choices=_choices((0, 1, 0, 1), 2),
    dummy=NOBODY,
)

FORMS = {(form.variant, form.seats): form for form in (_standard(3), _standard(4), _LOPAKA, _BRIGHT_HOUSE)}
