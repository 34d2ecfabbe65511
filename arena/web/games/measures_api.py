"""What results tell beside the Elo: who is stronger how surely, how ratings went, what seats are worth, what sets have saved."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field

from arena.rankings import measures, read_models
from arena.reports import decision_audit, score_history
from arena.web.http.error_responses import answers
from arena.web.http.path_parameters import GameId, TheStore, TournamentId
from arena.web.http.response_cache import OfStore
from arena.web.http.response_model import Model

_YEAR_H = 8784

Variant = Annotated[str, Path(description="The variant's name.", examples=["standard"])]
Hours = Annotated[int, Query(ge=1, le=_YEAR_H, description="How many hours to look back.")]

router = APIRouter(dependencies=[OfStore])


class Superiority(Model):
    """How likely each bot is stronger than each other: likelihood of superiority (LOS)."""

    bots: list[str] = Field(description="NAME@VERSION, best first.", examples=[["greedy@1", "random@1"]])
    chances: list[list[float | None]] = Field(
        description="By row and column, 0 to 1: that the row's bot is the stronger; null where they never met. Empty for more than "
        "200 bots.",
        examples=[[[0.5, 0.99], [0.01, 0.5]]],
    )
    algorithm: str = Field(description="The version of the computation.")
    input_sha256: str = Field(description="SHA-256 of the pair and set totals that it was computed from.")


class HistoryPoint(Model):
    """A rating as it was at the end of an hour, or is now in the present one."""

    at: float = Field(
        description="When it was computed: seconds since the epoch, UTC.  It holds until the next point.",
        examples=[1763726400.0],
    )
    elo: float = Field(description="Elo, to 0.1.", examples=[1500.0])
    error: float = Field(description="Half width of the 95 % interval.", examples=[12.3])
    matches: int = Field(description="Rated matches so far.", examples=[400])


class RatingHistory(Model):
    """The ratings that a version had in a pool."""

    bot: str = Field(description="The bot's name.", examples=["greedy"])
    version: str = Field(description="Its version.", examples=["1"])
    points: list[HistoryPoint] = Field(description="The oldest first; hours without a change are left out.")


class SeatAdvantage(Model):
    """What the seats of a table are worth, measured on whole sets, in which each bot sits once in each."""

    seats: int = Field(description="Seats at the table.", examples=[2])
    sets: int = Field(description="The sets that it was measured on, the last ones.", examples=[2000])
    shares: list[float] = Field(
        description="By seat: the share of its pairs that it wins, 0 to 1; a half is even.",
        examples=[[0.52, 0.48]],
    )
    errors: list[float] = Field(
        description="By seat: half width of the 95 % interval of the share.", examples=[[0.01, 0.01]]
    )


class Redone(Model):
    """How the log of decisions came out when each was made again."""

    followed: int = Field(description="Decisions that were made again and are the same.", examples=[3])
    own: int = Field(description="Decisions that were the organiser's own.", examples=[0])
    wrong: str | None = Field(description="The first that is another; null if all are the same.")
    untold: bool = Field(
        description="Whether nothing was looked at, since results were annulled or the log is long: the archive tells."
    )


class RaceLine(Model):
    """An entry's share of the points so far."""

    bot: str = Field(description="The bot's name.", examples=["greedy"])
    version: str = Field(description="Its version.", examples=["1"])
    shares: list[float | None] = Field(
        description="0 to 1, after each count of sets; null before it has played.", examples=[[1.0, 0.75]]
    )


class Race(Model):
    """How the points of a tournament's best added up, set by set."""

    sets: list[int] = Field(description="After how many sets.", examples=[[1, 2]])
    lines: list[RaceLine] = Field(description="The best eight, in the order of the table.")


class Savings(Model):
    """What its sets have saved a tournament: by how much less luck is in them than in independent matches."""

    ratio: float = Field(
        description="How many matches without sets one match of a set is worth.", examples=[1.4]
    )
    low: float = Field(description="Lower end of the 95 % interval of the ratio.", examples=[1.3])
    high: float = Field(description="Upper end of the 95 % interval of the ratio.", examples=[1.5])
    saved: int = Field(description="Matches more that the same certainty would have taken.", examples=[400])
    sets: int = Field(description="The sets that it was measured on, the last ones.", examples=[500])


@router.get(
    "/ratings/{game_id}/{variant}/superiority",
    response_model=Superiority,
    tags=["ratings"],
    summary="Show who is stronger how surely",
    responses=answers(404, 422),
)
def show_superiority(store: TheStore, game_id: GameId, variant: Variant) -> read_models.SuperiorityTable:
    """Return the chance that each bot of a pool is stronger than each other, by the results there are now."""
    return measures.superiority_of_pool(store, game_id, variant)


@router.get(
    "/ratings/{game_id}/{variant}/seats",
    response_model=list[SeatAdvantage],
    tags=["ratings"],
    summary="Show what seats are worth",
    responses=answers(404, 422),
)
def show_seats(store: TheStore, game_id: GameId, variant: Variant) -> tuple[read_models.SeatAdvantage, ...]:
    """Return the share of its pairs that each seat wins, by seat count; those with fewer than ten whole sets are left out."""
    return measures.seats(store, game_id, variant)


@router.get(
    "/ratings/{game_id}/{variant}/history",
    response_model=list[RatingHistory],
    tags=["ratings"],
    summary="Show how ratings went",
    responses=answers(404, 422),
)
def show_history(
    store: TheStore,
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
) -> tuple[read_models.RatingHistory, ...]:
    """Return the ratings of the best of a pool, of bots that are named, or of both, hour by hour."""
    best = (0 if bot else 10) if best is None else best
    found = dict.fromkeys(measures.history_of_best(store, game_id, variant, best, hours))
    for name in bot:
        found |= dict.fromkeys(measures.history_of_bot(store, game_id, variant, name, hours))
    return tuple(found)


@router.get(
    "/tournaments/{tournament_id}/superiority",
    response_model=Superiority,
    tags=["tournaments"],
    summary="Show who is stronger how surely in a tournament",
    responses=answers(404, 422),
)
def show_tournament_superiority(store: TheStore, tournament_id: TournamentId) -> read_models.SuperiorityTable:
    """Return the chance that each entry is stronger than each other, by the results of this tournament alone."""
    return measures.superiority_of_tournament(store, tournament_id)


@router.get(
    "/tournaments/{tournament_id}/race",
    response_model=Race,
    tags=["tournaments"],
    summary="Show how the points of a tournament's best added up",
    responses=answers(404, 422),
)
def show_race(store: TheStore, tournament_id: TournamentId) -> score_history.ScoreHistory:
    """Return the share of the points that each of the best eight had after so many sets."""
    return score_history.read(store, tournament_id)


@router.get(
    "/tournaments/{tournament_id}/check",
    response_model=Redone | None,
    tags=["tournaments"],
    summary="Make a tournament's decisions again",
    responses=answers(404, 422),
)
def check_decisions(store: TheStore, tournament_id: TournamentId) -> decision_audit.DecisionAudit | None:
    """Return whether each decision follows from the results that there were; null until the tournament is over."""
    return decision_audit.check(store, tournament_id)


@router.get(
    "/tournaments/{tournament_id}/savings",
    response_model=Savings | None,
    tags=["tournaments"],
    summary="Show what its sets have saved a tournament",
    responses=answers(404, 422),
)
def show_savings(store: TheStore, tournament_id: TournamentId) -> read_models.SetSavings | None:
    """Return how many matches its sets have saved a tournament, measured from its own results; null where they are too few."""
    return measures.savings(store, tournament_id)
