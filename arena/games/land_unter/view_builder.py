"""Views of Land Unter, made from a position."""

from __future__ import annotations

from typing import Final

from arena.games.land_unter.state import LandUnterState, turned_up
from arena.games.land_unter.view import LandUnterSeat, LandUnterView

_make: Final = tuple.__new__


def build(state: LandUnterState, seat: int) -> LandUnterView:
    """Show the position to a seat; after the end it is that of the last round."""
    over = len(state.scores) == state.rounds
    totals = [0] * len(state.hands)
    for scores in state.scores:
        for at, points in enumerate(scores):
            totals[at] += points
    still_in, lifebelts, levels = state.still_in, state.lifebelts, state.levels
    return _make(
        LandUnterView,
        (
            len(state.scores) - over,
            state.rounds,
            len(state.tricks),
            state.hands[seat],
            () if over else turned_up(state),
            tuple(
                [
                    _make(LandUnterSeat, (still_in[at], lifebelts[at], levels[at], total))
                    for at, total in enumerate(totals)
                ]
            ),
            state.tricks,
            state.scores,
            state.last_round,
        ),
    )
