"""The games of this arena."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

from arena.games import registry
from arena.games.registry import GAMES, AnyGame
from arena.service.paging import listed
from arena.web.auth.api_router import api_router
from arena.web.games.game_schemas import Game, Option, Variant
from arena.web.http.list_answers import Listed, ThePaging
from arena.web.http.path_parameters import GameId
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED

router = api_router(tags=["games"], dependencies=[CACHED])


@router.get("/games", summary="List the games", responses=answers(422))
async def list_games(paging: ThePaging) -> Listed[Game]:
    """Every game with its variants, seat counts and options."""
    return paging.answer(partial(listed, tuple(_describe(game) for game in GAMES.values())))


@router.get("/games/{game_id}", summary="Show a game", responses=answers(404, 422))
async def show_game(game_id: GameId) -> Game:
    """One game with its variants, seat counts and options."""
    return _describe(registry.find(game_id))


def _describe(game: AnyGame) -> Game:
    variants = tuple(
        Variant(name, tuple(seats), tuple(Option(**asdict(each)) for each in game.options(name, min(seats))))
        for name, seats in game.variants.items()
    )
    return Game(game.id, game.title, game.rules_version, variants)
