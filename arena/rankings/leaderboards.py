"""Leaderboards: the Elo table of a pool with everything else that its page shows, cached until it is refreshed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Annotated

from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.competition.matches import rating_inputs
from arena.competition.pools import key, pool_scope
from arena.core.answer_fields import Algorithm, NextCursor, PoolKey
from arena.rankings import head_to_head
from arena.rankings.head_to_head import NOTHING, HeadToHead
from arena.rankings.public_ratings import find_pool, find_variant
from arena.rankings.rating_rows import RatingRow, row_of, rows_of
from arena.rankings.standings import CrosstableCell
from arena.ratings.elo_table import MAX_FOR_SUPERIORITY
from arena.ratings.model import ALGORITHM
from arena.storage import Store
from arena.storage.schema import Bot, Pool, Rating, SetTotal, Tournament, User, VersionTotal

FORM = 8
"""Sets that make a bot's form: the latest ones."""

MAX_NAMES = 300
"""Number of bots up to which a page offers all their names."""

MAX_HEADS = 50
"""Bots of a page that are shown against each other: a square of numbers."""

_RECENT_TOURNAMENTS = 12
_RECENT_PAIRS = 6000
"""Rows that are searched for the form; bots that did not play in them have none."""


@dataclass(frozen=True, slots=True)
class Leader(RatingRow):
    """A row of an Elo table, with what the bot did."""

    version_id: Annotated[int, Field(0, exclude=True)]
    owner: Annotated[
        str | None, Field(description="Owner of the bot; null for a house bot.", examples=["ada"])
    ]
    wins: Annotated[
        int, Field(description="Number of times that it was ahead of a bot at its table.", examples=[120])
    ]
    draws: Annotated[int, Field(description="Number of times that it shared a place.", examples=[4])]
    losses: Annotated[int, Field(description="Number of times that it was behind.", examples=[80])]
    faults: Annotated[int, Field(description="Matches that it ended by a fault.", examples=[0])]
    form: Annotated[
        tuple[float, ...],
        Field(
            description="Its share of the points in its last sets, 0 to 1, the newest last.",
            examples=[[0.5, 1.0, 0.0]],
        ),
    ]


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A pool's table, best first in each component, and who met whom; times are seconds since the epoch, UTC."""

    pool: str
    game: str
    variant: str
    rows: tuple[Leader, ...]
    components: int
    algorithm: str
    input_sha256: str
    computed_at: float | None
    meetings: HeadToHead | None = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """A page of a pool's Elo table, and how the bots on it did against each other."""

    pool: PoolKey
    rows: Annotated[tuple[Leader, ...], Field(description="Best first in each component.")]
    heads: Annotated[
        tuple[tuple[CrosstableCell | None, ...], ...],
        Field(
            description="By row and column, in the order of the rows: how the row's bot did against the column's; null where they never met. Of the first 50 rows at most."
        ),
    ]
    next: NextCursor
    total: Annotated[int, Field(description="All rows of the table.", examples=[1000])]
    components: Annotated[
        int, Field(description="Groups of bots that never met: their Elo cannot be compared.")
    ]
    algorithm: Algorithm
    input_sha256: Annotated[str, Field(description="SHA-256 of the totals that it was computed from.")]
    computed_at: Annotated[
        float | None,
        Field(description="Time of its computation, in seconds since the epoch, UTC; null before."),
    ]


def read(store: Store, game: str, variant: str | None = None) -> Leaderboard:
    """Return the leaderboard of a game's variant, the standard one if none is given, as it was last refreshed.

    Raises UsageError for a game or variant that does not exist.
    """
    variant = find_variant(game, variant)
    with store.read() as session:
        pool = find_pool(session, game, variant)
        if pool is None or pool.computed_at is None:
            return _board(game, variant, (), None, None)
        return store.cache.get(
            ("leaderboard", pool.id),
            rating_inputs.cache_version_of_table(session, pool),
            lambda: _read(session, pool),
        )


def superiority(store: Store, board: Leaderboard) -> Mapping[tuple[int, int], float]:
    """Return how likely one version is stronger than another, 0 to 1, by their ids; nothing for more than 200 versions."""
    if not 0 < len(board.rows) <= MAX_FOR_SUPERIORITY:
        return {}
    with store.read() as session:
        pool = session.scalars(
            select(Pool).where(Pool.game == board.game, Pool.variant == board.variant)
        ).one()
        return store.cache.get(
            ("los", pool.id),
            rating_inputs.cache_version_of_table(session, pool),
            lambda: _superiority(store, session, pool.id),
        )


