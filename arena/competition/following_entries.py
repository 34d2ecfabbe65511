"""Entries before the start: the active version of a bot takes the place of the one that was entered, unless that was named.

    entered as my-bot      my-bot@1 ──(my-bot@2 becomes active)──▶ my-bot@2
    entered as my-bot@1    my-bot@1 stays

It is part of the transaction in which a version becomes the active one.  The tournament is locked, so that it begins with one of them.
"""

from __future__ import annotations

from sqlalchemy import Connection, exists, select, update
from sqlalchemy.orm import aliased

from arena.competition.tournament_states import CREATED, OPEN
from arena.storage.schema import Entry, Tournament, Version

BEFORE_START = (CREATED, OPEN)


def is_pinned(name: str) -> bool:
    """Return whether a bot that is named so enters with just this version: NAME@VERSION, not NAME."""
    return "@" in name


def follow(connection: Connection, bot_id: int, version_id: int) -> None:
    """Put the active version of a bot in the place of others that are entered in what has not begun.  The bot is locked by the caller."""
    others = select(Version.id).where(Version.bot_id == bot_id, Version.id != version_id)
    there = aliased(Entry)
    already = exists().where(there.tournament_id == Entry.tournament_id, there.version_id == version_id)
    mine = (Entry.version_id.in_(others), Entry.pinned.is_(False))
    waiting = (
        select(Tournament.id)
        .where(
            Tournament.state.in_(BEFORE_START),
            exists().where(Entry.tournament_id == Tournament.id, *mine),
        )
        .order_by(Tournament.id)
        .with_for_update()
    )
    for tournament_id in connection.scalars(waiting).all():
        numbers = select(Entry.number).where(Entry.tournament_id == tournament_id, *mine, ~already)
        number = connection.scalar(numbers.order_by(Entry.number).limit(1))
        if number is not None:
            entry = (Entry.tournament_id == tournament_id, Entry.number == number)
            connection.execute(update(Entry).where(*entry).values(version_id=version_id))
