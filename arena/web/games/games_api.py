"""The games of this arena."""

from __future__ import annotations

from arena.service.composed_answers import Game
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import TheArena
from arena.web.http.list_answers import Listed, ThePaging
from arena.web.http.path_parameters import GameId
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED

router = api_router(tags=["games"], dependencies=[CACHED])


@router.get("/games", summary="List the games", responses=answers(422))
async def list_games(arena: TheArena, paging: ThePaging) -> Listed[Game]:
    """List every game with its variants, seat counts and options."""
    return paging.answer(arena.games.list)


@router.get("/games/{game_id}", summary="Show a game", responses=answers(404, 422))
async def show_game(arena: TheArena, game_id: GameId) -> Game:
    """Return a game with its variants, seat counts and options."""
    return arena.games.show(game_id)
