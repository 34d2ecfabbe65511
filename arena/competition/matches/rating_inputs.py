"""Inputs: what Elo tables are computed from, as the store has it now, and the tables themselves.

A scope's pair totals give the Elo, the totals of its sets how sure it is.  Two-seat sets with equal totals are counted by the database:
there are few different ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import chain
from typing import NamedTuple, TypeAlias

from sqlalchemy import BigInteger, ColumnElement, Connection, Executable, cast, func, literal, select
from sqlalchemy.orm import Session

from arena.bot_registry.bot_version import BotVersion
from arena.competition.pools import ANCHOR_BOT, ANCHOR_VERSION, pool_scope, tournament_scope
from arena.ratings.elo_table import Ratings, rate
from arena.ratings.rating_data import Inputs, gather
from arena.storage import Store
from arena.storage.schema import Bot, Meta, PairTotal, Pool, SetTotal, Tournament, Version, VersionTotal
from arena.storage.upserts import insert_missing

ANCHOR = f"{ANCHOR_BOT}@{ANCHOR_VERSION}"
NOTHING = gather({}, (), ())
"""The inputs before the first result."""

SetRow: TypeAlias = Sequence[int]
"""A pair of a set: the set's number, low, high, the units of both, and how many sets had just the same totals."""

CacheVersion: TypeAlias = tuple[tuple[int, ...], ...]
"""A value that every change of a scope's sums replaces, and that is quick to read (`arena.storage.cache`)."""

_TOUCHED = "sums_touched"

_AT_ONCE = 2000

_ALIKE = 8
"""With fewer sets of each pair than this, few are alike, and it is quicker to read all than to have the database count."""
_TOURNAMENTS = 1 << 32
"""Sets of all tournaments are numbered through: tournament · 2³² + set."""


class PairRow(NamedTuple):
    """The sum of all results between two versions of a scope, as `PairTotal` has it."""

    low: int
    high: int
    low_units: int
    high_units: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class PoolInputs:
    """The inputs of a pool's table; `versions` by the names in it, `matches` by version."""

    given: Inputs
    versions: dict[str, int]
    matches: dict[int, int]


def compute_ratings(given: Inputs) -> Ratings:
    """Compute the Elo table of some inputs."""
    return rate(given, anchor=ANCHOR)


def ratings_of(store: Store, scope: str, given: Inputs) -> Ratings:
    """Return the Elo table of a scope's inputs, computed once for each state of them: several reports are made from it."""
    return store.cache.get(("elo table", scope), given.sha256, lambda: compute_ratings(given))


def name_of(bot: str, version: str) -> str:
    """Name a version independently of any database: `greedy@1`."""
    return f"{bot}@{version}"


def of_rows(
    entries: Sequence[BotVersion],
    pairs: Sequence[PairRow],
    sets: Iterable[SetRow],
    unrated: AbstractSet[int] = frozenset(),
) -> Inputs:
    """Take the sums of a tournament without those of the `unrated` versions; nothing else enters."""
    names = {entry.version_id: name_of(entry.bot, entry.version) for entry in entries}
    units = ((pair.low, pair.high, pair.low_units, pair.high_units) for pair in pairs)
    return gather(names, _without(unrated, 0, units), _without(unrated, 1, sets))


def of_tournament(session: Session, tournament_id: int, entries: Sequence[BotVersion]) -> Inputs:
    """Read all that a tournament's table is computed from."""
    scope = tournament_scope(tournament_id)
    pairs, away = pairs_of(session, scope), never_there(session, scope)
    return of_rows(entries, pairs, sets_of_tournament(session, tournament_id), away)


def never_there(session: Session, scope: str) -> frozenset[int]:
    """Return the versions that were away from all of their matches in a scope: they have no rating there."""
    always = (VersionTotal.absences > 0, VersionTotal.absences == VersionTotal.matches)
    return frozenset(
        session.scalars(select(VersionTotal.version_id).where(VersionTotal.scope == scope, *always))
    )


def _without(unrated: AbstractSet[int], first: int, rows: Iterable[Sequence[int]]) -> Iterable[Sequence[int]]:
    """Leave out the rows of unrated versions; the two versions of a row are in its columns from `first` on."""
    if not unrated:
        return rows
    return (row for row in rows if unrated.isdisjoint(row[first : first + 2]))


def pairs_of(session: Session, scope: str) -> tuple[PairRow, ...]:
    """Read the sums of a scope's pairs: columns only, since a thousand bots have ten thousand of them."""
    columns = (getattr(PairTotal, name) for name in PairRow._fields)
    rows = session.connection().execute(select(*columns).where(PairTotal.scope == scope))
    return tuple(map(PairRow._make, rows))


def sets_of_tournament(session: Session, tournament_id: int) -> Iterator[SetRow]:
    """Read the totals of a tournament's sets."""
    return _sets(session, tournament_scope(tournament_id), Tournament.id == tournament_id)


def of_pool(session: Session, pool_id: int) -> PoolInputs:
    """Read all that a pool's table is computed from."""
    scope = pool_scope(pool_id)
    connection = session.connection()  # rows of the session's own would take twice as long
    rows = connection.execute(
        select(Version.id, Bot.name, Version.version, VersionTotal.matches)
        .join(Bot, Version.bot_id == Bot.id)
        .join(VersionTotal, VersionTotal.version_id == Version.id)
        .where(VersionTotal.scope == scope)
    ).all()
    pairs = _rows(
        connection,
        select(PairTotal.low, PairTotal.high, PairTotal.low_units, PairTotal.high_units).where(
            PairTotal.scope == scope
        ),
    )
    names = {version_id: name_of(bot, version) for version_id, bot, version, _ in rows}
    sets = _sets(session, scope, Tournament.pool_id == pool_id, SetTotal.rated.is_(True))
    away = never_there(session, scope)
    return PoolInputs(
        gather(names, _without(away, 0, pairs), _without(away, 1, sets)),
        {name: version_id for version_id, name in names.items()},
        {version_id: matches for version_id, _, _, matches in rows},
    )


