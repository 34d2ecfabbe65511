"""Profiles: the JSON twin of a bot's page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import BackgroundTasks, Path, Query
from pydantic import Field

from arena.core.answer_fields import VariantName
from arena.rankings.public_ratings import find_variant
from arena.reports import bot_profiles, decision_times
from arena.reports.bot_profiles import Profile
from arena.reports.decision_times import DecisionTimes
from arena.reports.insights import stored_styles
from arena.reports.insights.playing_style import AverageBot, PlayingStyle
from arena.reports.match_lists import matches_of_bot
from arena.reports.match_lists.matches_of_bot import BotMatches
from arena.service.paging import DEFAULT_LIMIT
from arena.web.auth.api_router import api_router
from arena.web.bots import shown_style
from arena.web.http.list_answers import ThePaging
from arena.web.http.path_parameters import GameId, TheQueue, TheStore
from arena.web.http.problems import answers
from arena.web.matches import drama_jobs
from arena.web.responses.response_cache import CACHED

router = api_router("/bots", tags=["bots"], dependencies=[CACHED])

Name = Annotated[str, Path(max_length=80, description="The bot's name.", examples=["greedy"])]


@dataclass(frozen=True, slots=True)
class BotStyle:
    """How a bot's newest rated version plays, beside the average bot of its pool."""

    variant: VariantName
    version: Annotated[str | None, Field(description="The version; null if none is rated.", examples=["1"])]
    style: Annotated[
        PlayingStyle | None,
        Field(description="Null until it is measured, some seconds after it was asked for."),
    ]
    average: Annotated[AverageBot | None, Field(description="The average bot; null until it is measured.")]


@router.get("/{game_id}/{name}", summary="Show a bot", responses=answers(404, 422))
def show_bot(
    store: TheStore, queue: TheQueue, later: BackgroundTasks, game_id: GameId, name: Name
) -> Profile:
    """Return its versions, ratings, opponents, last matches and faults."""
    profile = bot_profiles.read(store, game_id, name)
    drama_jobs.add(later, queue, profile.last)
    return profile


@router.get("/{game_id}/{name}/matches", summary="List a bot's matches", responses=answers(404, 422))
def list_bot_matches(
    store: TheStore,
    queue: TheQueue,
    later: BackgroundTasks,
    game_id: GameId,
    name: Name,
    *,
    paging: ThePaging,
) -> BotMatches:
    """Return its matches in tournaments that have a result, the newest first."""
    page = matches_of_bot.read(store, game_id, name, paging.limit or DEFAULT_LIMIT, paging.cursor)
    drama_jobs.add(later, queue, page.matches)
    return page


@router.get("/{game_id}/{name}/times", summary="Show how long a bot thinks", responses=answers(404, 422))
def show_times(store: TheStore, game_id: GameId, name: Name) -> DecisionTimes:
    """Return the distribution of its decision times, from the records of its last public matches."""
    return decision_times.read(store, bot_profiles.read(store, game_id, name))


@router.get("/{game_id}/{name}/style", summary="Show how a bot plays", responses=answers(404, 422))
def show_style(
    store: TheStore,
    queue: TheQueue,
    later: BackgroundTasks,
    game_id: GameId,
    name: Name,
    *,
    variant: Annotated[
        str | None, Query(max_length=64, description="The variant; the standard one if left out.")
    ] = None,
) -> BotStyle:
    """Return its traits, scores, results by seat, best and worst matches and time, from its newest open matches."""
    profile = bot_profiles.read(store, game_id, name)
    variant = find_variant(game_id, variant)
    rated = next((pool.rows[-1] for pool in profile.pools if pool.variant == variant), None)
    if rated is None:
        return BotStyle(variant, None, None, None)
    played = shown_style.count_matches(profile, rated)
    found = stored_styles.load(store, rated.version_id, game_id, variant, played)
    if found.is_due:
        later.add_task(stored_styles.STYLE.ask, queue, rated.version_id, variant)
    return BotStyle(variant, rated.version, found.style, found.average)
