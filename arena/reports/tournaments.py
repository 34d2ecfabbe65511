"""Tournaments as they are listed and shown."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any, Literal, cast

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session

from arena.competition import disclosure, plans, pools, tournament_states
from arena.competition.matches import absences
from arena.competition.plans import NotFound, StoredPlan
from arena.core.translatable import say
from arena.rankings import standings
from arena.ratings.model import ALGORITHM
from arena.reports import decision_log, round_views
from arena.reports.by_format import tournament_winners
from arena.reports.tournament_details import (
    EntryRow,
    ListedTournament,
    TournamentHead,
    TournamentPage,
    TournamentRow,
    TournamentState,
)
from arena.scheduling.formats.format_registry import FORMATS
from arena.scheduling.owner_separation import is_crowded
from arena.storage import Store
from arena.storage.schema import Entry, Pool, Tournament

_MOST_WITH_WINNERS = 200
"""Each costs a table the first time."""

# The columns of a `TournamentRow`, in the order of its fields: whole tournaments would take ten times the memory.
_ROW = (
    Tournament.id,
    Tournament.name,
    Tournament.game,
    Tournament.variant,
    Tournament.seats,
    Tournament.format,
    Tournament.state,
    Tournament.matches_total,
    Tournament.matches_done,
    Tournament.created_at,
    Tournament.finished_at,
)
_LISTED = select(*_ROW).where(Tournament.format.in_(FORMATS))
"""Trials are their authors' business and left out."""


def listing(store: Store, *, before: int | None = None, most: int | None = None) -> tuple[TournamentRow, ...]:
    """List tournaments, the newest first, without trials: all, or the next `most` before the number `before`."""
    query = _LISTED if before is None else _LISTED.where(Tournament.id < before)
    return _read(store, query.order_by(Tournament.id.desc()).limit(most))


def with_winners(store: Store, rows: Sequence[TournamentRow]) -> tuple[ListedTournament, ...]:
    """Name the winners of tournaments in a list, of the first of a long one."""
    named = tournament_winners.read(store, rows[:_MOST_WITH_WINNERS])
    return tuple(
        ListedTournament(
            **asdict(row),
            winners=named.get(row.id) if tournament_winners.has_winner(row) else (),
        )
        for row in rows
    )


def running(store: Store) -> tuple[TournamentRow, ...]:
    """List the tournaments that are played now, the newest first, without trials."""
    return _read(
        store, _LISTED.where(Tournament.state == tournament_states.RUNNING).order_by(Tournament.id.desc())
    )


def with_newer(store: Store, numbers: Collection[int], newest: int) -> tuple[TournamentRow, ...]:
    """List the tournaments with these numbers, and all after the newest that is known, the newest first, without trials."""
    query = _LISTED.where(or_(Tournament.id > newest, Tournament.id.in_(numbers)))
    return _read(store, query.order_by(Tournament.id.desc()))


def of_game(store: Store, game: str, most: int) -> tuple[TournamentRow, ...]:
    """List the tournaments of a game, those that are played now first, then the newest, without trials."""
    order = (Tournament.state != tournament_states.RUNNING, Tournament.id.desc())
    return _read(store, _LISTED.where(Tournament.game == game).order_by(*order).limit(most))


def created_by(store: Store, name: str) -> tuple[TournamentRow, ...]:
    """List the tournaments that a user has created, the newest first."""
    return _read(store, select(*_ROW).where(Tournament.owner == name).order_by(Tournament.id.desc()))


def row(store: Store, tournament_id: int) -> TournamentRow:
    """Show how far a tournament is, by one small query.  Raises NotFound."""
    found = _read(store, select(*_ROW).where(Tournament.id == tournament_id))
    if not found:
        raise _not_found(tournament_id)
    return found[0]


def _read(store: Store, query: Select[*tuple[Any, ...]]) -> tuple[TournamentRow, ...]:
    with store.read() as session:
        return tuple(TournamentRow(*each) for each in session.execute(query))


