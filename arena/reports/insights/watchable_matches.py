"""The matches that Arena TV and the best matches of the day are chosen from: the newest open ones of each game, and of its best bots.

Everything follows from stored results and the moment that is asked for, so all processes find the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import ColumnElement, exists, func, select
from sqlalchemy.orm import Session

from arena.competition import disclosure, plans
from arena.competition.matches.outcomes import UNPLAYED
from arena.reports import match_views
from arena.reports.match_details import MatchRow
from arena.storage import Store
from arena.storage.schema import Entry, MatchResult, Pool, Rating, Record, Tournament, Trial

_NEWEST = 600
"""The newest results that are looked at, of all games."""
_OF_A_GAME = 80
"""The results that are looked at of one game."""
_FEW = 12
"""A game with fewer results among the newest is looked for in its last tournaments, too."""
_TOURNAMENTS = 6
_OF_A_TOURNAMENT = 30
"""The results that are looked at of one of them."""
BELOW_BEST = 300.0
"""Elo points below the best bot of its pool that a strong bot may be."""


def open_at(store: Store, moment: float) -> list[MatchRow]:
    """Return matches of all games that were open at a moment, in seconds since the epoch, the newest first."""
    with store.read() as session:
        found = _results(session, MatchResult.stored_at + Tournament.delay_s <= moment)
        counts: dict[str, int] = defaultdict(int)
        for _, game in found:
            counts[game] += 1
        strong: list[tuple[MatchResult, str]] = []
        for game in session.scalars(select(Tournament.game).distinct()).all():
            if counts[game] < _FEW:
                found += _of_last_tournaments(session, game)
            strong += _of_last_tournaments(session, game, _with_strong_bots(game))
        rows = {
            row.key: row
            for results in (found, strong)
            for row in _opened(
                store, session, {result.id: (result, game) for result, game in results}.values(), moment
            )
        }
        return sorted(rows.values(), key=lambda row: (-(row.stored_at or 0.0), row.key))


def first_after(store: Store, moment: float, now: float) -> tuple[MatchRow, ...]:
    """Return for each game the match that was the first to be open after a moment, as far as there is one by now."""
    with store.read() as session:
        longest_s = session.scalar(select(func.max(Tournament.delay_s))) or 0
        late = _results(
            session,
            MatchResult.stored_at > moment - longest_s,  # by its index; the rest is read of these alone
            MatchResult.stored_at + Tournament.delay_s > moment,
            oldest=True,
        )
        rows = _opened(store, session, late, now)
    first: dict[str, MatchRow] = {}
    for row in sorted(rows, key=lambda row: (row.stored_at or 0.0, row.tournament_id, row.set, row.match)):
        first.setdefault(row.game, row)
    return tuple(first.values())


def _results(
    session: Session, *conditions: ColumnElement[bool], oldest: bool = False
) -> list[tuple[MatchResult, str]]:
    order = (
        (MatchResult.stored_at, MatchResult.id)
        if oldest
        else (MatchResult.stored_at.desc(), MatchResult.id.desc())
    )
    query = (
        select(MatchResult, Tournament.game)
        .join(Tournament, Tournament.id == MatchResult.tournament_id)
        .where(*conditions, *_watchable())
        .order_by(*order)
        .limit(_NEWEST)
    )
    return [(result, game) for result, game in session.execute(query)]


def _with_strong_bots(game: str) -> ColumnElement[bool]:
    """Return the condition for tournaments of a game that has enough of its best bots for a match."""
    best = (
        select(Rating.pool_id, func.max(Rating.elo).label("elo"))
        .where(Rating.component == 0)
        .group_by(Rating.pool_id)
        .subquery()
    )
    strong = (
        select(func.count(Entry.version_id.distinct()))
        .join(Rating, Rating.version_id == Entry.version_id)
        .join(Pool, Pool.id == Rating.pool_id)
        .join(best, best.c.pool_id == Rating.pool_id)
        .where(
            Entry.tournament_id == Tournament.id,
            Pool.game == game,
            Pool.variant == Tournament.variant,
            Rating.elo >= best.c.elo - BELOW_BEST,
        )
        .scalar_subquery()
    )
    return strong >= Tournament.seats


def _of_last_tournaments(
    session: Session, game: str, *conditions: ColumnElement[bool]
) -> list[tuple[MatchResult, str]]:
    mine = select(Tournament.id).where(
        Tournament.game == game,
        Tournament.matches_done > 0,
        ~exists().where(Trial.tournament_id == Tournament.id),
        *conditions,
    )
    found: list[tuple[MatchResult, str]] = []
    for number in session.scalars(mine.order_by(Tournament.id.desc()).limit(_TOURNAMENTS)):
        query = select(MatchResult).where(MatchResult.tournament_id == number, *_watchable())
        last = query.order_by(MatchResult.set_number.desc(), MatchResult.match_number.desc())
        found += [(result, game) for result in session.scalars(last.limit(_OF_A_TOURNAMENT))]
    return found


def _watchable() -> tuple[ColumnElement[bool], ...]:
    """Leave out what was not played, what has no record, and trials."""
    return (
        MatchResult.end.not_in(UNPLAYED),
        exists().where(Record.result_id == MatchResult.id),
        ~exists().where(Trial.tournament_id == MatchResult.tournament_id),
    )


def _opened(
    store: Store, session: Session, found: Iterable[tuple[MatchResult, str]], moment: float
) -> list[MatchRow]:
    """Return those of some results whose cards were public at a moment, at most some of each game."""
    newest = sorted(found, key=lambda each: (-each[0].stored_at, -each[0].id))
    stored_at = _times_of_sets(session, {(each.tournament_id, each.set_number) for each, _ in newest})
    counts: dict[str, int] = defaultdict(int)
    rows = []
    for result, game in newest:
        if counts[game] >= _OF_A_GAME:
            continue
        stored = plans.load(store, session, result.tournament_id)
        planned = plans.match(stored, result.set_number, result.match_number, result.attempt)
        opens_at = disclosure.opens_at(stored, planned, stored_at[result.tournament_id, result.set_number])
        if opens_at is not None and opens_at <= moment:
            counts[game] += 1
            rows.append(match_views.match_row(stored, planned, result, is_open=True))
    return rows


def _times_of_sets(
    session: Session, sets: Collection[tuple[int, int]]
) -> Mapping[tuple[int, int], dict[int, float]]:
    numbers_of: dict[int, set[int]] = defaultdict(set)
    for tournament_id, number in sets:
        numbers_of[tournament_id].add(number)
    times: dict[tuple[int, int], dict[int, float]] = defaultdict(dict)
    for tournament_id, numbers in numbers_of.items():
        query = select(MatchResult.set_number, MatchResult.match_number, MatchResult.stored_at).where(
            MatchResult.tournament_id == tournament_id, MatchResult.set_number.in_(numbers)
        )
        for number, match, stored in session.execute(query):
            times[tournament_id, number][match] = stored
    return times
