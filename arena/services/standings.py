"""Standings: the table and crosstable of one scope, from its sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.ratings.fit import Fitted, fit
from arena.ratings.totals import PairTotal, digest
from arena.services.bots import BotVersion
from arena.services.pages import CrosstableCell, StandingRow
from arena.services.pools import ANCHOR_BOT, ANCHOR_VERSION
from arena.store.schema import PairTotal as PairTotalRow
from arena.store.schema import VersionTotal

NOTHING = CrosstableCell(0, 0, 0)
ANCHOR = f"{ANCHOR_BOT}@{ANCHOR_VERSION}"


@dataclass(frozen=True, slots=True)
class Table:
    """Standings, best first, the crosstable in the same order, and the hash of what both were computed from."""

    rows: tuple[StandingRow, ...]
    crosstable: tuple[tuple[CrosstableCell | None, ...], ...]
    input_sha256: str


def read(session: Session, scope: str, entries: Sequence[BotVersion]) -> Table:
    """Compute the standings of a tournament as its sums are now."""
    pairs = tuple(session.scalars(select(PairTotalRow).where(PairTotalRow.scope == scope)))
    played = tuple(session.scalars(select(VersionTotal).where(VersionTotal.scope == scope)))
    return arrange(entries, pairs, played)


def arrange(
    entries: Sequence[BotVersion], pairs: Sequence[PairTotalRow], totals_of_versions: Sequence[VersionTotal]
) -> Table:
    """Compute standings from the sums of a scope; nothing else enters."""
    played = {row.version_id: row for row in totals_of_versions}
    names = {entry.version_id: name_of(entry) for entry in entries}
    totals = named(pairs, names)
    elo = {fitted.name: fitted for fitted in _fitted(totals)}
    cells = _cells(pairs)
    sums = _sums(cells)
    rows = [
        _row(
            number,
            entry,
            elo.get(name_of(entry)),
            played.get(entry.version_id),
            sums.get(entry.version_id, NOTHING),
        )
        for number, entry in enumerate(entries)
    ]
    rows.sort(key=lambda row: (row.elo is None, row.component, -(row.elo or 0.0), -row.points, row.entry))
    ranked = tuple(
        replace(row, rank=rank)
        for row, rank in zip(rows, ranks([(row.component, row.elo) for row in rows]), strict=True)
    )
    order = [entries[row.entry].version_id for row in ranked]
    crosstable = tuple(tuple(cells.get((a, b)) for b in order) for a in order)
    return Table(ranked, crosstable, digest(totals))


def name_of(entry: BotVersion) -> str:
    """Name a version in totals, independently of any database: `greedy@1`."""
    return f"{entry.bot}@{entry.version}"


def named(pairs: Sequence[PairTotalRow], names: dict[int, str]) -> tuple[PairTotal, ...]:
    """Turn stored sums into totals under the versions' names, sorted."""
    totals = []
    for pair in pairs:
        low, high = names[pair.low], names[pair.high]
        units = (pair.low_units, pair.high_units)
        if low > high:
            low, high, units = high, low, units[::-1]
        totals.append(PairTotal(low, high, *units))
    return tuple(sorted(totals))


@lru_cache(maxsize=32)
def _fitted(totals: tuple[PairTotal, ...]) -> tuple[Fitted, ...]:
    """Fit once for each state of the sums: a page may be asked for more often than results come in."""
    return fit(totals, anchor=ANCHOR)


def _cells(pairs: Sequence[PairTotalRow]) -> dict[tuple[int, int], CrosstableCell]:
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
    number: int, entry: BotVersion, fitted: Fitted | None, played: VersionTotal | None, result: CrosstableCell
) -> StandingRow:
    return StandingRow(
        rank=0,
        entry=number,
        bot=entry.bot,
        version=entry.version,
        elo=None if fitted is None else fitted.elo,
        matches=0 if played is None else played.matches,
        points=result.points,
        wins=result.wins,
        draws=result.draws,
        losses=result.losses,
        faults=0 if played is None else played.faults,
        component=0 if fitted is None else fitted.component,
        verified=entry.hosted,
    )


def ranks(rows: Sequence[tuple[int, float | None]]) -> tuple[int, ...]:
    """Rank rows of (component, Elo), sorted, from 1 in each component; equal Elo share the better rank."""
    given: list[int] = []
    first = 0
    for i, row in enumerate(rows):
        if i == 0 or row[0] != rows[i - 1][0]:
            first = i
        given.append(given[-1] if i > first and row == rows[i - 1] else i - first + 1)
    return tuple(given)
