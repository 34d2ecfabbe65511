"""Records at rest: all those of a game kept whole, for the time when its rules will be others."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select, update

from arena.games import registry
from arena.match.compact_record import RulesChanged
from arena.storage import Store
from arena.storage.record_compression import pack_whole
from arena.storage.schema import MatchResult, Record, Tournament

_AT_ONCE = 100
"""Records that are read, then written in one transaction: few, so that others need not wait long to write."""


@dataclass(frozen=True, slots=True)
class KeptWhole:
    """How many records were written whole now, how many were already, and why each of the others could not be."""

    written: int
    already: int
    refused: tuple[str, ...]


def keep_whole(store: Store, game: str) -> KeptWhole:
    """Write the records of a game whole, so that they can be read under any rules.  Safe to break off and to repeat.

    Raises UsageError if there is no such game.
    """
    registry.find(game)
    written = already = last = 0
    refused: list[str] = []
    while rows := _rows(store, game, last):
        last = rows[-1][0]
        whole: dict[int, bytes] = {}
        for result_id, packed in rows:
            try:
                data = pack_whole(packed)
            except RulesChanged as error:
                refused.append(str(error))
                continue
            if data is None:
                already += 1
            else:
                whole[result_id] = data
        with store.write() as session:
            for result_id, data in whole.items():
                session.execute(update(Record).where(Record.result_id == result_id).values(data=data))
        written += len(whole)
    return KeptWhole(written, already, tuple(refused))


def _rows(store: Store, game: str, after: int) -> list[tuple[int, bytes]]:
    """Read the next records of a game: the ids of their results, and their data."""
    query = (
        select(Record.result_id, Record.data)
        .join(MatchResult, MatchResult.id == Record.result_id)
        .join(Tournament, Tournament.id == MatchResult.tournament_id)
        .where(Tournament.game == game, Record.result_id > after)
        .order_by(Record.result_id)
        .limit(_AT_ONCE)
    )
    with store.read() as session:
        return [(row.result_id, row.data) for row in session.execute(query)]
