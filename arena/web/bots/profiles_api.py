"""Profiles: the JSON twin of a bot's page."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query

from arena.reports.bot_profiles import Profile
from arena.reports.decision_times import DecisionTimes
from arena.reports.match_lists.matches_of_bot import BotMatches
from arena.service.composed_answers import BotStyle
from arena.service.paging import DEFAULT_LIMIT
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import TheArena
from arena.web.http.list_answers import ThePaging
from arena.web.http.path_parameters import GameId
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED

router = api_router("/bots", tags=["bots"], dependencies=[CACHED])

Name = Annotated[str, Path(max_length=80, description="The bot's name.", examples=["greedy"])]


@router.get("/{game_id}/{name}", summary="Show a bot", responses=answers(404, 422))
def show_bot(arena: TheArena, game_id: GameId, name: Name) -> Profile:
    """Return versions, ratings, opponents, last matches and faults of a bot."""
    return arena.bots.show(game_id, name)


@router.get("/{game_id}/{name}/matches", summary="List a bot's matches", responses=answers(404, 422))
def list_bot_matches(arena: TheArena, paging: ThePaging, game_id: GameId, name: Name) -> BotMatches:
    """List the tournament matches of a bot that have a result, the newest first."""
    limit = paging.limit or DEFAULT_LIMIT
    page = arena.bots.list_matches(game_id, name, limit=limit, cursor=paging.cursor or None).first
    return BotMatches(page.items, page.next, page.next)


@router.get(
    "/{game_id}/{name}/times", summary="Show the decision times of a bot", responses=answers(404, 422)
)
def show_times(arena: TheArena, game_id: GameId, name: Name) -> DecisionTimes:
    """Return the distribution of a bot's decision times in its last public matches."""
    return arena.bots.show_times(game_id, name)


@router.get("/{game_id}/{name}/style", summary="Show the style of a bot", responses=answers(404, 422))
def show_style(
    arena: TheArena,
    game_id: GameId,
    name: Name,
    *,
    variant: Annotated[
        str | None, Query(max_length=64, description="The variant; default: the standard one.")
    ] = None,
) -> BotStyle:
    """Return a bot's traits, scores, results by seat, best and worst matches and times, from its newest open matches."""
    return arena.bots.show_style(game_id, name, variant=variant)
