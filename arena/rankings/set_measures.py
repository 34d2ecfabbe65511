"""Measures over whole sets: what each seat is worth, and how many matches the sets have saved."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.competition import plans
from arena.competition.matches import rating_inputs
from arena.competition.matches.outcomes import FAULT_END, UNPLAYED, seat_values
from arena.competition.plans import StoredPlan
from arena.rankings import standings
from arena.rankings.public_ratings import find_pool, find_variant
from arena.ratings.seat_advantage import shares
from arena.ratings.set_savings import measure
from arena.storage import Store
from arena.storage.schema import MatchResult, Pool, Tournament

MAX_SETS = 2000
"""Sets that are measured: the latest ones."""

_Place = tuple[int, int]
"""A tournament and the number of a set."""


@dataclass(frozen=True, slots=True)
class SeatAdvantage:
    """Value of each seat of a table, measured on whole sets, in which each bot sits once in each."""

    seats: Annotated[int, Field(description="Seats at the table.", examples=[2])]
    sets: Annotated[
        int, Field(description="The sets that it was measured on, the last ones.", examples=[2000])
    ]
    shares: Annotated[
        tuple[float, ...],
        Field(
            description="By seat: the share of its pairs that it wins, 0 to 1; a half is even.",
            examples=[[0.52, 0.48]],
        ),
    ]
    errors: Annotated[
        tuple[float, ...],
        Field(description="By seat: half width of the 95 % interval of the share.", examples=[[0.01, 0.01]]),
    ]


@dataclass(frozen=True, slots=True)
class SetSavings:
    """Savings of a tournament by its sets: how much less luck they have than independent matches."""

    # `saved` is below 0 where sets did harm.

    ratio: Annotated[
        float,
        Field(description="Number of matches without sets that one match of a set is worth.", examples=[1.4]),
    ]
    low: Annotated[float, Field(description="Lower end of the 95 % interval of the ratio.", examples=[1.3])]
    high: Annotated[float, Field(description="Upper end of the 95 % interval of the ratio.", examples=[1.5])]
    saved: Annotated[
        int, Field(description="Matches more that the same certainty would have taken.", examples=[400])
    ]
    sets: Annotated[
        int, Field(description="The sets that it was measured on, the last ones.", examples=[500])
    ]


def seat_advantages(store: Store, game: str, variant: str) -> tuple[SeatAdvantage, ...]:
    """Measure what each seat of a pool's tables is worth, by seat count; those with too few sets are left out.

    Raises UsageError for a game or variant that does not exist.
    """
    find_variant(game, variant)
    with store.read() as session:
        pool = find_pool(session, game, variant)
        if pool is None:
            return ()
        return store.cache.get(
            ("seats", pool.id),
            rating_inputs.cache_version_of_table(session, pool),
            lambda: _seats(session, pool),
        )


def set_savings(store: Store, tournament_id: int) -> SetSavings | None:
    """Measure how much its sets have saved a tournament; None for too few sets.  Raises NotFound."""
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        return store.cache.get(
            ("savings", tournament_id),
            rating_inputs.cache_version_of_tournament(session, tournament_id),
            lambda: _savings(store, session, stored),
        )


def _whole_sets(session: Session, *tournaments: int, seats: int) -> dict[_Place, list[tuple[int, ...]]]:
    """Read the places by seat of the last whole sets without a fault, in the order of their matches."""
    query = (
        select(MatchResult.tournament_id, MatchResult.set_number, MatchResult.places)
        .where(MatchResult.tournament_id.in_(tournaments), MatchResult.end.not_in((*UNPLAYED, FAULT_END)))
        .order_by(
            MatchResult.tournament_id.desc(), MatchResult.set_number.desc(), MatchResult.match_number.desc()
        )
        .limit(MAX_SETS * seats)
    )
    found: dict[_Place, list[tuple[int, ...]]] = defaultdict(list)
    for tournament_id, set_number, places in session.execute(query):
        found[tournament_id, set_number].append(seat_values(places))
    return {place: matches[::-1] for place, matches in found.items() if len(matches) == seats}


def _seats(session: Session, pool: Pool) -> tuple[SeatAdvantage, ...]:
    query = select(Tournament.seats, Tournament.id).where(Tournament.pool_id == pool.id)
    tournaments: dict[int, list[int]] = defaultdict(list)
    for count, tournament_id in session.execute(query):
        tournaments[count].append(tournament_id)
    measured = []
    for count, ids in sorted(tournaments.items()):
        sets = list(_whole_sets(session, *ids, seats=count).values())
        if found := shares(sets):
            measured.append(
                SeatAdvantage(
                    count,
                    len(sets),
                    tuple(round(seat.share, 4) for seat in found),
                    tuple(round(seat.error, 4) for seat in found),
                )
            )
    return tuple(measured)


def _savings(store: Store, session: Session, stored: StoredPlan) -> SetSavings | None:
    plan = stored.plan
    table = standings.read(store, session, stored.tournament_id, stored.entries)
    elo = {row.entry: row.elo for row in table.rows if row.elo is not None}
    fitted = len(elo) - len({row.component for row in table.rows if row.elo is not None})
    found = _whole_sets(session, stored.tournament_id, seats=plan.seats)
    places, elos = [], []
    for (_, set_number), matches in found.items():
        order = plan.order(set_number)
        if plan.shares(order) and all(entry in elo for entry in order):
            # The entry number i of the order sits in seat i + m of match m.
            places.append(
                [
                    [of_seats[(i + number) % plan.seats] for i in range(plan.seats)]
                    for number, of_seats in enumerate(matches)
                ]
            )
            elos.append([elo[entry] for entry in order])
    if not places:
        return None
    measured = measure(np.array(places), np.array(elos), fitted)
    if measured is None:
        return None
    done = session.scalar(select(Tournament.matches_done).where(Tournament.id == stored.tournament_id)) or 0
    ratio, low, high = (round(value, 3) for value in (measured.ratio, measured.low, measured.high))
    return SetSavings(ratio, low, high, measured.saved(round(done * len(places) / len(found))), len(places))
