"""The records of matches as they are stored, found by the match."""

from __future__ import annotations

from typing import TypeAlias

from sqlalchemy import select

from arena.storage import Store
from arena.storage.schema import MatchResult, Record

MatchKey: TypeAlias = tuple[int, int, int]
"""A tournament, a set and the number of a match in it."""


def load(store: Store, key: MatchKey) -> bytes | None:
    """Return the packed record of a match, None if it has none or it is no longer kept.

    The caller must have found the match open (arena.competition.disclosure).
    """
    tournament_id, set_number, match_number = key
    query = (
        select(Record.data)
        .join(MatchResult, MatchResult.id == Record.result_id)
        .where(
            MatchResult.tournament_id == tournament_id,
            MatchResult.set_number == set_number,
            MatchResult.match_number == match_number,
        )
    )
    with store.read() as session:
        return session.scalar(query)
