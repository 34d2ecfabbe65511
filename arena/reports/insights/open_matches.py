"""The newest open matches of a version, or of a pool: a bounded number of rated ones, with the measures of their records."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import exists, or_, select
from sqlalchemy.orm import Session

from arena.competition import plans, pools
from arena.competition.matches import stored_records
from arena.core.errors import ArenaError
from arena.match.record import from_json
from arena.match.seat_measures import SeatMeasures, measure_seats
from arena.reports import match_views, participation
from arena.reports.insights.insight import Tick
from arena.reports.insights.playing_style import MeasuredMatch
from arena.reports.match_details import MatchRow
from arena.storage import Store
from arena.storage.record_compression import unpack
from arena.storage.schema import MatchResult, SetTotal, Tournament, Trial

MOST = 200
"""Matches that a style is measured from."""

_SETS = 50
"""Sets that are read at once."""
_MOST_SETS = 400
"""Sets that are looked through at most: the newest may not be open yet."""
_TOURNAMENTS = 8
"""Tournaments that the matches of a pool are taken from, alike many of each: one alone may have a few bots only."""


def of_version(store: Store, version_id: int, variant: str, tick: Tick) -> tuple[MeasuredMatch, ...]:
    """Return the newest open rated matches of a version in a variant, the newest first."""
    found: list[MeasuredMatch] = []
    looked_at = 0
    for tournament_id in _entered(store, version_id, variant):
        before: int | None = None
        while len(found) < MOST and looked_at < _MOST_SETS:
            sets = _sets(store, tournament_id, version_id, before)
            if not sets:
                break
            looked_at += len(sets)
            before = sets[-1]
            found += _measure(store, _rows_of_sets(store, tournament_id, sets, version_id), tick)
    return tuple(found[:MOST])


def of_pool(store: Store, game: str, variant: str, tick: Tick) -> tuple[MeasuredMatch, ...]:
    """Return open rated matches of a pool, alike many of each of its last tournaments."""
    with store.read() as session:
        found = _last_tournaments(store, session, game, variant)
        share = -(-MOST // len(found)) if found else 0
        keys = {number: _last_matches(session, number, 2 * share) for number in found}
    matches: list[MeasuredMatch] = []
    for number, of_tournament in keys.items():
        rows = match_views.rows_of(store, number, of_tournament)
        matches += _measure(store, [row for row in rows if row.state == "finished"][:share], tick)
    return tuple(matches[:MOST])


def _entered(store: Store, version_id: int, variant: str) -> list[int]:
    """List the tournaments of a variant that a version has played in, the newest first."""
    with store.read() as session:
        entered = participation.without_trials(session, participation.of(session, [version_id]))
        query = select(Tournament.id).where(
            Tournament.id.in_({each.tournament_id for each in entered}), Tournament.variant == variant
        )
        return list(session.scalars(query.order_by(Tournament.id.desc())))


def _sets(store: Store, tournament_id: int, version_id: int, before: int | None) -> list[int]:
    """List the newest rated sets that a version has results in, before a set if one is given."""
    query = select(SetTotal.set_number).where(
        SetTotal.tournament_id == tournament_id,
        SetTotal.rated.is_(True),
        or_(SetTotal.low == version_id, SetTotal.high == version_id),
    )
    if before is not None:
        query = query.where(SetTotal.set_number < before)
    with store.read() as session:
        return list(session.scalars(query.distinct().order_by(SetTotal.set_number.desc()).limit(_SETS)))


def _rows_of_sets(store: Store, tournament_id: int, sets: Sequence[int], version_id: int) -> list[MatchRow]:
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
    mine = {(entry.bot, entry.version) for entry in stored.entries if entry.version_id == version_id}
    keys = [(number, match) for number in sets for match in reversed(range(stored.plan.seats))]
    rows = match_views.rows_of(store, tournament_id, keys)
    return [
        row
        for row in rows
        if row.state == "finished" and any((seat.bot, seat.version) in mine for seat in row.seats)
    ]


def _last_tournaments(store: Store, session: Session, game: str, variant: str) -> list[int]:
    query = select(Tournament.id).where(
        Tournament.game == game,
        Tournament.variant == variant,
        Tournament.matches_done > 0,
        ~exists().where(Trial.tournament_id == Tournament.id),
    )
    found = []
    for number in session.scalars(query.order_by(Tournament.id.desc()).limit(_TOURNAMENTS)):
        stored = plans.load(store, session, number)
        if pools.rated(game, variant, stored.plan.seats, stored.options, stored.time):
            found.append(number)
    return found


def _last_matches(session: Session, tournament_id: int, most: int) -> list[tuple[int, int]]:
    query = (
        select(MatchResult.set_number, MatchResult.match_number)
        .where(MatchResult.tournament_id == tournament_id)
        .order_by(MatchResult.set_number.desc(), MatchResult.match_number.desc())
        .limit(most)
    )
    return [(row.set_number, row.match_number) for row in session.execute(query)]


def _measure(store: Store, rows: Sequence[MatchRow], tick: Tick) -> list[MeasuredMatch]:
    """Add the measures of their records to open matches, those of one tournament."""
    found = []
    for row in rows:
        tick()
        packed = stored_records.load(store, row.key)
        found.append(MeasuredMatch(row, () if packed is None else _measures(packed)))
    return found


def _measures(packed: bytes) -> tuple[SeatMeasures, ...]:
    try:
        return measure_seats(from_json(unpack(packed)))
    except ArenaError:  # played under other rules: its result counts still
        return ()