def head(store: Store, tournament_id: int) -> TournamentHead:
    """Show what must be known to steer a tournament, which costs no table.  Raises NotFound."""
    with store.read() as session:
        found = _get(session, tournament_id)
        stored = plans.load(store, session, tournament_id)
        entries = _entries(session, stored)
    return TournamentHead(
        id=found.id,
        name=found.name,
        game=found.game,
        variant=found.variant,
        seats=found.seats,
        format=found.format,
        rules=decision_log.rules_in_words(stored),
        description=found.description,
        priority=found.priority,
        state=state_of(found),
        entries=entries,
    )


def page(store: Store, tournament_id: int) -> TournamentPage:
    """Show a tournament; its secret only when it is over.  Raises NotFound."""
    with store.read() as session:
        return page_in(store, session, tournament_id)


def page_in(store: Store, session: Session, tournament_id: int) -> TournamentPage:
    """Show a tournament as `page` does, inside a transaction."""
    found = _get(session, tournament_id)
    stored = plans.load(store, session, tournament_id)
    pool = None if found.pool_id is None else session.get_one(Pool, found.pool_id)
    state = state_of(found)
    played = round_views.read(session, stored)
    reached = round_views.reached(stored, played)
    table = standings.read(store, session, tournament_id, stored.entries, reached)
    champion = round_views.champion(stored, played)
    test = round_views.sprt(session, stored)
    opens_at = disclosure.secret_opens_at(stored)
    return TournamentPage(
        id=found.id,
        name=found.name,
        description=found.description,
        game=found.game,
        variant=found.variant,
        seats=found.seats,
        format=found.format,
        rules=decision_log.rules_in_words(stored),
        priority=found.priority,
        options=found.options,
        time=str(stored.time),
        cycles=found.cycles,
        trusted=found.trusted,
        pool=None if pool is None else pools.key(pool.game, pool.variant),
        own_pairs=found.seats == 2 and is_crowded(stored.terms.apart),
        state=state,
        sets_total=stored.plan.sets_total,
        matches_total=found.matches_total,
        matches_done=found.matches_done,
        commitment=found.commitment.hex(),
        delay_s=found.delay_s,
        secret=found.secret.hex() if disclosure.is_open(stored, opens_at) else None,
        secret_opens_at=opens_at,
        waiting_for=absences.waiting_for(session, tournament_id, stored.entries),
        entries=_entries(session, stored),
        standings=table.rows,
        crosstable=table.crosstable,
        rounds=round_views.shown(stored, played),
        points=round_views.points(stored, played),
        eliminations=store.cache.get(
            ("eliminations", tournament_id),
            stored.revision,
            lambda: round_views.eliminations(stored, played),
        ),
        bracket=round_views.bracket(stored, played),
        places=round_views.places(reached),
        champion=champion,
        winners=tournament_winners.winners_of(stored, table.rows, champion, test)
        if state == tournament_states.FINISHED
        else (),
        sprt=test,
        decisions=store.cache.get(
            ("decisions", tournament_id),
            (stored.revision, len(stored.entries)),
            lambda: decision_log.latest(session, stored),
        ),
        algorithm=ALGORITHM,
        input_sha256=table.input_sha256,
        created_at=found.created_at,
        started_at=found.started_at,
        finished_at=found.finished_at,
    )


def state_of(tournament: Tournament) -> TournamentState:
    """Return how far a tournament is."""
    return cast("TournamentState", tournament.state)


def _entries(session: Session, stored: StoredPlan) -> tuple[EntryRow, ...]:
    query = select(Entry.version_id).where(Entry.tournament_id == stored.tournament_id)
    fixed = set(session.scalars(query.where(Entry.pinned.is_(True))))
    return tuple(
        EntryRow(
            number,
            entry.bot,
            entry.version,
            _left(stored.course.withdrawn.get(number)),
            entry.version_id in fixed,
        )
        for number, entry in enumerate(stored.entries)
    )


def _left(annulled: bool | None) -> Literal["kept", "annulled"] | None:  # noqa: FBT001 - as the course has it
    if annulled is None:
        return None
    return "annulled" if annulled else "kept"


def _get(session: Session, tournament_id: int) -> Tournament:
    tournament = session.get(Tournament, tournament_id)
    if tournament is None:
        raise _not_found(tournament_id)
    return tournament


def _not_found(tournament_id: int) -> NotFound:
    return NotFound(
        say(
            "tournament {tournament_id}: there is none; `arena tournament list` shows them",
            tournament_id=tournament_id,
        )
    )
