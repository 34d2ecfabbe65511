"""Matching Pennies: what lies open, and the rounds of a match."""

from __future__ import annotations

from arena.core.translatable import say
from arena.games.drawing import Drawing, Table, Titles, Views, any_view
from arena_game_matching_pennies.view import MatchingPenniesView


def _mask(views: Views) -> Table:
    view: MatchingPenniesView = any_view(views)
    return Table(view._replace(stake=0), ((),) * len(views), ((),) * len(views))


def _titles(view: MatchingPenniesView) -> Titles:
    return say("Round of pennies {n}", n=view.round + 1), None


DRAWING = Drawing(mask=_mask, titles=_titles)
