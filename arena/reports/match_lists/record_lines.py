"""The records of many open matches as lines of JSON, in one zstd frame: read from the store in parts, never all at once.

    {"tournament_id":7,"set":41,"match":0,"record":{"format":"arena-match/1",…}}

The lines are in the order of tournament, set and match, so a client can continue after the last one that it has read.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

from sqlalchemy import and_, exists, or_, select
from zstandard import ZstdCompressor

from arena.competition import plans
from arena.competition.matches.stored_records import MatchKey
from arena.games import registry
from arena.match.record_columns import RecordUnreadable
from arena.reports import match_views
from arena.storage import Store
from arena.storage.record_compression import unpack
from arena.storage.schema import MatchResult, Record, Tournament, Trial

MAX_RECORDS = 2000
"""Records of one answer: some five seconds of computing."""

_log = logging.getLogger(__name__)

AT_ONCE = 100
"""Records that are in memory at once."""
_LEVEL = 6
"""With level 3 the answer is a third larger; level 9 takes twice the time for 7 % less.  Reading takes ten times as long."""
_CHUNK_BYTES = 1 << 16


def of_tournament(store: Store, tournament_id: int, after: MatchKey | None, limit: int) -> Iterator[bytes]:
    """Pack the records of open matches of a tournament, after a match if one is given.  Raises NotFound, at once."""
    plans.find(store, tournament_id)
    return _pack(_lines(store, [tournament_id], after, limit))


def of_game(store: Store, game: str, after: MatchKey | None, limit: int) -> Iterator[bytes]:
    """Pack the records of open matches of a game, without trials.  Raises UsageError, at once."""
    registry.find(game)
    query = select(Tournament.id).where(
        Tournament.game == game, ~exists().where(Trial.tournament_id == Tournament.id)
    )
    if after is not None:
        query = query.where(Tournament.id >= after[0])
    with store.read() as session:
        tournaments = session.scalars(query.order_by(Tournament.id)).all()
    return _pack(_lines(store, tournaments, after, limit))


def _pack(lines: Iterator[str]) -> Iterator[bytes]:
    chunker = ZstdCompressor(level=_LEVEL, write_checksum=True).chunker(chunk_size=_CHUNK_BYTES)
    for line in lines:
        yield from chunker.compress(line.encode())
    yield from chunker.finish()  # type: ignore[no-untyped-call]


def _lines(store: Store, tournaments: Sequence[int], after: MatchKey | None, limit: int) -> Iterator[str]:
    left = limit
    for tournament_id in tournaments:
        place = (-1, -1)
        if after is not None and tournament_id == after[0]:
            place = after[1:]
        while left > 0 and (found := _read(store, tournament_id, place)):
            place = found[-1][0][1:]
            for key, packed in found:
                if packed is not None and left > 0:
                    yield _line(key, packed)
                    left -= 1


def _read(store: Store, tournament_id: int, after: tuple[int, int]) -> list[tuple[MatchKey, bytes | None]]:
    """Read the next records of a tournament, None for those of matches that are not open."""
    query = (
        select(MatchResult.set_number, MatchResult.match_number, Record.data)
        .join(Record, Record.result_id == MatchResult.id)
        .where(
            MatchResult.tournament_id == tournament_id,
            or_(
                MatchResult.set_number > after[0],
                and_(MatchResult.set_number == after[0], MatchResult.match_number > after[1]),
            ),
        )
        .order_by(MatchResult.set_number, MatchResult.match_number)
        .limit(AT_ONCE)
    )
    with store.read() as session:
        rows = [((tournament_id, number, match), data) for number, match, data in session.execute(query)]
        opened = match_views.open_matches(store, session, {key for key, _ in rows})
    return [(key, data if key in opened else None) for key, data in rows]


def _line(key: MatchKey, packed: bytes) -> str:
    """Write a line; the record is null if what is stored cannot be read."""
    try:
        record = unpack(packed)
    except RecordUnreadable as error:
        _log.warning("record of match %d of set %d of tournament %d: %s", key[2], key[1], key[0], error)
        record = "null"
    return f'{{"tournament_id":{key[0]},"set":{key[1]},"match":{key[2]},"record":{record}}}\n'
