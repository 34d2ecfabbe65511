"""Head to head: how all versions of a pool did against each other, held as columns of numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.competition.pools import pool_scope
from arena.rankings.standings import CrosstableCell
from arena.storage.schema import PairTotal

Numbers = NDArray[np.int64]
NOTHING = CrosstableCell(0, 0, 0)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """A row for each two versions that met, `low` < `high`; wins, draws and losses are `low`'s."""

    low: Numbers
    high: Numbers
    wins: Numbers
    draws: Numbers
    losses: Numbers

    def sums(self) -> dict[int, CrosstableCell]:
        """Add up each version's meetings."""
        versions = np.unique(np.concatenate([self.low, self.high]))
        low, high = np.searchsorted(versions, self.low), np.searchsorted(versions, self.high)
        won, drawn, lost = (
            np.bincount(low, mine, len(versions)) + np.bincount(high, theirs, len(versions))
            for mine, theirs in (
                (self.wins, self.losses),
                (self.draws, self.draws),
                (self.losses, self.wins),
            )
        )
        return {
            int(version): CrosstableCell(int(won[i]), int(drawn[i]), int(lost[i]))
            for i, version in enumerate(versions)
        }

    def of(self, version: int) -> dict[int, CrosstableCell]:
        """Return how one version did, by opponent."""
        found = {}
        for i in np.flatnonzero(self.low == version):
            found[int(self.high[i])] = CrosstableCell(
                int(self.wins[i]), int(self.draws[i]), int(self.losses[i])
            )
        for i in np.flatnonzero(self.high == version):
            found[int(self.low[i])] = CrosstableCell(
                int(self.losses[i]), int(self.draws[i]), int(self.wins[i])
            )
        return found

    def between(self, versions: Collection[int]) -> Mapping[tuple[int, int], CrosstableCell]:
        """Return how some versions did against each other, in both directions."""
        wanted = np.array(sorted(versions), dtype=np.int64)
        cells = {}
        for i in np.flatnonzero(np.isin(self.low, wanted) & np.isin(self.high, wanted)):
            wins, draws, losses = int(self.wins[i]), int(self.draws[i]), int(self.losses[i])
            low, high = int(self.low[i]), int(self.high[i])
            cells[low, high] = CrosstableCell(wins, draws, losses)
            cells[high, low] = CrosstableCell(losses, draws, wins)
        return cells


def read(session: Session, pool_id: int) -> HeadToHead:
    """Read the meetings of a pool as its sums are now."""
    columns = (PairTotal.low, PairTotal.high, PairTotal.wins, PairTotal.draws, PairTotal.losses)
    rows: Iterable[tuple[int, ...]] = (
        tuple(row) for row in session.execute(select(*columns).where(PairTotal.scope == pool_scope(pool_id)))
    )
    table = np.array(list(rows), dtype=np.int64).reshape(-1, len(columns))
    return HeadToHead(*(np.ascontiguousarray(column) for column in table.T))
