"""Versions of one bot that have met: which is the stronger, by how much, and what a test of the two has shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.competition import plans
from arena.competition.plans import StoredPlan
from arena.competition.pools import tournament_scope
from arena.core.answer_fields import TournamentId, TournamentName, VersionName
from arena.ratings.elo_table import rate
from arena.ratings.rating_data import gather
from arena.reports import round_views
from arena.reports.participation import Participation
from arena.reports.round_views import SprtRow
from arena.storage import Store
from arena.storage.schema import PairTotal, SetTotal

MAX_ROWS = 10


@dataclass(frozen=True, slots=True)
class VersionComparison:
    """Two versions of a bot in one tournament: `first` was entered before `second`."""

    tournament_id: TournamentId
    tournament: TournamentName
    first: VersionName
    second: VersionName
    elo: Annotated[
        float,
        Field(
            description="By how many Elo the first is the stronger, from their own matches.", examples=[23.1]
        ),
    ]
    error: Annotated[
        float | None, Field(description="Half the width of its 95 % interval; null if not known.")
    ]
    wins: Annotated[int, Field(description="Matches that the first won of the second.", examples=[210])]
    draws: Annotated[int, Field(description="Drawn matches.", examples=[4])]
    losses: Annotated[int, Field(description="Matches that the second won.", examples=[186])]
    running: Annotated[bool, Field(description="Whether the tournament is still running.")]
    sprt: Annotated[SprtRow | None, Field(description="State of the test between the two; null without one.")]


def read(
    store: Store, session: Session, entered: Sequence[Participation], versions: Mapping[int, str]
) -> tuple[VersionComparison, ...]:
    """Return where two versions have met, the newest tournament first; `versions` names them by their ids."""
    numbers: dict[int, dict[int, int]] = {}
    for each in entered:
        numbers.setdefault(each.tournament_id, {})[each.version_id] = each.number
    found: list[VersionComparison] = []
    for tournament_id, of in sorted(numbers.items(), reverse=True):
        if len(found) >= MAX_ROWS:
            break
        if len(of) < 2:
            continue
        query = select(PairTotal).where(
            PairTotal.scope == tournament_scope(tournament_id), PairTotal.low.in_(of), PairTotal.high.in_(of)
        )
        pairs = session.scalars(query.order_by(PairTotal.low, PairTotal.high).limit(MAX_ROWS)).all()
        if pairs:
            stored = plans.load(store, session, tournament_id)
            found += [_compare(session, stored, pair, of, versions) for pair in pairs]
    return tuple(found[:MAX_ROWS])


def _compare(
    session: Session,
    stored: StoredPlan,
    pair: PairTotal,
    numbers: Mapping[int, int],
    versions: Mapping[int, str],
) -> VersionComparison:
    first, second = sorted((pair.low, pair.high), key=numbers.__getitem__)
    elo, error = _difference(session, stored.tournament_id, pair, first)
    won = (pair.wins, pair.losses) if first == pair.low else (pair.losses, pair.wins)
    return VersionComparison(
        tournament_id=stored.tournament_id,
        tournament=stored.name,
        first=versions[first],
        second=versions[second],
        elo=elo,
        error=error,
        wins=won[0],
        draws=pair.draws,
        losses=won[1],
        running=stored.course.over is None,
        sprt=round_views.sprt(session, stored),
    )


def _difference(
    session: Session, tournament_id: int, pair: PairTotal, first: int
) -> tuple[float, float | None]:
    """Return how much stronger the first is, and the error of that, from the sets in which the two met."""
    columns = (SetTotal.set_number, SetTotal.low, SetTotal.high, SetTotal.low_units, SetTotal.high_units)
    query = select(*columns).where(
        SetTotal.tournament_id == tournament_id, SetTotal.low == pair.low, SetTotal.high == pair.high
    )
    names = {pair.low: "low", pair.high: "high"}
    sets = [(*row, 1) for row in session.execute(query)]
    inputs = gather(names, [(pair.low, pair.high, pair.low_units, pair.high_units)], sets)
    rows = {row.name: row for row in rate(inputs).rows}
    difference = rows["low"].elo - rows["high"].elo
    error = rows["low"].error
    # An error is relative to the mean of the two, so that their distance has twice as much.
    return difference if first == pair.low else -difference, None if error is None else 2 * error
