"""Cards and state of Land Unter.  Weather cards are 1 to 60, water cards their levels 1 to 12."""

from __future__ import annotations

from typing import Final, final

from arena.games.chance import Stream
from arena.games.land_unter.view import Trick
from arena.games.values import Value, mypyc_attr

Cards = tuple[int, ...]

HAND: Final = 12
TRICKS: Final = 12
WEATHER: Final[Cards] = tuple(range(1, 61))
WATER: Final[Cards] = tuple(level for level in range(1, 13) for _ in range(2))

HALVES: Final[Cards] = (0, *[halves for halves in (0, 1, 2, 1, 0) for _ in range(12)])
"""By weather card, the halves of a lifebelt printed on it."""


def count_lifebelts(hand: Cards) -> int:
    """Count the whole lifebelts printed on a hand: each card shows 0, 1 or 2 halves."""
    halves = 0
    for card in hand:
        halves += HALVES[card]
    return halves // 2


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class LandUnterState(Value):
    """A whole position.  Tuples by seat are in seat order."""

    __slots__ = (
        "dealt",
        "hands",
        "last_round",
        "levels",
        "lifebelts",
        "rest",
        "rounds",
        "scores",
        "still_in",
        "stream",
        "tricks",
        "water",
    )

    def __init__(
        self,
        stream: Stream,
        rounds: int,
        dealt: tuple[Cards, ...],
        rest: Cards,
        scores: tuple[tuple[int, ...], ...],
        last_round: tuple[Trick, ...],
        water: Cards,
        tricks: tuple[Trick, ...],
        hands: tuple[Cards, ...],
        still_in: tuple[bool, ...],
        lifebelts: tuple[int, ...],
        levels: tuple[int, ...],
    ) -> None:
        self.stream: Final = stream
        self.rounds: Final = rounds
        """Number of rounds of the match."""
        self.dealt: Final = dealt
        """The hands as they were first dealt, ascending."""
        self.rest: Final = rest
        """Undealt weather cards."""
        self.scores = scores
        """Per round that is over, each seat's score."""
        self.last_round: Final = last_round
        """The tricks of the round before this one."""
        self.water: Final = water
        """The water cards of this round, first to be turned first."""
        self.tricks = tricks
        """The tricks of this round that are over."""
        self.hands = hands
        """The cards still to be played, ascending; empty for a seat that is out."""
        self.still_in = still_in
        self.lifebelts = lifebelts
        self.levels = levels
        """Each seat's water level, 0 without a water card or out."""

    def copy(self) -> LandUnterState:
        """Return a copy, to be changed before it is handed on."""
        return LandUnterState(
            self.stream,
            self.rounds,
            self.dealt,
            self.rest,
            self.scores,
            self.last_round,
            self.water,
            self.tricks,
            self.hands,
            self.still_in,
            self.lifebelts,
            self.levels,
        )


def turned_up(state: LandUnterState) -> Cards:
    """Return the two water cards of the current trick, the lower first."""
    at = 2 * len(state.tricks)
    first, second = state.water[at], state.water[at + 1]
    return (first, second) if first < second else (second, first)
