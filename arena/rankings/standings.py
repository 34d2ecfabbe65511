"""Standings: the table and crosstable of one scope, from its sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated

from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.bot_registry.bot_version import BotVersion
from arena.competition.matches import rating_inputs
from arena.competition.matches.rating_inputs import PairRow, SetRow
from arena.competition.pools import tournament_scope
from arena.core.answer_fields import BotName, Verified, VersionName
from arena.ratings.elo_table import Rated, Ratings
from arena.ratings.model import provisional
from arena.ratings.rating_data import Inputs
from arena.scheduling.formats.bracket import Reached
from arena.storage import Store
from arena.storage.schema import VersionTotal


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A bot in a tournament's table; wins, draws and losses count the seats it met."""

    # At a table of four, a win is three wins.  `error` is None also where the results are not known by sets.

    rank: Annotated[
        int,
        Field(
            description="1 for the best; counts inside a component. In a knockout, the best of the places that it shares by the round reached.",
            examples=[1],
        ),
    ]
    entry: Annotated[int, Field(description="The entry's number.", examples=[0])]
    bot: BotName
    version: VersionName
    elo: Annotated[
        float | None,
        Field(
            description="Elo from this tournament alone; null before its first result, and for a bot that never came."
        ),
    ]
    error: Annotated[
        float | None,
        Field(
            description="Half width of the 95 % interval, relative to the mean of the component; null where not known.",
            examples=[12.3],
        ),
    ]
    rank_low: Annotated[
        int | None, Field(description="The best rank that it may really have, at 95 %.", examples=[1])
    ]
    rank_high: Annotated[
        int | None, Field(description="The worst rank that it may really have, at 95 %.", examples=[3])
    ]
    provisional: Annotated[bool, Field(description="Fewer than 30 matches, or an error of 100 or more.")]
    matches: Annotated[int, Field(description="Matches played.", examples=[80])]
    points: Annotated[float, Field(description="Wins and half the draws.", examples=[55.5])]
    wins: Annotated[int, Field(description="Seats that it finished ahead of.", examples=[55])]
    draws: Annotated[int, Field(description="Seats that it shared a place with.", examples=[1])]
    losses: Annotated[int, Field(description="Seats that finished ahead of it.", examples=[24])]
    faults: Annotated[int, Field(description="Matches that it ended by a fault.", examples=[0])]
    component: Annotated[
        int, Field(description="Numbers the groups of bots that have not met.", examples=[0])
    ]
    verified: Verified


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """Result of the row's bot against the column's."""

    wins: Annotated[int, Field(description="Won by the row's bot.", examples=[12])]
    draws: Annotated[int, Field(description="Shared.", examples=[0])]
    losses: Annotated[int, Field(description="Lost by the row's bot.", examples=[8])]

    @property
    def points(self) -> float:
        """Return wins and half the draws."""
        return self.wins + self.draws / 2


NOTHING = CrosstableCell(0, 0, 0)
NOWHERE: Mapping[int, Reached] = MappingProxyType({})
MAX_CROSSED = 50
"""Bots of a crosstable, at most: its size grows with their square."""


@dataclass(frozen=True, slots=True)
class Standings:
    """Standings, best first, the crosstable of the first of them, and the hash of what both were computed from."""

    rows: tuple[StandingRow, ...]
    crosstable: tuple[tuple[CrosstableCell | None, ...], ...]
    input_sha256: str


def read(
    store: Store,
    session: Session,
    tournament_id: int,
    entries: Sequence[BotVersion],
    reached: Mapping[int, Reached] = NOWHERE,
) -> Standings:
    """Return the standings of a tournament as its sums are now; they are computed once for each state of them.

    Where there is a bracket, they go by how far each entry got in it.
    """
    versions = tuple(entry.version_id for entry in entries)  # before the start they come and go
    cache_version = (rating_inputs.cache_version_of_tournament(session, tournament_id), versions)
    return store.cache.get(
        ("standings", tournament_id, bool(reached)),
        cache_version,
        lambda: _read(store, session, tournament_id, entries, reached),
    )


def _read(
    store: Store,
    session: Session,
    tournament_id: int,
    entries: Sequence[BotVersion],
    reached: Mapping[int, Reached],
) -> Standings:
    scope = tournament_scope(tournament_id)
    played = tuple(session.scalars(select(VersionTotal).where(VersionTotal.scope == scope)))
    return arrange(
        entries,
        rating_inputs.pairs_of(session, scope),
        played,
        rating_inputs.sets_of_tournament(session, tournament_id),
        lambda given: rating_inputs.ratings_of(store, scope, given),
        reached,
    )