def _board(
    game: str, variant: str, rows: tuple[Leader, ...], pool: Pool | None, met: HeadToHead | None
) -> Leaderboard:
    return Leaderboard(
        pool=key(game, variant),
        game=game,
        variant=variant,
        rows=rows,
        components=len({row.component for row in rows}),
        algorithm=(pool and pool.algorithm) or ALGORITHM,
        input_sha256=(pool and pool.input_sha256) or rating_inputs.NOTHING.sha256,
        computed_at=None if pool is None else pool.computed_at,
        meetings=met,
    )


def _read(session: Session, pool: Pool) -> Leaderboard:
    met = head_to_head.read(session, pool.id)
    sums = met.sums()
    form = _form(session, pool.id)
    totals = select(VersionTotal.version_id, VersionTotal.faults)
    faults = dict(session.execute(totals.where(VersionTotal.scope == pool_scope(pool.id))).all())
    query = rows_of(pool.id).add_columns(Rating.version_id, User.name.label("owner"))
    rows = tuple(
        Leader(
            **row_of(row),
            version_id=row.version_id,
            owner=row.owner,
            wins=did.wins,
            draws=did.draws,
            losses=did.losses,
            faults=faults.get(row.version_id, 0),
            form=form.get(row.version_id, ()),
        )
        for row in session.execute(query.outerjoin(User, User.id == Bot.owner_id))
        for did in (sums.get(row.version_id, NOTHING),)
    )
    return _board(pool.game, pool.variant, rows, pool, met)


def _form(session: Session, pool_id: int) -> dict[int, tuple[float, ...]]:
    """Return the share of the points that each version had in its last sets, the newest last."""
    mine = select(Tournament.id).where(Tournament.pool_id == pool_id, Tournament.matches_done > 0)
    recent = session.scalars(mine.order_by(Tournament.id.desc()).limit(_RECENT_TOURNAMENTS)).all()
    columns = (SetTotal.low, SetTotal.high, SetTotal.low_units, SetTotal.high_units)
    left = _RECENT_PAIRS
    found: dict[int, list[float]] = defaultdict(list)
    for tournament_id in recent:
        query = (
            select(SetTotal.set_number, *columns)
            .where(SetTotal.tournament_id == tournament_id, SetTotal.rated.is_(True))
            .order_by(SetTotal.set_number.desc())
            .limit(left)
        )
        rows = session.execute(query).all()
        for version, share in _shares(rows):
            if len(found[version]) < FORM:
                found[version].append(share)
        left -= len(rows)
        if left <= 0:
            break
    return {version: tuple(reversed(shares)) for version, shares in found.items()}


def _shares(rows: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    """Add up the pairs of each set: a version and its share, set by set in the order of the rows."""
    units: dict[tuple[int, int], list[int]] = {}
    for number, low, high, low_units, high_units in rows:
        for version, own in ((low, low_units), (high, high_units)):
            so_far = units.setdefault((number, version), [0, 0])
            so_far[0] += own
            so_far[1] += low_units + high_units
    return [(version, own / of) for (_, version), (own, of) in units.items() if of]


def _superiority(store: Store, session: Session, pool_id: int) -> Mapping[tuple[int, int], float]:
    found = rating_inputs.of_pool(session, pool_id)
    table = rating_inputs.ratings_of(store, pool_scope(pool_id), found.given)
    order = [found.versions[row.name] for row in table.rows]
    return {
        (order[i], order[j]): chance
        for i, chances in enumerate(table.superiority)
        for j, chance in enumerate(chances)
        if i != j and not isnan(chance)
    }


def page_of(board: Leaderboard, first: int, rows: int) -> LeaderboardPage:
    """Return a page of a leaderboard from a row on; one beyond the last is empty."""
    shown = board.rows[first : first + rows]
    return LeaderboardPage(
        pool=board.pool,
        rows=shown,
        heads=heads(board, [row.version_id for row in shown[:MAX_HEADS]]),
        next=str(first + rows) if first + rows < len(board.rows) else None,
        total=len(board.rows),
        components=board.components,
        algorithm=board.algorithm,
        input_sha256=board.input_sha256,
        computed_at=board.computed_at,
    )


def heads(board: Leaderboard, versions: Sequence[int]) -> tuple[tuple[CrosstableCell | None, ...], ...]:
    """Return how some versions of a leaderboard did against each other, by row and column; None where they never met."""
    cells = {} if board.meetings is None else board.meetings.between(versions)
    return tuple(tuple(cells.get((row, column)) for column in versions) for row in versions)
