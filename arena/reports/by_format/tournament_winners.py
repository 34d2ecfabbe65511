"""Winners of tournaments: the champion of a knockout or race, the bot that a test found stronger, or the best of the final table.

(1, "finished", "swiss") ──▶ ("greedy",)        several names where the first place is shared
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.bot_registry.bot_names import Versioned, called
from arena.competition import plans, tournament_states
from arena.competition.matches import rating_inputs
from arena.competition.plans import StoredPlan
from arena.competition.pools import tournament_scope
from arena.rankings import standings
from arena.reports import round_views
from arena.scheduling.formats.format_registry import format_of
from arena.storage import Store
from arena.storage.schema import Entry, VersionTotal

MAX_ENTRIES = 128
"""Entries above which a table costs too much for a list of tournaments; only the tournament's own page then names the winner."""


class Listed(Protocol):
    """A tournament as a list has it."""

    @property
    def id(self) -> int:
        """Its number."""
        ...

    @property
    def state(self) -> str:
        """State of the tournament."""
        ...

    @property
    def format(self) -> str:
        """The name of its format."""
        ...


def has_winner(row: Listed) -> bool:
    """Return whether a tournament is over and was played for a first place: in a gauntlet one bot is compared with the others."""
    return row.state == tournament_states.FINISHED and not format_of(row.format).has_leader


def read(store: Store, rows: Sequence[Listed]) -> Mapping[int, tuple[str, ...]]:
    """Return the names of those who won, by tournament; those that are not over, or have too many entries, are left out."""
    over = [row for row in rows if has_winner(row)]
    if not over:
        return {}
    with store.read() as session:
        ids = [row.id for row in over]
        large = select(Entry.tournament_id).where(Entry.tournament_id.in_(ids), Entry.number == MAX_ENTRIES)
        too_large = set(session.scalars(large))
        versions = rating_inputs.cache_versions_of_tournaments(session, ids)
        return {
            row.id: _cached(store, session, row, versions[row.id]) for row in over if row.id not in too_large
        }


def _cached(
    store: Store, session: Session, row: Listed, version: rating_inputs.CacheVersion
) -> tuple[str, ...]:
    return store.cache.get(("winners", row.id), version, lambda: _winners(store, session, row))


def _winners(store: Store, session: Session, row: Listed) -> tuple[str, ...]:
    stored = plans.load(store, session, row.id)
    if stored.rules.has_champion:
        champion = round_views.champion(stored, round_views.read(session, stored))
        return winners_of(stored, (), champion, None)
    if (test := round_views.sprt(session, stored)) is not None:
        return winners_of(stored, (), None, test)
    scope = tournament_scope(row.id)
    played = tuple(session.scalars(select(VersionTotal).where(VersionTotal.scope == scope)))
    # Without the sets there are no error bars, which take the most time and change nothing here.
    table = standings.arrange(stored.entries, rating_inputs.pairs_of(session, scope), played, ()).rows
    return winners_of(stored, table, None, None)


def winners_of(
    stored: StoredPlan,
    table: Sequence[standings.StandingRow],
    champion: int | None,
    test: round_views.SprtRow | None,
) -> tuple[str, ...]:
    """Return the names of those who won a tournament that is over: the champion, the bot that a test found stronger, or the best of the table."""
    if stored.rules.has_leader:
        return ()
    if stored.rules.has_champion:
        return () if champion is None else (stored.names[champion],)
    if test is not None:
        return _stronger(stored, test)
    return best_of(table, stored.entries)


def _stronger(stored: StoredPlan, test: round_views.SprtRow) -> tuple[str, ...]:
    """Return the name of the bot that the accepted claim of a test says is stronger; an undecided test has no winner."""
    if test.accepted is None:
        return ()
    claim = test.elo0 if test.accepted == "elo0" else test.elo1
    return (stored.names[0 if claim > 0 else 1],) if claim else ()


def best_of(rows: Sequence[standings.StandingRow], entries: Sequence[Versioned]) -> tuple[str, ...]:
    """Return the names of the best of a final table; empty if there are groups that have not met."""
    played = [row for row in rows if row.wins + row.draws + row.losses]
    if len({row.component for row in played}) != 1:
        return ()
    return tuple(called(row, entries) for row in played if row.rank == 1)
