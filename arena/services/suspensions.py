"""Suspensions: a bot whose matches end by its own faults again and again plays no more."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from arena.services import bots, departures
from arena.services.accounts import Actor
from arena.services.plans import read_entries
from arena.services.pools import tournament_scope
from arena.store import Store
from arena.store.schema import Bot, Tournament, Trial, User, Version, VersionTotal

FEWEST_FAULTS = 10
"""A bot is suspended when it has so many faults in a tournament, and they are at least half of its matches."""


@dataclass(frozen=True, slots=True)
class SuspendedVersion:
    """A version that is suspended, and why; `owner` is None for the house's."""

    game: str
    bot: str
    version: str
    owner: str | None
    reason: str


def listing(store: Store, actor: Actor) -> tuple[SuspendedVersion, ...]:
    """List the versions that are suspended, the newest first.  Raises Refusal."""
    actor.require("admin")
    query = (
        select(Version, Bot, User.name)
        .join(Bot, Bot.id == Version.bot_id)
        .outerjoin(User, User.id == Bot.owner_id)
        .where(Version.state == bots.SUSPENDED)
        .order_by(Version.id.desc())
    )
    with store.read() as session:
        return tuple(
            SuspendedVersion(bot.game, bot.name, version.version, owner, version.reason or "")
            for version, bot, owner in session.execute(query)
        )


def consider(store: Store, tournament_id: int, entry: int) -> bool:
    """Suspend an entry that has just made a fault, if it has made too many: it leaves, and what it has played stays."""
    with store.read() as session:
        if not _is_too_many(session, tournament_id, entry):
            return False
    with store.write() as session:
        tournament = session.get_one(Tournament, tournament_id, with_for_update=True)
        found = read_entries(session, tournament_id)[entry]
        total = session.get_one(VersionTotal, (tournament_scope(tournament_id), found.version_id))
        why = f"suspended: {total.faults} of its {total.matches} matches here ended by its fault"
        if not departures.leave(store, session, tournament, entry, annulled=False, why=why):
            return False
        session.execute(
            update(Version)
            .where(Version.id == found.version_id, Version.state == bots.ACTIVE)
            .values(state=bots.SUSPENDED, reason=f"tournament {tournament_id}: {why}")
        )
    departures.settle(store, tournament_id)
    return True


def _is_too_many(session: Session, tournament_id: int, entry: int) -> bool:
    if session.get(Trial, tournament_id) is not None:
        return False
    version_id = read_entries(session, tournament_id)[entry].version_id
    total = session.get(VersionTotal, (tournament_scope(tournament_id), version_id))
    return total is not None and total.faults >= FEWEST_FAULTS and 2 * total.faults >= total.matches
