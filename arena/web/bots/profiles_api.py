"""Profiles: the JSON twin of a bot's page."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

from arena.reports import bot_profiles, decision_times
from arena.reports.bot_profiles import Profile
from arena.reports.decision_times import DecisionTimes
from arena.web.auth.api_router import api_router
from arena.web.http.error_responses import answers
from arena.web.http.path_parameters import GameId, TheStore
from arena.web.http.response_cache import OfStore

router = api_router("/bots", tags=["bots"], dependencies=[OfStore])

Name = Annotated[str, Path(max_length=80, description="The bot's name.", examples=["greedy"])]


@router.get("/{game_id}/{name}", summary="Show a bot", responses=answers(404, 422))
def show_bot(store: TheStore, game_id: GameId, name: Name) -> Profile:
    """Return its versions, ratings, opponents, last matches and faults."""
    return bot_profiles.read(store, game_id, name)


@router.get("/{game_id}/{name}/times", summary="Show how long a bot thinks", responses=answers(404, 422))
def show_times(store: TheStore, game_id: GameId, name: Name) -> DecisionTimes:
    """Return the distribution of its decision times, from the records of its last public matches."""
    return decision_times.read(store, bot_profiles.read(store, game_id, name))
