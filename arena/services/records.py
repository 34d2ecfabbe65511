"""Records at rest: all those of a game kept whole, for the time when its rules will be others."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, select, update

from arena.games import registry
from arena.match.essence import RulesChanged
from arena.store import Store
from arena.store.compression import pack_whole
from arena.store.schema import MatchResult, Record, Tournament

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
    query = (
        select(Record.result_id, Record.data)
        .join(MatchResult, MatchResult.id == Record.result_id)
        .join(Tournament, Tournament.id == MatchResult.tournament_id)
        .where(Tournament.game == game, Record.result_id > bindparam("last"))
        .order_by(Record.result_id)
        .limit(_AT_ONCE)
    )
    while True:
        with store.read() as session:
            rows = session.execute(query, {"last": last}).all()
        if not rows:
            return KeptWhole(written, already, tuple(refused))
        last = rows[-1].result_id
        whole: dict[int, bytes] = {}
        for row in rows:
            try:
                data = pack_whole(row.data)
            except RulesChanged as error:
                refused.append(str(error))
                continue
            if data is None:
                already += 1
            else:
                whole[row.result_id] = data
        with store.write() as session:
            for result_id, data in whole.items():
                session.execute(update(Record).where(Record.result_id == result_id).values(data=data))
        written += len(whole)
