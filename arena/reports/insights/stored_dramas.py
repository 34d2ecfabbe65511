"""How exciting matches were, as it is stored: measured once by a worker, read by lists of matches and by Arena TV.

Only matches whose record is kept have a drama, so a list never tells more than the match's own page.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Collection, Mapping

from sqlalchemy import and_, delete, select
from sqlalchemy.orm import Session

from arena.competition.matches.stored_records import MatchKey
from arena.match.drama import MEASURE, Drama
from arena.storage import Store
from arena.storage.schema import MatchDrama, MatchResult, Record
from arena.storage.upserts import insert_missing

_KEY = ("tournament_id", "set_number", "match_number")
_MOST_SETS = 500
"""Sets that one statement names."""


def load(
    store: Store, keys: Collection[MatchKey], before: float | None = None
) -> Mapping[MatchKey, Drama | None]:
    """Return the drama of matches, None where it is not measured yet; those without a record are left out.

    With `before`, in seconds since the epoch, what was measured later counts as not measured.
    """
    found: dict[MatchKey, Drama | None] = {}
    with store.read() as session:
        for tournament_id, sets in _by_tournament(keys).items():
            for first in range(0, len(sets), _MOST_SETS):
                found |= _load(session, tournament_id, sets[first : first + _MOST_SETS], before)
    return {key: found[key] for key in keys if key in found}


def save(store: Store, dramas: Mapping[MatchKey, Drama]) -> None:
    """Store the drama of matches; for a match that has one nothing changes, unless that was measured in an older way."""
    with store.write() as session:
        known = {
            key: drama
            for tournament_id, sets in _by_tournament(dramas).items()
            for key, drama in _load(session, tournament_id, sets, None).items()
        }
        due = [key for key in dramas if key in known and known[key] is None]
        for tournament_id, sets in _by_tournament(due).items():
            session.execute(
                delete(MatchDrama).where(
                    MatchDrama.tournament_id == tournament_id,
                    MatchDrama.set_number.in_(sets),
                    MatchDrama.measure < MEASURE,
                )
            )
        now = time.time()
        rows = [
            {**dict(zip(_KEY, key, strict=True)), "measure": MEASURE, "measured_at": now}
            | {"data": _write(dramas[key])}
            for key in due
        ]
        insert_missing(store.dialect, MatchDrama, _KEY).run_all(session.connection(), rows)


def _load(
    session: Session, tournament_id: int, sets: Collection[int], before: float | None
) -> dict[MatchKey, Drama | None]:
    mine = and_(
        MatchDrama.tournament_id == MatchResult.tournament_id,
        MatchDrama.set_number == MatchResult.set_number,
        MatchDrama.match_number == MatchResult.match_number,
        MatchDrama.measure == MEASURE,
    )
    if before is not None:
        mine = and_(mine, MatchDrama.measured_at <= before)
    query = (
        select(MatchResult.set_number, MatchResult.match_number, MatchDrama.data)
        .join(Record, Record.result_id == MatchResult.id)
        .outerjoin(MatchDrama, mine)
        .where(MatchResult.tournament_id == tournament_id, MatchResult.set_number.in_(sets))
    )
    return {
        (tournament_id, number, match): None if data is None else _read(data)
        for number, match, data in session.execute(query)
    }


def _by_tournament(keys: Collection[MatchKey]) -> Mapping[int, list[int]]:
    sets: dict[int, set[int]] = defaultdict(set)
    for tournament_id, number, _ in keys:
        sets[tournament_id].add(number)
    return {tournament_id: sorted(found) for tournament_id, found in sets.items()}


def _write(drama: Drama) -> str:
    numbers = [drama.largest_swing, drama.largest_swing_at, drama.final_margin, drama.comeback, drama.span]
    return json.dumps([list(drama.lead_changes), *numbers], separators=(",", ":"))


def _read(data: str) -> Drama:
    changes, swing, swing_at, margin, comeback, span = json.loads(data)
    return Drama(tuple(changes), swing, swing_at, margin, comeback, span)
