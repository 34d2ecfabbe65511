"""Score history: how the points of a tournament's best added up, set by set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.competition import plans
from arena.competition.matches import rating_inputs
from arena.competition.plans import StoredPlan
from arena.core.answer_fields import BotName, VersionName
from arena.rankings import standings
from arena.storage import Store
from arena.storage.schema import SetTotal

MAX_LINES = 8
_MAX_POINTS = 120


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """An entry's share of the points so far."""

    bot: BotName
    version: VersionName
    shares: Annotated[
        tuple[float | None, ...],
        Field(
            description="0 to 1, after each count of sets; null before it has played.", examples=[[1.0, 0.75]]
        ),
    ]


@dataclass(frozen=True, slots=True)
class ScoreHistory:
    """Points of a tournament's best entries, set by set."""

    sets: Annotated[tuple[int, ...], Field(description="After how many sets.", examples=[[1, 2]])]
    lines: Annotated[tuple[ScoreLine, ...], Field(description="The best eight, in the order of the table.")]


def read(store: Store, tournament_id: int) -> ScoreHistory:
    """Return how the points of a tournament's best added up.  Raises NotFound."""
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        cache_version = (rating_inputs.cache_version_of_tournament(session, tournament_id), stored.revision)
        return store.cache.get(
            ("score history", tournament_id), cache_version, lambda: _score_history(store, session, stored)
        )


def _score_history(store: Store, session: Session, stored: StoredPlan) -> ScoreHistory:
    table = standings.read(store, session, stored.tournament_id, stored.entries)
    best = [row for row in table.rows[:MAX_LINES] if row.matches]
    columns = (
        SetTotal.set_number,
        SetTotal.low,
        SetTotal.high,
        SetTotal.low_units,
        SetTotal.high_units,
    )
    query = select(*columns).where(SetTotal.tournament_id == stored.tournament_id)
    rows = [tuple(row) for row in session.execute(query.order_by(SetTotal.set_number))]
    if not rows or not best:
        return ScoreHistory((), ())
    numbers, low, high, low_units, high_units = np.array(rows, dtype=np.int64).T
    order = np.searchsorted(np.unique(numbers), numbers)
    count = int(order[-1]) + 1
    at = np.unique(np.linspace(0, count - 1, min(count, _MAX_POINTS)).round().astype(np.int64))
    lines = []
    for row in best:
        version = stored.entries[row.entry].version_id
        own = np.where(low == version, low_units, np.where(high == version, high_units, 0))
        of = np.where((low == version) | (high == version), low_units + high_units, 0)
        won = np.cumsum(np.bincount(order, own, count))[at]
        met = np.cumsum(np.bincount(order, of, count))[at]
        lines.append(ScoreLine(row.bot, row.version, _shares(won.tolist(), met.tolist())))
    return ScoreHistory(tuple((at + 1).tolist()), tuple(lines))


def _shares(won: Sequence[float], met: Sequence[float]) -> tuple[float | None, ...]:
    return tuple(round(own / of, 4) if of else None for own, of in zip(won, met, strict=True))