def arrange(
    entries: Sequence[BotVersion],
    pairs: Sequence[PairRow],
    totals_of_versions: Sequence[VersionTotal],
    sets: Iterable[SetRow],
    compute_ratings: Callable[[Inputs], Ratings] = rating_inputs.compute_ratings,
    reached: Mapping[int, Reached] = NOWHERE,
) -> Standings:
    """Compute standings from the sums of a tournament and the stages reached in its bracket; they depend on nothing else.

    An entry that was absent from all of its matches has no Elo, and its matches do not affect others'.  If the sets do not add up to the pairs, errors are None.
    """
    played = {row.version_id: row for row in totals_of_versions}
    away = frozenset(row.version_id for row in totals_of_versions if 0 < row.absences == row.matches)
    given = rating_inputs.of_rows(entries, pairs, sets, away)
    rated = {row.name: row for row in compute_ratings(given).rows}
    cells = _cells(pairs)
    sums = _sums(cells)
    rows = [
        _row(
            number,
            entry,
            rated.get(rating_inputs.name_of(entry.bot, entry.version)),
            played.get(entry.version_id),
            sums.get(entry.version_id, NOTHING),
        )
        for number, entry in enumerate(entries)
    ]
    rows.sort(key=lambda row: (row.elo is None, row.component, -(row.elo or 0.0), -row.points, row.entry))
    ranked = tuple(
        replace(row, rank=rank) for row, rank in zip(rows, ranks([_place(row) for row in rows]), strict=True)
    )
    if reached:
        by_place = sorted(ranked, key=lambda row: (reached[row.entry].low, row.component, row.rank))
        ranked = tuple(replace(row, rank=reached[row.entry].low) for row in by_place)
    order = [entries[row.entry].version_id for row in ranked[:MAX_CROSSED]]
    crosstable = tuple(tuple(cells.get((a, b)) for b in order) for a in order)
    return Standings(ranked, crosstable, given.sha256)


def _cells(pairs: Sequence[PairRow]) -> dict[tuple[int, int], CrosstableCell]:
    cells = {}
    for pair in pairs:
        cells[pair.low, pair.high] = CrosstableCell(pair.wins, pair.draws, pair.losses)
        cells[pair.high, pair.low] = CrosstableCell(pair.losses, pair.draws, pair.wins)
    return cells


def _sums(cells: Mapping[tuple[int, int], CrosstableCell]) -> dict[int, CrosstableCell]:
    """Add up the rows of a crosstable."""
    sums: dict[int, CrosstableCell] = {}
    for (version, _), cell in cells.items():
        so_far = sums.get(version, NOTHING)
        sums[version] = CrosstableCell(
            so_far.wins + cell.wins, so_far.draws + cell.draws, so_far.losses + cell.losses
        )
    return sums


def _row(
    number: int, entry: BotVersion, rated: Rated | None, played: VersionTotal | None, result: CrosstableCell
) -> StandingRow:
    matches = 0 if played is None else played.matches
    error = None if rated is None else rated.error
    return StandingRow(
        rank=0,
        entry=number,
        bot=entry.bot,
        version=entry.version,
        elo=None if rated is None else rated.elo,
        error=error,
        rank_low=None if rated is None else rated.rank_low,
        rank_high=None if rated is None else rated.rank_high,
        provisional=provisional(matches, error),
        matches=matches,
        points=result.points,
        wins=result.wins,
        draws=result.draws,
        losses=result.losses,
        faults=0 if played is None else played.faults,
        component=0 if rated is None else rated.component,
        verified=entry.hosted,
    )


def _place(row: StandingRow) -> tuple[int, object]:
    """Return what a row is ranked by: its Elo, or its points where it has none."""
    return row.component, (None, row.points) if row.elo is None else row.elo


def ranks(rows: Sequence[tuple[int, object]]) -> tuple[int, ...]:
    """Rank rows of (component, Elo), sorted, from 1 in each component; equal Elo share the better rank."""
    given: list[int] = []
    first = 0
    for i, row in enumerate(rows):
        if i == 0 or row[0] != rows[i - 1][0]:
            first = i
        given.append(given[-1] if i > first and row == rows[i - 1] else i - first + 1)
    return tuple(given)