def cache_version_of_pool(session: Session, pool_id: int) -> CacheVersion:
    """Return the cache version of a pool: a hash, since it may have thousands of tournaments."""
    found = _cache_version(session, Tournament.pool_id == pool_id)
    return ((int(sha256(repr(found).encode()).hexdigest(), 16),),)


def cache_version_of_table(session: Session, pool: Pool) -> CacheVersion:
    """Return the cache version of a pool's Elo table as it was last refreshed, which costs nothing; before that, of its results."""
    if pool.computed_at is None or pool.input_sha256 is None:
        return cache_version_of_pool(session, pool.id)
    return ((int(pool.input_sha256[:16], 16), round(pool.computed_at * 1000)),)


def cache_version_of_tournament(session: Session, tournament_id: int) -> CacheVersion:
    """Return the cache version of a tournament."""
    return _cache_version(session, Tournament.id == tournament_id)


def cache_versions_of_tournaments(session: Session, ids: Sequence[int]) -> Mapping[int, CacheVersion]:
    """Return the cache version of each of some tournaments, by one query."""
    first, *rows = _cache_version(session, Tournament.id.in_(ids))
    return {row[0]: (first, row) for row in rows}


def lacking(session: Session, pool_id: int) -> list[int]:
    """List the tournaments of a pool whose sets do not add up to their pair totals: results of a version that kept no sets."""
    of_pool = select(Tournament.id).where(Tournament.pool_id == pool_id)
    in_sets = {
        tournament_scope(tournament_id): int(units)
        for tournament_id, units in session.execute(
            select(SetTotal.tournament_id, func.sum(SetTotal.low_units + SetTotal.high_units))
            .where(SetTotal.tournament_id.in_(of_pool))
            .group_by(SetTotal.tournament_id)
        )
    }
    ids = list(session.scalars(of_pool.order_by(Tournament.id)))
    in_pairs = {
        scope: int(units)
        for scope, units in session.execute(
            select(PairTotal.scope, func.sum(PairTotal.low_units + PairTotal.high_units))
            .where(PairTotal.scope.in_([tournament_scope(each) for each in ids]))
            .group_by(PairTotal.scope)
        )
    }
    return [each for each in ids if in_pairs.get(scope := tournament_scope(each), 0) != in_sets.get(scope, 0)]


def touch(session: Session) -> None:
    """Take note that sums change otherwise than by a result: cache versions from before hold no longer.

    One row of the store counts that, and is locked until the end of the transaction.
    """
    session.flush()
    connection = session.connection()
    insert_missing(connection.dialect.name, Meta, ("key",)).run(connection, {"key": _TOUCHED, "value": "0"})
    row = session.get_one(Meta, _TOUCHED, with_for_update=True, populate_existing=True)
    row.value = str(int(row.value) + 1)


def touched(session: Session) -> int:
    """Count how often sums were changed otherwise than by a result."""
    return int(session.scalar(select(Meta.value).where(Meta.key == _TOUCHED)) or 0)


def _cache_version(session: Session, which: ColumnElement[bool]) -> CacheVersion:
    """Return how far each tournament is, and how often sums were changed otherwise than by a result."""
    query = select(Tournament.id, Tournament.revision, Tournament.matches_done).where(which)
    rows = session.execute(query.order_by(Tournament.id))
    return (touched(session),), *(tuple(row) for row in rows)


def _sets(session: Session, scope: str, *conditions: ColumnElement[bool]) -> Iterator[SetRow]:
    number = cast(SetTotal.tournament_id, BigInteger) * _TOURNAMENTS + SetTotal.set_number
    pair = (SetTotal.low, SetTotal.high, SetTotal.low_units, SetTotal.high_units)
    joined = Tournament.id == SetTotal.tournament_id
    connection = session.connection()
    rows = connection.scalar(
        select(func.count()).select_from(SetTotal).join(Tournament, joined).where(*conditions)
    )
    pairs = connection.scalar(select(func.count()).where(PairTotal.scope == scope))
    if (rows or 0) < _ALIKE * (pairs or 0):
        every = select(number, *pair, literal(1)).join(Tournament, joined).where(*conditions)
        return _rows(connection, every)
    # At two seats a set is one pair: the first set represents those like it.
    alike = (
        select(func.min(number), *pair, func.count())
        .join(Tournament, joined)
        .where(Tournament.seats == 2, *conditions)
        .group_by(*pair)
    )
    more = select(number, *pair, literal(1)).join(Tournament, joined).where(Tournament.seats > 2, *conditions)
    return chain(_rows(connection, alike), _rows(connection, more))


def _rows(connection: Connection, query: Executable) -> Iterator[Sequence[int]]:
    """Read rows of integers as the driver gives them, not all of them at once; rows of SQLAlchemy's would take twice as long.

    PostgreSQL's client would take all of them before the first: the sets of a pool grow with its results.
    """
    with closing(connection.execute(query, execution_options={"stream_results": True})) as result:
        fetch = partial(result.cursor_strategy.fetchmany, result, result.cursor, _AT_ONCE)
        some = fetch()
        yield from some
        while len(some) == _AT_ONCE:
            some = fetch()
            yield from some
