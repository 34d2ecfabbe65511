"""Land Unter: the public position, and the rounds of a match."""

from __future__ import annotations

from arena.core.translatable import say
from arena.games.drawing import Drawing, Table, Titles, Views, any_view
from arena.games.land_unter.rules import score_round
from arena.games.land_unter.state import HAND
from arena.games.land_unter.view import LandUnterView


def _mask(views: Views) -> Table:
    view: LandUnterView = any_view(views)
    left = HAND - len(view.tricks)
    held = tuple((left if seat.still_in else 0,) for seat in view.seats)
    return Table(view._replace(hand=()), held, ((),) * len(held))


def _titles(view: LandUnterView) -> Titles:
    return say("Round {n}", n=view.round + 1), None


def _scores(view: LandUnterView) -> tuple[int, ...]:
    return tuple(sum(each[seat] for each in view.scores) for seat in range(len(view.seats)))


def _standing(view: LandUnterView) -> tuple[int, ...]:
    """Return the totals with what this round would bring if it ended now."""
    seats = view.seats
    now = score_round(
        tuple([seat.still_in for seat in seats]),
        tuple([seat.lifebelts for seat in seats]),
        tuple([seat.level for seat in seats]),
    )
    return tuple(total + more for total, more in zip(_scores(view), now, strict=True))


DRAWING = Drawing(mask=_mask, titles=_titles, scores=_scores, standing=_standing)
