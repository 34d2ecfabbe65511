"""Ratings: the public Elo tables, computed from the sums of their pools."""

from __future__ import annotations

import time

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from arena.errors import UsageError
from arena.games import registry
from arena.ratings.fit import Fitted, fit
from arena.ratings.model import ALGORITHM, PROVISIONAL_MATCHES
from arena.ratings.totals import PairTotal, digest
from arena.services.bots import HOSTED
from arena.services.pages import PoolRow, RatingRow, RatingTable
from arena.services.pools import key, parse_key, pool_scope
from arena.services.standings import ANCHOR, named, ranks
from arena.store import Store
from arena.store.schema import Bot, Pool, Rating, Version, VersionTotal
from arena.store.schema import PairTotal as PairTotalRow


def refresh(store: Store, pool_key: str) -> bool:
    """Compute a pool's table from its sums; False if nothing had changed.  Raises UsageError for an unknown pool.

    Any number may refresh at the same time: a table that was computed from older sums never replaces a newer one.
    """
    game, variant = parse_key(pool_key)
    while True:
        with store.read() as session:
            pool = session.scalar(select(Pool).where(Pool.game == game, Pool.variant == variant))
            if pool is None:
                raise UsageError(f"pool {pool_key!r}: nothing has been played in it yet")
            before = (pool.algorithm, pool.input_sha256)
            names, totals = _totals(session, pool.id)
        after = (ALGORITHM, digest(totals))
        if before == after:
            return False
        fitted = fit(totals, anchor=ANCHOR)
        with store.write() as session:
            locked = session.get_one(Pool, pool.id, with_for_update=True)
            if (locked.algorithm, locked.input_sha256) != before:
                continue  # somebody else was quicker, perhaps with more results: look again
            _replace(session, pool.id, {name: version for version, name in names.items()}, fitted)
            locked.algorithm, locked.input_sha256 = after
            locked.computed_at = time.time()
        return True


def table(store: Store, game: str, variant: str | None = None) -> RatingTable:
    """Show the Elo table of a game's variant, the standard one if none is given, as it was last refreshed.

    Raises UsageError for a game or variant that does not exist.
    """
    variants = registry.find(game).variants
    variant = next(iter(variants)) if variant is None else variant
    if variant not in variants:
        raise UsageError(f"variant {variant!r}: {game} has {', '.join(variants)}")
    with store.read() as session:
        pool = session.scalar(select(Pool).where(Pool.game == game, Pool.variant == variant))
        rows = () if pool is None else _rows(session, pool.id)
    return RatingTable(
        pool=key(game, variant),
        game=game,
        variant=variant,
        rows=rows,
        components=len({row.component for row in rows}),
        algorithm=ALGORITHM if pool is None or pool.algorithm is None else pool.algorithm,
        input_sha256=digest(()) if pool is None or pool.input_sha256 is None else pool.input_sha256,
        computed_at=None if pool is None else pool.computed_at,
    )


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


def _totals(session: Session, pool_id: int) -> tuple[dict[int, str], tuple[PairTotal, ...]]:
    """Read the sums of a pool: the names of its versions by id, and its totals under these names."""
    scope = pool_scope(pool_id)
    query = (
        select(Version.id, Bot.name, Version.version)
        .join(Bot, Version.bot_id == Bot.id)
        .join(VersionTotal, VersionTotal.version_id == Version.id)
        .where(VersionTotal.scope == scope)
    )
    pairs = session.scalars(select(PairTotalRow).where(PairTotalRow.scope == scope)).all()
    names = {version_id: f"{bot}@{version}" for version_id, bot, version in session.execute(query)}
    return names, named(pairs, names)


def _replace(session: Session, pool_id: int, versions: dict[str, int], fitted: tuple[Fitted, ...]) -> None:
    played = dict(
        session.execute(
            select(VersionTotal.version_id, VersionTotal.matches).where(
                VersionTotal.scope == pool_scope(pool_id)
            )
        ).all()
    )
    session.execute(delete(Rating).where(Rating.pool_id == pool_id))
    rows = [
        {
            "pool_id": pool_id,
            "version_id": versions[row.name],
            "component": row.component,
            "rank": rank,
            "elo": row.elo,
            "matches": played[versions[row.name]],
        }
        for row, rank in zip(fitted, ranks([(row.component, row.elo) for row in fitted]), strict=True)
    ]
    if rows:
        session.execute(insert(Rating), rows)


def _rows(session: Session, pool_id: int) -> tuple[RatingRow, ...]:
    query = (
        select(Rating, Bot.name, Version.version, Version.source)
        .join(Version, Version.id == Rating.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .where(Rating.pool_id == pool_id)
        .order_by(Rating.component, Rating.rank, Bot.name, Version.version)
    )
    return tuple(
        RatingRow(
            rank=rating.rank,
            bot=bot,
            version=version,
            elo=rating.elo,
            matches=rating.matches,
            provisional=rating.matches < PROVISIONAL_MATCHES,
            component=rating.component,
            verified=source == HOSTED,
        )
        for rating, bot, version, source in session.execute(query)
    )
