"""A game: the Elo table of each of its pools, and its tournaments."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.games import registry
from arena.services import measures, ratings, tournaments
from arena.services.pages import RatingTable
from arena.web.catalogue import describe_seats
from arena.web.environment import render
from arena.web.parameters import GameId, TheStore
from arena.web.remembering import OfStore

_TOURNAMENTS = 10
_MARGIN = 40
"""Elo left free at both ends of the drawn scale."""

router = APIRouter(include_in_schema=False, dependencies=[OfStore])


@router.get("/games/{game_id}")
def show(request: Request, store: TheStore, game_id: GameId) -> Response:
    """Show a game."""
    game = registry.find(game_id)
    tables = [ratings.table(store, game.id, variant) for variant in game.variants]
    return render(
        request,
        "game.html",
        game=game,
        seats=describe_seats(game),
        tables=[(table, _scale(table), measures.seats(store, game.id, table.variant)) for table in tables],
        tournaments=[row for row in tournaments.listing(store) if row.game == game.id][:_TOURNAMENTS],
    )


def _scale(table: RatingTable) -> tuple[float, float]:
    """Give the ends of the scale that the table's Elo are drawn on: error bars fit in, but for those of provisional ratings."""
    ends = [
        row.elo + side * (_MARGIN if row.provisional else max(row.error, _MARGIN))
        for row in table.rows
        for side in (-1, 1)
    ]
    return min(ends, default=0.0), max(ends, default=1.0)
