"""Rating history: the ratings that versions had in a pool, hour by hour."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.competition.matches import rating_inputs
from arena.core.answer_fields import BotName, VersionName
from arena.core.errors import UsageError
from arena.core.translatable import say
from arena.rankings.public_ratings import find_pool, find_variant
from arena.storage import Store
from arena.storage.schema import Bot, Pool, Rating, RatingPoint, Version

_MAX_POINTS = 20_000
_HOUR_S = 3600
_FEWEST_DRAWN = 3


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """A rating as it was at the end of an hour, or is now in the present one."""

    at: Annotated[
        float,
        Field(
            description="Time of its computation, in seconds since the epoch, UTC. It is valid until the next point.",
            examples=[1763726400.0],
        ),
    ]
    elo: Annotated[float, Field(description="Elo, to 0.1.", examples=[1500.0])]
    error: Annotated[float, Field(description="Half width of the 95 % interval.", examples=[12.3])]
    matches: Annotated[int, Field(description="Rated matches so far.", examples=[400])]


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """The ratings that a version had in a pool."""

    bot: BotName
    version: VersionName
    points: Annotated[
        tuple[HistoryPoint, ...], Field(description="The oldest first; hours without a change are left out.")
    ]


def has_course(histories: Sequence[RatingHistory]) -> bool:
    """Return whether there is a course to draw: of fewer points than three a chart shows nothing that a number does not."""
    return any(len(history.points) >= _FEWEST_DRAWN for history in histories)


def history_of_bot(store: Store, game: str, variant: str, bot: str, hours: int) -> tuple[RatingHistory, ...]:
    """Return the ratings that the versions of a bot had in a pool in the last `hours`, the newest version last.

    Raises UsageError for a game, variant or bot that does not exist.
    """
    find_variant(game, variant)
    with store.read() as session:
        bot_id = session.scalar(select(Bot.id).where(Bot.game == game, Bot.name == bot))
        if bot_id is None:
            raise UsageError(say("bot {bot!r}: {game} has none of that name", bot=bot, game=game))
        versions = session.execute(
            select(Version.id, Version.version).where(Version.bot_id == bot_id).order_by(Version.id)
        )
        return _histories(
            store, session, game, variant, {row.id: (bot, row.version) for row in versions}, hours
        )


def history_of_best(
    store: Store, game: str, variant: str, best: int, hours: int
) -> tuple[RatingHistory, ...]:
    """Return the ratings that the present best of a pool had in the last `hours`, the best first.

    Raises UsageError for a game or variant that does not exist.
    """
    find_variant(game, variant)
    query = (
        select(Version.id, Bot.name, Version.version)
        .join(Bot, Version.bot_id == Bot.id)
        .join(Rating, Rating.version_id == Version.id)
        .join(Pool, Pool.id == Rating.pool_id)
        .where(Pool.game == game, Pool.variant == variant)
        .order_by(Rating.component, Rating.rank, Bot.name, Version.version)
        .limit(best)
    )
    with store.read() as session:
        names = {row.id: (row.name, row.version) for row in session.execute(query)}
        return _histories(store, session, game, variant, names, hours)


def _histories(
    store: Store, session: Session, game: str, variant: str, names: dict[int, tuple[str, str]], hours: int
) -> tuple[RatingHistory, ...]:
    pool = find_pool(session, game, variant)
    if pool is None:
        return ()
    return store.cache.get(
        ("history", pool.id, hours, *names),
        (*rating_inputs.cache_version_of_table(session, pool), time.time() // _HOUR_S),
        lambda: _points(session, pool.id, names, hours),
    )


def _points(
    session: Session, pool_id: int, names: dict[int, tuple[str, str]], hours: int
) -> tuple[RatingHistory, ...]:
    columns = (
        RatingPoint.version_id,
        RatingPoint.hour,
        RatingPoint.computed_at,
        RatingPoint.elo,
        RatingPoint.error,
        RatingPoint.matches,
    )
    query = (
        select(*columns)
        .where(
            RatingPoint.pool_id == pool_id,
            RatingPoint.version_id.in_(names),
            RatingPoint.hour > time.time() // _HOUR_S - hours,
        )
        .order_by(RatingPoint.hour.desc())
        .limit(_MAX_POINTS)
    )
    points: dict[int, list[HistoryPoint]] = defaultdict(list)
    for version_id, hour, computed_at, elo, error, matches in session.execute(query):
        # Old rows have no time.  They are the last of their hour, so its end is the closest bound.
        at = (hour + 1) * _HOUR_S if computed_at is None else computed_at
        points[version_id].append(HistoryPoint(at, elo, error, matches))
    return tuple(
        RatingHistory(bot, version, tuple(reversed(points[version_id])))
        for version_id, (bot, version) in names.items()
        if version_id in points
    )
