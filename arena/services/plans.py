"""Plans: what a stored tournament plays, loaded once and kept, since it never changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from sqlalchemy.orm import Session

from arena.errors import UsageError
from arena.match.clock import TimeControl
from arena.schedule.sets import Plan, PlannedMatch
from arena.services.bots import BotVersion, bot_version, with_owners
from arena.store import Store
from arena.store.schema import Entry, Tournament, Version


class NotFound(UsageError):  # noqa: N818 - the field's own word for it
    """Raised when a tournament, a match or a block is asked for that does not exist."""


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A tournament's plan with all that its matches need; nothing of it changes while the tournament runs."""

    tournament_id: int
    name: str
    game: str
    variant: str
    options: Mapping[str, int]
    time: TimeControl
    pool_id: int | None
    entries: tuple[BotVersion, ...]
    plan: Plan


_kept: WeakKeyDictionary[Store, dict[int, StoredPlan]] = WeakKeyDictionary()


def load(store: Store, session: Session, tournament_id: int) -> StoredPlan:
    """Give the plan of a tournament.  Raises NotFound."""
    kept = _kept.setdefault(store, {})
    if tournament_id not in kept:
        kept[tournament_id] = _read(session, tournament_id)
    return kept[tournament_id]


def find(store: Store, tournament_id: int) -> StoredPlan:
    """Give the plan of a tournament as `load` does, with a transaction only the first time.  Raises NotFound."""
    kept = _kept.get(store, {}).get(tournament_id)
    if kept is not None:
        return kept
    with store.read() as session:
        return load(store, session, tournament_id)


def _read(session: Session, tournament_id: int) -> StoredPlan:
    tournament = session.get(Tournament, tournament_id)
    if tournament is None:
        raise NotFound(f"tournament {tournament_id}: there is none; `arena tournament list` shows them")
    entries = read_entries(session, tournament_id)
    return StoredPlan(
        tournament_id=tournament_id,
        name=tournament.name,
        game=tournament.game,
        variant=tournament.variant,
        options=tournament.options,
        time=time_of(tournament),
        pool_id=tournament.pool_id,
        entries=entries,
        plan=Plan(
            secret=tournament.secret,
            inputs=tournament.inputs,
            seats=tournament.seats,
            cycles=tournament.cycles,
            hosted=tuple(entry.hosted for entry in entries),
            trusted=tournament.trusted,
        ),
    )


def read_entries(session: Session, tournament_id: int) -> tuple[BotVersion, ...]:
    """Give the entries of a tournament in the order of their numbers."""
    query = (
        with_owners()
        .join(Entry, Entry.version_id == Version.id)
        .where(Entry.tournament_id == tournament_id)
        .order_by(Entry.number)
    )
    return tuple(bot_version(version, bot, owner) for version, bot, owner in session.execute(query))


def time_of(tournament: Tournament) -> TimeControl:
    """Give the time control that is stored with a tournament."""
    return TimeControl(tournament.base_ms, tournament.increment_ms, tournament.cap_ms, tournament.talk_ms)


def match(stored: StoredPlan, set_number: int, match_number: int, attempt: int) -> PlannedMatch:
    """Give one attempt at one match.  Raises NotFound."""
    try:
        return stored.plan.match(set_number, match_number, attempt)
    except IndexError:
        raise NotFound(
            f"match {match_number} of set {set_number}: tournament {stored.tournament_id} has sets 0 to "
            f"{stored.plan.sets_total - 1} of {stored.plan.seats} matches each, from 0"
        ) from None


def check_set(stored: StoredPlan, set_number: int) -> None:
    """Check that a tournament has a set.  Raises NotFound."""
    match(stored, set_number, 0, 0)
