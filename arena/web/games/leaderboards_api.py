"""Leaderboards: the JSON twin of a game's page."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field

from arena.rankings import leaderboards
from arena.web.http.error_responses import answers
from arena.web.http.path_parameters import GameId, PageNumber, TheStore
from arena.web.http.response_cache import OfStore
from arena.web.http.response_model import Model
from arena.web.tournaments.tournament_schemas import Cell, Rating

_MAX_ROWS = 200

router = APIRouter(tags=["ratings"], dependencies=[OfStore])

Variant = Annotated[str, Path(description="The variant's name.", examples=["standard"])]


class Leader(Rating):
    """A row of an Elo table, with what the bot did."""

    owner: str | None = Field(description="Whose bot it is; null for the house.", examples=["ada"])
    wins: int = Field(description="How often it was ahead of a bot at its table.", examples=[120])
    draws: int = Field(description="How often it shared a place.", examples=[4])
    losses: int = Field(description="How often it was behind.", examples=[80])
    faults: int = Field(description="Matches that it ended by a fault.", examples=[0])
    form: list[float] = Field(
        description="Its share of the points in its last sets, 0 to 1, the newest last.",
        examples=[[0.5, 1.0, 0.0]],
    )


class Leaderboard(Model):
    """A page of a pool's Elo table, and how the bots on it did against each other."""

    pool: str = Field(description="GAME/VARIANT.", examples=["lost_cities/standard"])
    rows: list[Leader] = Field(description="Best first in each component.")
    heads: list[list[Cell | None]] = Field(
        description="By row and column, in the order of the rows: how the row's bot did against the column's; null where they never "
        "met. Of the first 50 rows at most."
    )
    total: int = Field(description="All rows of the table.", examples=[1000])
    components: int = Field(description="Groups of bots that never met: their Elo cannot be compared.")
    algorithm: str = Field(description="The version of the computation.")
    input_sha256: str = Field(description="SHA-256 of the totals that it was computed from.")
    computed_at: float | None = Field(
        description="When it was computed: seconds since the epoch, UTC; null before."
    )


_MAX_LEADERS = 50


@router.get(
    "/ratings/{game_id}/{variant}/leaderboard",
    summary="Show an Elo table with form, faults and meetings",
    responses=answers(404, 422),
)
def show_leaderboard(
    store: TheStore,
    game_id: GameId,
    variant: Variant,
    *,
    page: PageNumber = 1,
    rows: Annotated[int, Query(ge=1, le=_MAX_ROWS, description="Rows of a page.")] = 50,
) -> Leaderboard:
    """Return a page of a pool's table as it was last computed; a page beyond the last is empty."""
    board = leaderboards.read(store, game_id, variant)
    shown = board.rows[(page - 1) * rows : page * rows]
    heads = leaderboards.heads(board, [row.version_id for row in shown[:_MAX_LEADERS]])
    return Leaderboard(
        pool=board.pool,
        rows=[Leader.model_validate(row) for row in shown],
        heads=[[None if cell is None else Cell.model_validate(cell) for cell in cells] for cells in heads],
        total=len(board.rows),
        components=board.components,
        algorithm=board.algorithm,
        input_sha256=board.input_sha256,
        computed_at=board.computed_at,
    )
