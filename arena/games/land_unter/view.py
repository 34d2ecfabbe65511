"""What a seat sees of Land Unter."""

from __future__ import annotations

from typing import NamedTuple

from arena.games.land_unter.state import LandUnterState, turned_up
from arena.games.land_unter.trick import Trick


class LandUnterSeat(NamedTuple):
    """A seat in this round."""

    still_in: bool
    lifebelts: int
    level: int
    """Its water level: the card on top, 0 without a card."""

    total: int
    """Its total over the rounds that are over."""


class LandUnterView(NamedTuple):
    """The position as one seat may know it; a named tuple, since one is made per decision.  Tuples by seat are in seat order."""

    round: int
    rounds: int
    trick: int
    hand: tuple[int, ...]
    """Ascending."""

    water: tuple[int, ...]
    """The two water cards turned up, the lower first; empty when the match is over."""

    seats: tuple[LandUnterSeat, ...]
    tricks: tuple[Trick, ...]
    """The tricks of this round that are over, first one first."""

    scores: tuple[tuple[int, ...], ...]
    """Per round that is over, each seat's score."""

    last_round: tuple[Trick, ...]
    """The tricks of the round before this one: a seat that went out in it was not asked again before its end."""


def build(state: LandUnterState, seat: int) -> LandUnterView:
    """Show the position to a seat; after the end it is that of the last round."""
    over = len(state.scores) == state.rounds
    totals = [sum(scores) for scores in zip(*state.scores, strict=True)] or [0] * len(state.hands)
    return LandUnterView(
        round=len(state.scores) - over,
        rounds=state.rounds,
        trick=len(state.tricks),
        hand=state.hands[seat],
        water=() if over else turned_up(state),
        seats=tuple(map(LandUnterSeat, state.still_in, state.lifebelts, state.levels, totals)),
        tricks=state.tricks,
        scores=state.scores,
        last_round=state.last_round,
    )
