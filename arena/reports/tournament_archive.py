"""Archives: a tournament with all its records in one zip, from which alone anyone can check it.

    tournament.json           its inputs, every result, the table (arena.reports.exports)
    results.csv               the results, as `arena ratings fit` reads them (arena.reports.match_lists.result_sheets)
    records/<set>-<match>.json   the record of each match that has one
    not_kept.json             if records are not kept any more: the names of their files

The same tournament gives the same bytes: files are in order and have no times.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sqlalchemy import select

from arena.competition.matches.outcomes import UNPLAYED
from arena.match.record_columns import RecordUnreadable
from arena.reports import exports
from arena.reports.match_lists import result_sheets
from arena.storage import Store
from arena.storage.record_compression import unpack
from arena.storage.schema import MatchResult, Record

TOURNAMENT = "tournament.json"
RESULTS = "results.csv"
NOT_KEPT = "not_kept.json"
_AT_ONCE = 500
_NO_TIME = (1980, 1, 1, 0, 0, 0)


def record_name(set_number: int, match_number: int) -> str:
    """Name the file of a match's record."""
    return f"records/{set_number}-{match_number}.json"


def write(store: Store, tournament_id: int, target: IO[bytes]) -> None:
    """Write a tournament's archive, as far as it has been played.  Raises NotFound, RecordUnreadable."""
    text = exports.export(store, tournament_id)
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        _add(archive, TOURNAMENT, text)
        document = json.loads(text)
        _add(archive, RESULTS, result_sheets.of_document(document))
        if document["secret"] is None:
            return  # nor are the records shown before (arena.competition.disclosure)
        missing = {
            record_name(match["set"], match["match"]): None
            for match in document["matches"]
            if match["end"] not in UNPLAYED
        }
        for name, record in _records(store, tournament_id):
            _add(archive, name, record)
            missing.pop(name, None)
        if missing:
            _add(archive, NOT_KEPT, json.dumps(list(missing), separators=(",", ":")))


def _add(archive: ZipFile, name: str, text: str) -> None:
    info = ZipInfo(name, _NO_TIME)
    info.compress_type = ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, text)


def _records(store: Store, tournament_id: int) -> Iterator[tuple[str, str]]:
    after = (-1, -1)
    while True:
        query = (
            select(MatchResult.set_number, MatchResult.match_number, Record.data)
            .join(Record, Record.result_id == MatchResult.id)
            .where(
                MatchResult.tournament_id == tournament_id,
                (MatchResult.set_number > after[0])
                | ((MatchResult.set_number == after[0]) & (MatchResult.match_number > after[1])),
            )
            .order_by(MatchResult.set_number, MatchResult.match_number)
            .limit(_AT_ONCE)
        )
        with store.read() as session:
            rows = session.execute(query).all()
        if not rows:
            return
        for set_number, match_number, data in rows:
            name = record_name(set_number, match_number)
            try:
                yield name, unpack(data)
            except RecordUnreadable as error:
                raise RecordUnreadable(f"{name} of tournament {tournament_id}: {error}") from error
        after = (rows[-1][0], rows[-1][1])
