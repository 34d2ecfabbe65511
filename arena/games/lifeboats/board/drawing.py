"""Lifeboats: everything is public; the votes of a round."""

from __future__ import annotations

from arena.core.translatable import mark, say
from arena.games.drawing import Drawing, Titles, show_all
from arena.games.lifeboats.view import LifeboatsView

_VOTES = {"leak": mark("Vote: a leak"), "move": mark("Vote: a move"), "overboard": mark("Vote: overboard")}


def _titles(view: LifeboatsView) -> Titles:
    if view.stage in {"launch", "board"}:
        return mark("Setting up"), None
    return say("Round {n}", n=view.round + 1), _VOTES.get(view.vote, mark("Changing boats"))


def _scores(view: LifeboatsView) -> tuple[int, ...]:
    return tuple(seat.score for seat in view.seats)


DRAWING = Drawing(mask=show_all, titles=_titles, scores=_scores)
