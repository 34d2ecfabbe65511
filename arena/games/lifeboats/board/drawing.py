"""Lifeboats: everything lies open; the votes of a round."""

from __future__ import annotations

from arena.core.translatable import mark
from arena.games.drawing import Drawing, Title, Titles, show_all
from arena.games.lifeboats.view import LifeboatsView

_VOTES = {"leak": mark("Vote: a leak"), "move": mark("Vote: a move"), "overboard": mark("Vote: overboard")}


def _titles(view: LifeboatsView) -> Titles:
    if view.stage in {"launch", "board"}:
        return Title(mark("Setting up")), None
    return Title(mark("Round %(n)s"), view.round + 1), Title(_VOTES.get(view.vote, mark("Changing boats")))


def _scores(view: LifeboatsView) -> tuple[int, ...]:
    return tuple(seat.score for seat in view.seats)


DRAWING = Drawing(mask=show_all, titles=_titles, scores=_scores)
