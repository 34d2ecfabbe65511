"""Pools and their Elo tables."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.storage.schema.base_tables import Base


class Pool(Base):
    """A game and variant whose results make one public Elo table, and what that table was computed from."""

    __tablename__ = "pool"
    __table_args__ = (UniqueConstraint("game", "variant"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(64))
    variant: Mapped[str] = mapped_column(String(64))
    algorithm: Mapped[str | None] = mapped_column(String(64))
    input_sha256: Mapped[str | None] = mapped_column(String(64))
    computed_at: Mapped[float | None]


class Rating(Base):
    """A row of a pool's Elo table; `component` numbers the groups that never met, 0 the first.

    `error` is the half width of the 95 % interval, `rank_low` to `rank_high` the ranks that it may really have.
    """

    __tablename__ = "rating"

    pool_id: Mapped[int] = mapped_column(ForeignKey("pool.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    component: Mapped[int]
    rank: Mapped[int]
    rank_low: Mapped[int]
    rank_high: Mapped[int]
    elo: Mapped[float]
    error: Mapped[float]
    matches: Mapped[int]


class RatingPoint(Base):
    """The last rating that a version got within an hour; `hour` counts from the epoch.

    `computed_at` is when it was computed, in seconds since the epoch; None in rows from before that was stored.
    """

    __tablename__ = "rating_point"

    pool_id: Mapped[int] = mapped_column(ForeignKey("pool.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    hour: Mapped[int] = mapped_column(primary_key=True)
    elo: Mapped[float]
    error: Mapped[float]
    matches: Mapped[int]
    computed_at: Mapped[float | None]
