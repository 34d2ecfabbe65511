"""What results tell beside the Elo: who is stronger how surely, how ratings went, what seats are worth, what sets have saved."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Path, Query

from arena.rankings.rating_history import RatingHistory
from arena.rankings.set_measures import SeatAdvantage, SetSavings
from arena.rankings.superiority import SuperiorityTable
from arena.reports.decision_audit import DecisionAudit
from arena.reports.score_history import ScoreHistory
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import TheArena
from arena.web.http.list_answers import Listed, ThePaging
from arena.web.http.path_parameters import GameId, TournamentId
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED

_YEAR_H = 8784

Variant = Annotated[str, Path(description="The variant's name.", examples=["standard"])]
Hours = Annotated[int, Query(ge=1, le=_YEAR_H, description="How many hours to look back.")]

router = api_router(dependencies=[CACHED])


@router.get(
    "/ratings/{game_id}/{variant}/superiority",
    tags=["ratings"],
    summary="Show who is stronger how surely",
    responses=answers(404, 422),
)
def show_superiority(arena: TheArena, game_id: GameId, variant: Variant) -> SuperiorityTable:
    """Return the chance that each bot of a pool is stronger than each other, by the results there are now."""
    return arena.ratings.show_superiority(game_id, variant)


@router.get(
    "/ratings/{game_id}/{variant}/seats",
    tags=["ratings"],
    summary="Show what seats are worth",
    responses=answers(404, 422),
)
def show_seats(
    arena: TheArena, paging: ThePaging, game_id: GameId, variant: Variant
) -> Listed[SeatAdvantage]:
    """Return the share of its pairs that each seat wins, by seat count; those with fewer than ten whole sets are left out."""
    return paging.answer(partial(arena.ratings.show_seats, game_id, variant))


@router.get(
    "/ratings/{game_id}/{variant}/history",
    tags=["ratings"],
    summary="Show how ratings went",
    responses=answers(404, 422),
)
def show_history(
    arena: TheArena,
    paging: ThePaging,
    game_id: GameId,
    variant: Variant,
    *,
    bot: Annotated[
        list[str],
        Query(max_length=10, description="A bot, or several: all their versions.", examples=[["greedy"]]),
    ] = [],  # noqa: B006
    best: Annotated[
        int | None,
        Query(ge=0, le=50, description="So many of the present best; if left out, 10, and none beside bots."),
    ] = None,
    hours: Hours = 720,
) -> Listed[RatingHistory]:
    """Return the ratings of the best of a pool, of bots that are named, or of both, hour by hour."""
    history = arena.ratings.show_history
    return paging.answer(partial(history, game_id, variant, bot=bot, best=best, hours=hours))


@router.get(
    "/tournaments/{tournament_id}/superiority",
    tags=["tournaments"],
    summary="Show who is stronger how surely in a tournament",
    responses=answers(404, 422),
)
def show_tournament_superiority(arena: TheArena, tournament_id: TournamentId) -> SuperiorityTable:
    """Return the chance that each entry is stronger than each other, by the results of this tournament alone."""
    return arena.tournaments.show_superiority(tournament_id)


@router.get(
    "/tournaments/{tournament_id}/race",
    tags=["tournaments"],
    summary="Show how the points of a tournament's best added up",
    responses=answers(404, 422),
)
def show_race(arena: TheArena, tournament_id: TournamentId) -> ScoreHistory:
    """Return the share of the points that each of the best eight had after so many sets."""
    return arena.tournaments.show_race(tournament_id)


@router.get(
    "/tournaments/{tournament_id}/check",
    tags=["tournaments"],
    summary="Make a tournament's decisions again",
    responses=answers(404, 422),
)
def check_decisions(arena: TheArena, tournament_id: TournamentId) -> DecisionAudit | None:
    """Return whether each decision follows from the results that there were; null until the tournament is over."""
    return arena.tournaments.check_decisions(tournament_id)


@router.get(
    "/tournaments/{tournament_id}/savings",
    tags=["tournaments"],
    summary="Show what its sets have saved a tournament",
    responses=answers(404, 422),
)
def show_savings(arena: TheArena, tournament_id: TournamentId) -> SetSavings | None:
    """Return how many matches its sets have saved a tournament, measured from its own results; null where they are too few."""
    return arena.tournaments.show_savings(tournament_id)
