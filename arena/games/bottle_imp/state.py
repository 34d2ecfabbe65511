"""Cards and state of The Bottle Imp.  A card is its number, 1 to 37 without 19.

Cards are held at *places*, and points are won by *sides*:

                 places                                                            sides
    standard     0 … n−1: the seats                                                the seats
    lopaka       0, 1: the seats, 2: Lopaka                                        the seats, 2: Lopaka
    bright_house 0, 1: each seat's first hand, once opened its open one            the seats
                 2, 3: each seat's second hand, once opened its hidden one
"""

from __future__ import annotations

from typing import Final, final

from arena.games.bottle_imp.view import Hand, Trick
from arena.games.chance import Stream
from arena.games.kernel import Action, Choice, Decision
from arena.games.values import Value, mypyc_attr

Cards = tuple[int, ...]

START_PRICE: Final = 19
HIGHEST: Final = 37
DECK: Final[Cards] = tuple(card for card in range(1, HIGHEST + 1) if card != START_PRICE)
MAX_HANDS: Final = 100

YELLOW: Final = {1: 1, 2: 1, 3: 2, 5: 2, 7: 3, 9: 3, 12: 4, 15: 4, 18: 5, 22: 5, 25: 6, 28: 6}
BLUE: Final = {4: 1, 6: 1, 8: 2, 10: 2, 13: 3, 17: 3, 20: 4, 24: 4, 27: 5, 30: 5, 32: 6, 34: 6}
RED: Final = {11: 1, 14: 1, 16: 2, 21: 2, 23: 3, 26: 3, 29: 4, 31: 4, 33: 5, 35: 5, 36: 6, 37: 6}

_ALL: Final = {**YELLOW, **BLUE, **RED}
POINTS: Final[Cards] = tuple(_ALL.get(card, 0) for card in range(HIGHEST + 1))
"""By card."""

SUIT: Final[tuple[frozenset[int], ...]] = tuple(
    frozenset([card for colour in (YELLOW, BLUE, RED) if of in colour for card in colour])
    for of in range(HIGHEST + 1)
)
"""By card, all cards of its colour."""

COLOUR: Final[Cards] = tuple(
    0 if card in YELLOW else 1 if card in BLUE else 2 if card in RED else -1 for card in range(HIGHEST + 1)
)
"""By card."""

PLAY: Final[tuple[Action, ...]] = tuple(f"play {card}" for card in range(HIGHEST + 1))

NOBODY: Final = -1
"""Owns the bottle before it is first bought; also the dummy's place where there is none."""

LOPAKA: Final = 2
PASSING: Final = -1
"""Stands for a place while all seats choose at the same time."""

OVER: Final = -2
"""Stands for a place when a hand, or the match, is over."""


@mypyc_attr(acyclic=True)
@final
class Form(Value):
    """Form of a variant with its number of seats."""

    __slots__ = (
        "choices",
        "dummy",
        "groups",
        "orders",
        "seats",
        "sides",
        "sources",
        "variant",
        "verbs",
    )

    def __init__(
        self,
        variant: str,
        seats: int,
        sides: Cards,
        groups: Cards,
        verbs: tuple[str, ...],
        sources: Cards,
        orders: tuple[tuple[Cards, ...], ...],
        choices: tuple[tuple[Decision, ...], ...],
        dummy: int,
    ) -> None:
        self.variant: Final = variant
        self.seats: Final = seats
        self.sides: Final = sides
        """By place, who wins with a card from there."""
        self.groups: Final = groups
        """Number of cards in each group of the deal."""
        self.verbs: Final = verbs
        """Choices that all seats make at the same time before the tricks, in turn."""
        self.sources: Final = sources
        """By verb, where seat 0 takes its card from; seat s takes it s places further on."""
        self.orders: Final = orders
        """By dealer, then by the side that leads: the places in the order in which a trick is played."""
        self.choices: Final = choices
        """By place, who must choose when a card is due from it, and so for PASSING and OVER, counted from the end."""
        self.dummy: Final = dummy
        """The place that a rule plays from."""


@mypyc_attr(acyclic=True)
@final
class Deal(Value):
    """Facts that stay the same for a whole hand."""

    __slots__ = ("dealer", "form", "hand_limit", "past", "rest", "stream", "target", "totals")

    def __init__(
        self,
        form: Form,
        stream: Stream,
        hand_limit: int,
        target: int,
        past: tuple[Hand, ...],
        totals: Cards,
        dealer: int,
        rest: Cards,
    ) -> None:
        self.form: Final = form
        self.stream: Final = stream
        """After the shuffle of this hand."""
        self.hand_limit: Final = hand_limit
        self.target: Final = target
        """The total that ends the match, 0 for none."""
        self.past: Final = past
        self.totals: Final = totals
        """By side, over the hands that are over."""
        self.dealer: Final = dealer
        self.rest: Final = rest
        """Lopaka's variant: the three undealt cards, in their order."""


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class BottleImpState(Value):
    """A whole position."""

    __slots__ = ("deal", "given", "hands", "order", "owner", "place", "points", "price", "trick", "tricks")

    def __init__(
        self,
        deal: Deal,
        given: tuple[Cards, ...],
        place: int,
        hands: tuple[Cards, ...],
        order: Cards,
        trick: Cards,
        price: int,
        owner: int,
        points: Cards,
        tricks: tuple[Trick, ...],
    ) -> None:
        self.deal = deal
        self.given = given
        """By verb, as far as they are done, the cards that the seats chose; for `open` the numbers of the hands."""
        self.place = place
        """Source of the next card, or PASSING or OVER."""
        self.hands = hands
        """By place, ascending."""
        self.order = order
        """The places in the order of this trick."""
        self.trick = trick
        """The cards of this trick so far."""
        self.price = price
        self.owner = owner
        """The side that has the bottle, or NOBODY."""
        self.points = points
        """By side, won in this hand so far."""
        self.tricks = tricks
        """The tricks of this hand that are over."""

    def copy(self) -> BottleImpState:
        """Return a copy, to be changed before it is handed on."""
        return BottleImpState(
            self.deal,
            self.given,
            self.place,
            self.hands,
            self.order,
            self.trick,
            self.price,
            self.owner,
            self.points,
            self.tricks,
        )


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


_LOPAKA: Final = Form(
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

_BRIGHT_HOUSE: Final = Form(
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

FORMS: Final = {
    (form.variant, form.seats): form for form in (_standard(3), _standard(4), _LOPAKA, _BRIGHT_HOUSE)
}
