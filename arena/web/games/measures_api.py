"""Statistics of results besides the Elo: likelihood of superiority, rating history, advantage of seats, matches saved by sets."""

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
Hours = Annotated[int, Query(ge=1, le=_YEAR_H, description="Number of hours to look back.")]

router = api_router(dependencies=[CACHED])


@router.get(
    "/ratings/{game_id}/{variant}/superiority",
    tags=["ratings"],
    summary="Show the likelihood of superiority",
    responses=answers(404, 422),
)
def show_superiority(arena: TheArena, game_id: GameId, variant: Variant) -> SuperiorityTable:
    """Return the probability that each bot of a pool is stronger than each other one."""
    return arena.ratings.show_superiority(game_id, variant)


@router.get(
    "/ratings/{game_id}/{variant}/seats",
    tags=["ratings"],
    summary="Show the advantage of seats",
    responses=answers(404, 422),
)
def show_seats(
    arena: TheArena, paging: ThePaging, game_id: GameId, variant: Variant
) -> Listed[SeatAdvantage]:
    """Return the share of pairs that each seat wins, by seat count; counts with fewer than ten complete sets are left out."""
    return paging.answer(partial(arena.ratings.show_seats, game_id, variant))


@router.get(
    "/ratings/{game_id}/{variant}/history",
    tags=["ratings"],
    summary="Show the rating history",
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
        Query(
            max_length=10,
            description="A bot, or several; all their versions are included.",
            examples=[["greedy"]],
        ),
    ] = [],  # noqa: B006
    best: Annotated[
        int | None,
        Query(ge=0, le=50, description="Number of top bots to include; default 10, or 0 if `bot` is given."),
    ] = None,
    hours: Hours = 720,
) -> Listed[RatingHistory]:
    """Return the hourly ratings of the top bots of a pool, of named bots, or of both."""
    history = arena.ratings.show_history
    return paging.answer(partial(history, game_id, variant, bot=bot, best=best, hours=hours))


@router.get(
    "/tournaments/{tournament_id}/superiority",
    tags=["tournaments"],
    summary="Show the likelihood of superiority in a tournament",
    responses=answers(404, 422),
)
def show_tournament_superiority(arena: TheArena, tournament_id: TournamentId) -> SuperiorityTable:
    """Return the probability that each entry is stronger than each other one, by the results of this tournament alone."""
    return arena.tournaments.show_superiority(tournament_id)


@router.get(
    "/tournaments/{tournament_id}/race",
    tags=["tournaments"],
    summary="Show the race of a tournament's best bots",
    responses=answers(404, 422),
)
def show_race(arena: TheArena, tournament_id: TournamentId) -> ScoreHistory:
    """Return the points share of the best eight bots as sets were played."""
    return arena.tournaments.show_race(tournament_id)


@router.get(
    "/tournaments/{tournament_id}/check",
    tags=["tournaments"],
    summary="Check a tournament's decisions",
    responses=answers(404, 422),
)
def check_decisions(arena: TheArena, tournament_id: TournamentId) -> DecisionAudit | None:
    """Recompute each decision from the results and return whether it follows; null until the tournament is over."""
    return arena.tournaments.check_decisions(tournament_id)


@router.get(
    "/tournaments/{tournament_id}/savings",
    tags=["tournaments"],
    summary="Show the matches saved by sets",
    responses=answers(404, 422),
)
def show_savings(arena: TheArena, tournament_id: TournamentId) -> SetSavings | None:
    """Return the number of matches that sets have saved a tournament, measured from its results; null if they are too few."""
    return arena.tournaments.show_savings(tournament_id)
