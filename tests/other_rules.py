"""Records that a Bot Arena with other rules has stored."""

from __future__ import annotations

from typing import ClassVar

from sqlalchemy import select, update
from zstandard import ZstdCompressor

from arena.games.lost_cities.rules import LostCities
from arena.match.compact_record import is_whole, shrink
from arena.reports import match_views
from arena.storage import Store
from arena.storage.schema import MatchResult, Record


class LaterCities(LostCities):
    """Lost Cities after a ruling has changed."""

    rules_version: ClassVar[int] = LostCities.rules_version + 1


def put(store: Store, tournament_id: int, set: int, match: int) -> None:  # noqa: A002
    """Have the record of a match of lost_cities stand in the store as if it had been stored under other rules."""
    text = match_views.page(store, tournament_id, set, match).record
    assert text is not None
    data = shrink(text, LaterCities())
    assert not is_whole(data)
    of_match = select(MatchResult.id).where(
        MatchResult.tournament_id == tournament_id,
        MatchResult.set_number == set,
        MatchResult.match_number == match,
    )
    with store.write() as session:
        session.execute(
            update(Record)
            .where(Record.result_id == of_match.scalar_subquery())
            .values(data=ZstdCompressor().compress(data))
        )
