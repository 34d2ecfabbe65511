"""Elo tables as they are shown: a pool's table, its rows, and the pool in the list of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import Row, Select, select

from arena.bot_registry.bots import HOSTED
from arena.core.answer_fields import (
    Algorithm,
    BotName,
    GameId,
    PoolKey,
    TotalsSha256,
    VariantName,
    Verified,
    VersionName,
)
from arena.ratings.model import provisional
from arena.storage.schema import Bot, Rating, Version


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A row of an Elo table."""

    rank: Annotated[
        int, Field(description="1 for the best; equal Elo share it; counts inside a component.", examples=[1])
    ]
    bot: BotName
    version: VersionName
    elo: Annotated[
        float, Field(description="Elo, to 0.1; the pool's `greedy` version 1 is 1500.", examples=[1500.0])
    ]
    error: Annotated[
        float,
        Field(
            description="Half width of the 95 % interval, relative to the mean of the component.",
            examples=[12.3],
        ),
    ]
    rank_low: Annotated[
        int, Field(description="The best rank that it may really have, at 95 %.", examples=[1])
    ]
    rank_high: Annotated[
        int, Field(description="The worst rank that it may really have, at 95 %.", examples=[3])
    ]
    matches: Annotated[int, Field(description="Rated matches.", examples=[400])]
    provisional: Annotated[bool, Field(description="Fewer than 30 matches, or an error of 100 or more.")]
    component: Annotated[
        int, Field(description="Numbers the groups of bots that never met: not comparable.", examples=[0])
    ]
    verified: Verified


@dataclass(frozen=True, slots=True)
class RatingTable:
    """The Elo table of a pool, and what it was computed from."""

    pool: PoolKey
    game: GameId
    variant: VariantName
    rows: Annotated[tuple[RatingRow, ...], Field(description="Best first.")]
    components: Annotated[int, Field(description="Number of groups of bots that never met.", examples=[1])]
    algorithm: Algorithm
    input_sha256: TotalsSha256
    computed_at: Annotated[
        float | None, Field(description="Seconds since the epoch, UTC; null before the first time.")
    ]


@dataclass(frozen=True, slots=True)
class PoolRow:
    """A game and variant whose results make one public Elo table."""

    key: PoolKey
    game: GameId
    variant: VariantName
    versions: Annotated[int, Field(description="Number of rated versions.", examples=[5])]
    computed_at: Annotated[
        float | None, Field(description="Time of the table's computation, in seconds since the epoch, UTC.")
    ]


def rows_of(pool_id: int) -> Select[*tuple[Any, ...]]:
    """Select the rows of a pool's table, in its order."""
    return (
        select(
            Rating.rank,
            Bot.name.label("bot"),
            Version.version,
            Rating.elo,
            Rating.error,
            Rating.rank_low,
            Rating.rank_high,
            Rating.matches,
            Rating.component,
            Version.source,
        )
        .join(Version, Version.id == Rating.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .where(Rating.pool_id == pool_id)
        .order_by(Rating.component, Rating.rank, Bot.name, Version.version)
    )


def row_of(row: Row[*tuple[Any, ...]]) -> dict[str, Any]:
    """Return the fields of a RatingRow from what `rows_of` has selected."""
    return {
        "rank": row.rank,
        "bot": row.bot,
        "version": row.version,
        "elo": row.elo,
        "error": row.error,
        "rank_low": row.rank_low,
        "rank_high": row.rank_high,
        "matches": row.matches,
        "provisional": provisional(row.matches, row.error),
        "component": row.component,
        "verified": row.source == HOSTED,
    }
