"""Owners: which entries of a tournament belong to the same person, as anonymous numbers."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, update
from sqlalchemy.orm import Session

from arena.bot_registry.bot_version import BotVersion
from arena.scheduling.planning_terms import Groups
from arena.storage.schema import Entry


def group(entries: Sequence[BotVersion], known: Groups = ()) -> Groups:
    """Return the owners of entries as numbers, in the order in which they come; None for the house's bots.

    `known` are the numbers that the first entries were given before, which stay.  Versions of a bot that has no owner and
    that is not the house's either, one that the operator added, form a group of their own.
    """
    numbers = {
        _owner(entry): number for entry, number in zip(entries, known, strict=False) if number is not None
    }
    groups = list(known)
    for entry in entries[len(known) :]:
        if entry.house:
            groups.append(None)
        else:
            groups.append(numbers.setdefault(_owner(entry), max(numbers.values(), default=-1) + 1))
    return tuple(groups)


def assign(session: Session, tournament_id: int, entries: Sequence[BotVersion], known: Groups = ()) -> Groups:
    """Store the groups of a tournament's entries, of which the first have theirs; returns all of them."""
    groups = group(entries, known)
    rows = [
        {"entry": number, "group": groups[number]}
        for number in range(len(known), len(groups))
        if groups[number] is not None
    ]
    if rows:
        mine = (Entry.tournament_id == tournament_id, Entry.number == bindparam("entry"))
        session.flush()
        session.connection().execute(
            update(Entry).where(*mine).values(owner_group=bindparam("group")), rows
        )  # one statement for all: a tournament may have thousands
    return groups


def _owner(entry: BotVersion) -> tuple[str, str]:
    return ("bot", entry.bot) if entry.owner is None else ("user", entry.owner)
