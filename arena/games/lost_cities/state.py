"""Cards and state of Lost Cities.

A card is a number, its place in the list of the 50 different cards; the three investments of a colour are one:

      0  1  2 …  9 │ 10 11 12 … 19 │ 20 … 29 │ 30 … 39 │ 40 … 49
     Rx R2 R3 … R10│ Gx G2 G3 … G10│ W       │ B       │ Y
"""

from __future__ import annotations

from typing import NamedTuple

from arena.games.chance import Stream

SEATS = 2
NOBODY = SEATS
COLOURS = "RGWBY"
KINDS = 10
"""Different cards of a colour: the investment, then the numbers 2 to 10."""

INVESTMENTS = 3
HAND = 8
TURN_LIMIT = 200

Cards = tuple[int, ...]

NAMES = tuple(colour + rank for colour in COLOURS for rank in ("x", *map(str, range(2, 11))))
CARDS = {name: card for card, name in enumerate(NAMES)}
DECK: Cards = tuple(card for card in range(len(NAMES)) for _ in range(1 if card % KINDS else INVESTMENTS))
CLOSES = tuple(
    frozenset(range(card - card % KINDS, card + 1) if card % KINDS else ()) for card in range(len(NAMES))
)
"""By card, the cards that it closes on its expedition: a number those of its colour up to itself, an investment none."""


class Hand(NamedTuple):
    """A hand that is over."""

    scores: tuple[int, int]
    starter: int
    turns: int
    limited: bool
    """Whether it ended by the turn limit."""


class Deal(NamedTuple):
    """What stays the same for a whole hand."""

    stream: Stream
    """After the shuffle of this hand."""

    hand_limit: int
    """How many hands the match has."""

    past: tuple[Hand, ...]
    totals: tuple[int, int]
    """The scores of the past hands, added up by seat."""

    starter: int
    pile: Cards
    """The draw pile, first to be drawn first."""


class LostCitiesState(NamedTuple):
    """A whole position.  A named tuple: one is made per action, twice as fast as a frozen dataclass."""

    deal: Deal
    turn: int
    """Completed turns of this hand, both seats together."""

    seat: int
    """Whose turn it is; NOBODY when the match is over."""

    placing: bool
    """Whether the seat must place a card; else it must draw one."""

    discarded: int
    """The card discarded in this very turn, −1 for none."""

    hands: tuple[Cards, Cards]
    """Ascending."""

    known: tuple[Cards, Cards]
    """The cards in each hand that the other seat knows, since they were taken from a discard pile; ascending."""

    expeditions: tuple[Cards, ...]
    """Ten piles, those of seat 0 by colour, then those of seat 1; first card played first."""

    closed: tuple[frozenset[int], frozenset[int]]
    """The cards that can no longer go onto each seat's expeditions."""

    discards: tuple[Cards, ...]
    """By colour, bottom card first."""

    drawn: int
    """How many cards of the pile are gone, from its front."""


def add_up(past: tuple[Hand, ...]) -> tuple[int, int]:
    """Add up each seat's scores over the hands that are over."""
    return sum(hand.scores[0] for hand in past), sum(hand.scores[1] for hand in past)
