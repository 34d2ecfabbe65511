"""Ratings: the public Elo tables, computed from the sums of their pools."""

from __future__ import annotations

import time
from collections.abc import Mapping

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from arena.competition.matches import rating_inputs, running_totals
from arena.competition.matches.rating_inputs import ANCHOR, PoolInputs
from arena.competition.pools import key, parse_key
from arena.core.errors import ArenaError, UsageError
from arena.core.translatable import say
from arena.games import registry
from arena.rankings.rating_rows import PoolRow, RatingRow, RatingTable, row_of, rows_of
from arena.rankings.standings import ranks
from arena.ratings.elo_table import Rated, rate
from arena.ratings.model import ALGORITHM
from arena.storage import Store
from arena.storage.schema import Bot, Pool, Rating, RatingPoint, Version
from arena.storage.upserts import put

_Computed = tuple[str | None, str | None]
"""The algorithm and the input's SHA-256 of a stored table."""

_HOUR_S = 3600
_MAX_RECOUNTS = 3
"""Results may come in between on a store that several write to."""

_POINT_KEY = ("pool_id", "version_id", "hour")


class Inconsistent(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when the sums of a pool contradict each other, which no version of the arena can have stored."""


def refresh(store: Store, pool_key: str) -> bool:
    """Compute a pool's table from its sums; False if nothing had changed.

    Any number may refresh at the same time: a table that was computed from older sums never replaces a newer one.
    Raises UsageError for an unknown pool.
    """
    recounts = 0
    while True:
        with store.read() as session:
            pool = _find(session, pool_key)
            cache_version = rating_inputs.cache_version_of_pool(session, pool.id)
            before = (pool.algorithm, pool.input_sha256)
            if store.cache.find(("refreshed", pool.id)) == (cache_version, before):
                return False  # this process last found the table to be that of these results
            found = rating_inputs.of_pool(session, pool.id)
            lacking = () if found.given.complete else rating_inputs.lacking(session, pool.id)
            known = _elos(session, pool.id)
        if not found.given.complete:
            if recounts == _MAX_RECOUNTS:
                raise Inconsistent(f"pool {pool_key}: its sets do not add up to its pair totals")
            recounts += 1
            for tournament_id in lacking:
                running_totals.recount(store, tournament_id)
            continue
        after = (ALGORITHM, found.given.sha256)
        if before == after:
            store.cache.put(("refreshed", pool.id), cache_version, after)
            return False
        named = {name: known[version] for name, version in found.versions.items() if version in known}
        rows = rate(found.given, anchor=ANCHOR, start=named, superiority=False).rows
        with store.write() as session:
            locked = session.get_one(Pool, pool.id, with_for_update=True)
            if (locked.algorithm, locked.input_sha256) != before:
                continue  # another process was quicker, perhaps with more results: look again
            _replace(session, pool.id, found, rows)
            locked.algorithm, locked.input_sha256 = after
            locked.computed_at = time.time()
        store.cache.put(("refreshed", pool.id), cache_version, after)
        return True


def table(store: Store, game: str, variant: str | None = None) -> RatingTable:
    """Show the Elo table of a game's variant, the standard one if none is given, as it was last refreshed.

    Raises UsageError for a game or variant that does not exist.
    """
    variant = find_variant(game, variant)
    with store.read() as session:
        pool = find_pool(session, game, variant)
        rows: tuple[RatingRow, ...] = ()
        if pool is not None:
            cache_version = (pool.algorithm, pool.input_sha256, pool.computed_at)
            rows = store.cache.get(("ratings", pool.id), cache_version, lambda: _rows(session, pool.id))
    return RatingTable(
        pool=key(game, variant),
        game=game,
        variant=variant,
        rows=rows,
        components=len({row.component for row in rows}),
        algorithm=ALGORITHM if pool is None or pool.algorithm is None else pool.algorithm,
        input_sha256=rating_inputs.NOTHING.sha256
        if pool is None or pool.input_sha256 is None
        else pool.input_sha256,
        computed_at=None if pool is None else pool.computed_at,
    )


def find_variant(game: str, variant: str | None = None) -> str:
    """Return a variant of a game, the standard one if none is named.  Raises UsageError for one that does not exist."""
    variants = registry.find(game).variants
    if variant is None:
        return next(iter(variants))
    if variant not in variants:
        raise UsageError(
            say(
                "variant {variant!r}: {game} has {variants}",
                variant=variant,
                game=game,
                variants=", ".join(variants),
            )
        )
    return variant


def find_pool(session: Session, game: str, variant: str) -> Pool | None:
    """Return the pool of a game's variant; None while nothing rated has been played in it."""
    return session.scalar(select(Pool).where(Pool.game == game, Pool.variant == variant))


def pools(store: Store) -> tuple[PoolRow, ...]:
    """List the pools that there are tournaments in, by key."""
    query = (
        select(Pool, func.count(Rating.version_id))
        .outerjoin(Rating, Rating.pool_id == Pool.id)
        .group_by(Pool.id)
        .order_by(Pool.game, Pool.variant)
    )
    with store.read() as session:
        return tuple(
            PoolRow(key(pool.game, pool.variant), pool.game, pool.variant, versions, pool.computed_at)
            for pool, versions in session.execute(query)
        )


def house_elos(store: Store, game: str) -> Mapping[str, float]:
    """Return the Elo of a game's house bots in its standard pool, by name; those without are left out."""
    query = (
        select(Bot.name, Rating.elo)
        .join(Version, Version.bot_id == Bot.id)
        .join(Rating, Rating.version_id == Version.id)
        .where(Bot.game == game, Bot.house.is_(True))
        .order_by(Version.id)
    )
    with store.read() as session:
        pool = find_pool(session, game, find_variant(game))
        if pool is None:
            return {}
        return {row.name: row.elo for row in session.execute(query.where(Rating.pool_id == pool.id))}


def _find(session: Session, pool_key: str) -> Pool:
    game, variant = parse_key(pool_key)
    pool = session.scalar(select(Pool).where(Pool.game == game, Pool.variant == variant))
    if pool is None:
        raise UsageError(say("pool {pool_key!r}: nothing has been played in it yet", pool_key=pool_key))
    return pool


def _elos(session: Session, pool_id: int) -> dict[int, float]:
    query = select(Rating.version_id, Rating.elo).where(Rating.pool_id == pool_id)
    return dict(session.execute(query).all())


def _replace(session: Session, pool_id: int, found: PoolInputs, table: tuple[Rated, ...]) -> None:
    """Put a new table in the place of the old one, and what has changed into the history."""
    query = select(Rating.version_id, Rating.elo, Rating.error, Rating.matches).where(
        Rating.pool_id == pool_id
    )
    old = {version: tuple(values) for version, *values in session.execute(query)}
    session.execute(delete(Rating).where(Rating.pool_id == pool_id))
    rows = []
    changed = []
    now = time.time()
    point = {"hour": int(now // _HOUR_S), "computed_at": now}
    for row, rank in zip(table, ranks([(row.component, row.elo) for row in table]), strict=True):
        version = found.versions[row.name]
        values = {"elo": row.elo, "error": row.error, "matches": found.matches[version]}
        whose = {"pool_id": pool_id, "version_id": version}
        ranked = {"rank": rank, "rank_low": row.rank_low, "rank_high": row.rank_high}
        rows.append({**whose, **values, **ranked, "component": row.component})
        if old.get(version) != tuple(values.values()):
            changed.append({**whose, **values, **point})
    if not rows:
        return
    connection = session.connection()
    connection.execute(insert(Rating), rows)
    put(connection.dialect.name, RatingPoint, _POINT_KEY).run_all(connection, changed)


def _rows(session: Session, pool_id: int) -> tuple[RatingRow, ...]:
    return tuple(RatingRow(**row_of(row)) for row in session.execute(rows_of(pool_id)))
