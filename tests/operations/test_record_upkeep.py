"""Records are kept whole before rules change."""

from __future__ import annotations

import pytest

from arena.competition.matches import results
from arena.core.errors import UsageError
from arena.match.compact_record import RulesChanged
from arena.operations import record_upkeep
from arena.operations.record_upkeep import KeptWhole
from arena.reports import match_views
from arena.storage import Store
from arena.storage.schema import Record
from tests import other_rules
from tests.competition.test_whole_matches import played
from tests.scenarios import NAMES, claim, new_tournament


def new_records(store: Store, game: str) -> list[str]:
    """Play a tournament of one set of two matches, and give the texts of its records."""
    new_tournament(store, game, NAMES[:2], variant="lopaka" if game == "bottle_imp" else None)
    block = claim(store)
    texts = [played(block, match) for match in block.matches]
    for match, text in zip(block.matches, texts, strict=True):
        assert results.add(store, block.tournament_id, match.set, match.match, match.attempt, text)
    return texts


def sizes(store: Store) -> list[int]:
    with store.read() as session:
        return [len(row.data) for row in session.query(Record).order_by(Record.result_id)]


def test_the_records_of_a_game_are_written_whole(store: Store) -> None:
    texts = new_records(store, "lost_cities")
    new_records(store, "bottle_imp")
    before = sizes(store)
    assert record_upkeep.keep_whole(store, "lost_cities") == KeptWhole(2, 0, ())
    after = sizes(store)
    assert all(now > was for now, was in zip(after[:2], before[:2], strict=True))
    assert after[2:] == before[2:]
    assert [match_views.page(store, 1, 0, number).record for number in range(2)] == texts


def test_records_that_are_whole_are_left_as_they_are(store: Store) -> None:
    new_records(store, "lost_cities")
    record_upkeep.keep_whole(store, "lost_cities")
    assert record_upkeep.keep_whole(store, "lost_cities") == KeptWhole(0, 2, ())


def test_a_record_of_other_rules_is_named_and_left_as_it_is(store: Store) -> None:
    texts = new_records(store, "lost_cities")
    other_rules.put(store, 1, 0, 0)
    kept = record_upkeep.keep_whole(store, "lost_cities")
    assert (kept.written, kept.already, len(kept.refused)) == (1, 0, 1)
    assert "stored under version 2 of the rules of lost_cities, this program has version 1" in kept.refused[0]
    with pytest.raises(RulesChanged, match="version 2"):
        _ = match_views.page(store, 1, 0, 0).record
    assert match_views.page(store, 1, 0, 1).record == texts[1]


def test_a_game_that_there_is_not_is_named(store: Store) -> None:
    with pytest.raises(UsageError, match="chess"):
        record_upkeep.keep_whole(store, "chess")
