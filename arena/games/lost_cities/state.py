"""Cards and state of Lost Cities.

A card is a number, its place in the list of the 50 different cards; the three investments of a colour are one:

      0  1  2 …  9 │ 10 11 12 … 19 │ 20 … 29 │ 30 … 39 │ 40 … 49
     Rx R2 R3 … R10│ Gx G2 G3 … G10│ W       │ B       │ Y
"""

from __future__ import annotations

from typing import Final, NamedTuple, final

from arena.games.chance import Stream
from arena.games.values import Value, mypyc_attr

SEATS: Final = 2
NOBODY: Final = SEATS
COLOURS: Final = "RGWBY"
KINDS: Final = 10
"""Different cards of a colour: the investment, then the numbers 2 to 10."""

INVESTMENTS: Final = 3
HAND: Final = 8
TURN_LIMIT: Final = 200

Cards = tuple[int, ...]

NAMES: Final = tuple(colour + rank for colour in COLOURS for rank in ("x", *map(str, range(2, 11))))
CARDS: Final = {name: card for card, name in enumerate(NAMES)}
DECK: Final[Cards] = tuple(
    card for card in range(len(NAMES)) for _ in range(1 if card % KINDS else INVESTMENTS)
)


class Hand(NamedTuple):
    """A hand that is over."""

    scores: tuple[int, int]
    starter: int
    turns: int
    limited: bool
    """Whether it ended by the turn limit."""


@mypyc_attr(acyclic=True)
@final
class Deal(Value):
    """Facts that stay the same for a whole hand."""

    __slots__ = ("hand_limit", "past", "pile", "starter", "stream", "totals")

    def __init__(
        self,
        stream: Stream,
        hand_limit: int,
        past: tuple[Hand, ...],
        totals: tuple[int, int],
        starter: int,
        pile: Cards,
    ) -> None:
        self.stream: Final = stream
        """After the shuffle of this hand."""
        self.hand_limit: Final = hand_limit
        """Number of hands of the match."""
        self.past: Final = past
        self.totals: Final = totals
        """The scores of the past hands, added up by seat."""
        self.starter: Final = starter
        self.pile: Final = pile
        """The draw pile, first to be drawn first."""


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class LostCitiesState(Value):
    """A whole position."""

    __slots__ = (
        "deal",
        "discarded",
        "discards",
        "drawn",
        "expeditions",
        "hands",
        "known",
        "placing",
        "seat",
        "turn",
    )

    def __init__(
        self,
        deal: Deal,
        turn: int,
        seat: int,
        placing: bool,  # noqa: FBT001 - positional for `copy`
        discarded: int,
        hands: tuple[Cards, ...],
        known: tuple[Cards, ...],
        expeditions: tuple[tuple[Cards, ...], ...],
        discards: tuple[Cards, ...],
        drawn: int,
    ) -> None:
        self.deal = deal
        self.turn = turn
        """Completed turns of this hand, both seats together."""
        self.seat = seat
        """Seat whose turn it is; NOBODY when the match is over."""
        self.placing = placing
        """Whether the seat must place a card; else it must draw one."""
        self.discarded = discarded
        """The card discarded in this very turn, −1 for none."""
        self.hands = hands
        """Ascending."""
        self.known = known
        """The cards in each hand that the other seat knows, since they were taken from a discard pile; ascending."""
        self.expeditions = expeditions
        """By seat, then by colour; first card played first."""
        self.discards = discards
        """By colour, bottom card first."""
        self.drawn = drawn
        """Number of cards drawn from the front of the pile."""

    def copy(self) -> LostCitiesState:
        """Return a copy, to be changed before it is handed on."""
        return LostCitiesState(
            self.deal,
            self.turn,
            self.seat,
            self.placing,
            self.discarded,
            self.hands,
            self.known,
            self.expeditions,
            self.discards,
            self.drawn,
        )


def add_up(past: tuple[Hand, ...]) -> tuple[int, int]:
    """Add up each seat's scores over the hands that are over."""
    return sum(hand.scores[0] for hand in past), sum(hand.scores[1] for hand in past)


def fits(card: int, pile: Cards) -> bool:
    """Return whether a card may go onto an expedition of its colour: none there is higher, and only investments are equal."""
    return not pile or card >= pile[-1]
