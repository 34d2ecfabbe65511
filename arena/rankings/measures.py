"""Measures: what results tell beside the Elo.  Each takes bounded work, and is kept until there are other results."""

from __future__ import annotations

import time
from collections import defaultdict
from math import isnan

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.competition import plans
from arena.competition.matches import rating_inputs
from arena.competition.matches.outcomes import FAULT_END, UNPLAYED, seat_values
from arena.competition.plans import StoredPlan
from arena.core.errors import UsageError
from arena.games import registry
from arena.rankings import standings
from arena.rankings.read_models import (
    HistoryPoint,
    RatingHistory,
    SeatAdvantage,
    SetSavings,
    SuperiorityTable,
)
from arena.ratings.model import ALGORITHM
from arena.ratings.rating_data import Inputs
from arena.ratings.seat_advantage import shares
from arena.ratings.set_savings import measure
from arena.storage import Store
from arena.storage.cache import cached
from arena.storage.schema import Bot, MatchResult, Pool, Rating, RatingPoint, Tournament, Version

MAX_SETS = 2000
"""So many sets are looked at, the last ones."""

_MAX_POINTS = 20_000
_HOUR_S = 3600

_Place = tuple[int, int]
"""A tournament and the number of a set."""


def superiority_of_pool(store: Store, game: str, variant: str) -> SuperiorityTable:
    """Say how likely each bot of a pool is stronger than each other, by the results there are now.

    Raises UsageError for a game or variant that does not exist.
    """
    _check(game, variant)
    with store.read() as session:
        pool = _pool(session, game, variant)
        if pool is None:
            return SuperiorityTable((), (), ALGORITHM, rating_inputs.NOTHING.sha256)
        return cached(
            store,
            ("superiority", "pool", pool.id),
            rating_inputs.mark_of_pool(session, pool.id),
            lambda: _superiority(rating_inputs.of_pool(session, pool.id).given),
        )


def superiority_of_tournament(store: Store, tournament_id: int) -> SuperiorityTable:
    """Say how likely each entry of a tournament is stronger than each other.  Raises NotFound."""
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        return cached(
            store,
            ("superiority", "tournament", tournament_id),
            rating_inputs.mark_of_tournament(session, tournament_id),
            lambda: _superiority(rating_inputs.of_tournament(session, tournament_id, stored.entries)),
        )


def history_of_bot(store: Store, game: str, variant: str, bot: str, hours: int) -> tuple[RatingHistory, ...]:
    """Return the ratings that the versions of a bot had in a pool, of the last so many hours, the newest version last.

    Raises UsageError for a game, variant or bot that does not exist.
    """
    _check(game, variant)
    with store.read() as session:
        bot_id = session.scalar(select(Bot.id).where(Bot.game == game, Bot.name == bot))
        if bot_id is None:
            raise UsageError(f"bot {bot!r}: {game} has none of that name")
        versions = session.execute(
            select(Version.id, Version.version).where(Version.bot_id == bot_id).order_by(Version.id)
        )
        return _histories(
            store, session, game, variant, {row.id: (bot, row.version) for row in versions}, hours
        )


def history_of_best(
    store: Store, game: str, variant: str, best: int, hours: int
) -> tuple[RatingHistory, ...]:
    """Return the ratings that the present best of a pool had in the last so many hours, the best first.

    Raises UsageError for a game or variant that does not exist.
    """
    _check(game, variant)
    query = (
        select(Version.id, Bot.name, Version.version)
        .join(Bot, Version.bot_id == Bot.id)
        .join(Rating, Rating.version_id == Version.id)
        .join(Pool, Pool.id == Rating.pool_id)
        .where(Pool.game == game, Pool.variant == variant)
        .order_by(Rating.component, Rating.rank, Bot.name, Version.version)
        .limit(best)
    )
    with store.read() as session:
        names = {row.id: (row.name, row.version) for row in session.execute(query)}
        return _histories(store, session, game, variant, names, hours)


def seats(store: Store, game: str, variant: str) -> tuple[SeatAdvantage, ...]:
    """Measure what each seat of a pool's tables is worth, by seat count; those with too few sets are left out.

    Raises UsageError for a game or variant that does not exist.
    """
    _check(game, variant)
    with store.read() as session:
        pool = _pool(session, game, variant)
        if pool is None:
            return ()
        return cached(
            store,
            ("seats", pool.id),
            rating_inputs.mark_of_table(session, pool),
            lambda: _seats(session, pool),
        )


def savings(store: Store, tournament_id: int) -> SetSavings | None:
    """Measure what its sets have saved a tournament; None where they are too few to tell.  Raises NotFound."""
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        return cached(
            store,
            ("savings", tournament_id),
            rating_inputs.mark_of_tournament(session, tournament_id),
            lambda: _savings(store, session, stored),
        )


def _check(game: str, variant: str) -> None:
    variants = registry.find(game).variants
    if variant not in variants:
        raise UsageError(f"variant {variant!r}: {game} has {', '.join(variants)}")


def _pool(session: Session, game: str, variant: str) -> Pool | None:
    return session.scalar(select(Pool).where(Pool.game == game, Pool.variant == variant))


def _superiority(given: Inputs) -> SuperiorityTable:
    table = rating_inputs.rated(given)
    chances = tuple(tuple(None if isnan(chance) else chance for chance in row) for row in table.superiority)
    return SuperiorityTable(tuple(row.name for row in table.rows), chances, ALGORITHM, given.sha256)


def _histories(  # noqa: PLR0917
    store: Store, session: Session, game: str, variant: str, names: dict[int, tuple[str, str]], hours: int
) -> tuple[RatingHistory, ...]:
    pool = _pool(session, game, variant)
    if pool is None:
        return ()
    return cached(
        store,
        ("history", pool.id, hours, *names),
        (*rating_inputs.mark_of_table(session, pool), time.time() // _HOUR_S),
        lambda: _points(session, pool.id, names, hours),
    )


def _points(
    session: Session, pool_id: int, names: dict[int, tuple[str, str]], hours: int
) -> tuple[RatingHistory, ...]:
    columns = (
        RatingPoint.version_id,
        RatingPoint.hour,
        RatingPoint.computed_at,
        RatingPoint.elo,
        RatingPoint.error,
        RatingPoint.matches,
    )
    query = (
        select(*columns)
        .where(
            RatingPoint.pool_id == pool_id,
            RatingPoint.version_id.in_(names),
            RatingPoint.hour > time.time() // _HOUR_S - hours,
        )
        .order_by(RatingPoint.hour.desc())
        .limit(_MAX_POINTS)
    )
    points: dict[int, list[HistoryPoint]] = defaultdict(list)
    for version_id, hour, computed_at, elo, error, matches in session.execute(query):
        # Old rows have no time.  They are the last of their hour, so its end is the closest bound.
        at = (hour + 1) * _HOUR_S if computed_at is None else computed_at
        points[version_id].append(HistoryPoint(at, elo, error, matches))
    return tuple(
        RatingHistory(bot, version, tuple(reversed(points[version_id])))
        for version_id, (bot, version) in names.items()
        if version_id in points
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
