"""Elo of some bots of a pool as it was at a moment, from the rating history, so that all processes find the same."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sqlalchemy import func, select, tuple_
from sqlalchemy.orm import Session, aliased

from arena.rankings.public_ratings import find_pool
from arena.ratings.model import provisional
from arena.storage import Store
from arena.storage.schema import Bot, Pool, Rating, RatingPoint, Version

_LEADERS = 5
"""The leaders of the present table of which one was the best at the moment."""


@dataclass(frozen=True, slots=True)
class PastRatings:
    """Elo and its error by bot and version, and the Elo of the best bot; `best` is None in a pool without ratings."""

    of: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    best: float | None = None


def read(
    store: Store, game: str, variant: str, bots: Collection[tuple[str, str]], moment: float
) -> PastRatings:
    """Return the last ratings of some bots, named by bot and version, that were computed by a moment.

    A bot that was rated later has its present Elo: its first ratings replace each other within the hour.
    """
    with store.read() as session:
        pool = find_pool(session, game, variant)
        return PastRatings() if pool is None else _read(session, pool, bots, moment)


def _read(session: Session, pool: Pool, bots: Collection[tuple[str, str]], moment: float) -> PastRatings:
    present = (
        select(Rating.version_id, Bot.name, Version.version, Rating.elo, Rating.error, Rating.matches)
        .join(Version, Version.id == Rating.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .where(Rating.pool_id == pool.id)
    )
    leaders = present.where(Rating.component == 0).order_by(Rating.rank).limit(_LEADERS)
    named = present.where(tuple_(Bot.name, Version.version).in_(list(bots)))
    rows = {row.version_id: row for query in (leaders, named) for row in session.execute(query)}
    past = _points(session, pool.id, rows, moment)
    known = {number: past.get(number, (row.elo, row.error, row.matches)) for number, row in rows.items()}
    sure = [elo for elo, error, matches in known.values() if not provisional(matches, error)]
    return PastRatings(
        {(row.name, row.version): known[number][:2] for number, row in rows.items()},
        max(sure or (elo for elo, _, _ in known.values()), default=None),
    )


def _points(
    session: Session, pool_id: int, versions: Collection[int], moment: float
) -> dict[int, tuple[float, float, int]]:
    later = aliased(RatingPoint)
    last = (
        select(func.max(later.hour))
        .where(
            later.pool_id == pool_id,
            later.version_id == RatingPoint.version_id,
            later.computed_at <= moment,
        )
        .scalar_subquery()
    )
    query = select(RatingPoint.version_id, RatingPoint.elo, RatingPoint.error, RatingPoint.matches).where(
        RatingPoint.pool_id == pool_id, RatingPoint.version_id.in_(versions), RatingPoint.hour == last
    )
    return {number: (elo, error, matches) for number, elo, error, matches in session.execute(query)}
