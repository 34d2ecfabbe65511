"""Results: exactly once, verified against the plan, and in the sums at the same moment."""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import settlement
from arena.competition.matches import blocks
from arena.competition.matches.blocks import Block, BlockKey, BlockMatch
from arena.competition.matches.outcomes import RecordMismatch
from arena.competition.matches.results import MAX_ATTEMPTS, Arrival
from arena.competition.plans import NotFound
from arena.ratings.totals import total
from arena.reports import tournaments
from arena.storage import Store
from arena.storage.schema import MatchResult, PairTotal, Record, SetTotal, Tournament, VersionTotal
from tests.decided_matches import (
    NAMES,
    add,
    alphabetical,
    claim,
    fault,
    matches,
    new_tournament,
    record,
    store_result,
)


def count(store: Store, table: type) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def scopes(store: Store) -> set[str]:
    with store.read() as session:
        return set(session.scalars(select(PairTotal.scope)))


def test_a_result_is_stored_with_its_record(store: Store) -> None:
    new_tournament(store)
    block = claim(store)
    assert add(store, block, block.matches[0], [1, 2])
    assert (count(store, MatchResult), count(store, Record)) == (1, 1)


def test_a_second_result_of_a_match_changes_nothing(store: Store) -> None:
    page = new_tournament(store)
    block = claim(store)
    add(store, block, block.matches[0], [1, 2])
    once = tournaments.page(store, page.id)
    assert not add(store, block, block.matches[0], [2, 1])
    assert tournaments.page(store, page.id) == once
    assert count(store, Record) == 1


def test_a_result_counts_for_its_tournament_and_its_pool(store: Store) -> None:
    new_tournament(store)
    block = claim(store)
    add(store, block, block.matches[0], [1, 2])
    assert scopes(store) == {"tournament/1", "pool/1"}


def test_special_options_count_for_the_tournament_only(store: Store) -> None:
    new_tournament(store, options={"hands": 1})
    block = claim(store)
    add(store, block, block.matches[0], [1, 2])
    assert scopes(store) == {"tournament/1"}


def test_a_fault_is_a_loss_to_each_other_seat_and_nothing_else(store: Store) -> None:
    page = new_tournament(store, "land_unter", NAMES[:4], seats=4)
    block = claim(store)
    match = block.matches[0]
    assert add(store, block, match, [1, 1, 4, 1], result=fault(4, 2))
    rows = {row.bot: row for row in tournaments.page(store, page.id).standings}
    guilty = rows.pop(match.seats[2].bot)
    assert (guilty.wins, guilty.draws, guilty.losses, guilty.faults) == (0, 0, 3, 1)
    assert {(row.wins, row.draws, row.losses, row.faults, row.matches) for row in rows.values()} == {
        (1, 0, 0, 0, 1)
    }


def test_the_last_result_ends_the_tournament(store: Store) -> None:
    page = new_tournament(store)
    block = claim(store)
    for match in block.matches[:-1]:
        add(store, block, match, alphabetical(match))
    assert tournaments.row(store, page.id).state == "running"
    add(store, block, block.matches[-1], [1, 2])
    assert tournaments.row(store, page.id).state == "finished"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"match": "other"}, r"match is 'other', planned was '\w{16}'"),
        ({"game": "land_unter"}, r"game is 'land_unter', planned was 'lost_cities'"),
        ({"variant": "fast"}, r"variant is 'fast'"),
        ({"options": {"hands": 2}}, r"options is \{'hands': 2\}, planned was \{'hands': 3\}"),
        ({"seed": "00" * 32}, r"seed is '00"),
        ({"commitment": "00" * 32}, r"commitment is '00"),
        (
            {"seats": [{"bot": "greedy", "version": "1"}] * 2},
            r"seats is \[\('greedy', '1'\), \('greedy', '1'\)\]",
        ),
        (
            {"result": {"places": [1, 2, 3], "scores": [1, 2, 3], "end": "completed"}},
            r"places \(1, 2, 3\) are not one",
        ),
        ({"result": {"places": [1, 2]}}, r"must be an arena-match/1 document"),
        ({"result": fault(2, 7)}, r"fault seat 7: must be 0 to 1"),
    ],
)
def test_a_record_of_another_match_is_refused_and_changes_nothing(
    store: Store, changes: dict[str, Any], says: str
) -> None:
    new_tournament(store)
    block = claim(store)
    with pytest.raises(RecordMismatch, match=says):
        add(store, block, block.matches[0], [1, 2], **changes)
    assert count(store, MatchResult) == 0


def test_the_record_of_another_seating_is_refused(store: Store) -> None:
    new_tournament(store)
    block = claim(store)
    first, second = block.matches[:2]
    with pytest.raises(RecordMismatch):
        store_result(store, 1, first.set, first.match, 0, record(block, second, [1, 2]))


@pytest.mark.parametrize("text", ["", "[]", "{", '{"match": 1}'])
def test_what_is_no_record_is_refused(store: Store, text: str) -> None:
    new_tournament(store)
    with pytest.raises(RecordMismatch, match=r"must be an arena-match/1 document"):
        store_result(store, 1, 0, 0, 0, text)


@pytest.mark.parametrize(("set_number", "match"), [(3, 0), (0, 2), (-1, 0)])
def test_a_match_that_is_not_planned_is_not_found(store: Store, set_number: int, match: int) -> None:
    new_tournament(store)
    with pytest.raises(NotFound, match=r"tournament 1 has sets 0 to 2 of 2 matches each"):
        store_result(store, 1, set_number, match, 0, "{}")


def arrivals(block: Block) -> list[Arrival]:
    """Return all matches of a block as they were played; one of them ended by a fault."""
    return [
        Arrival(
            match.set,
            match.match,
            match.attempt,
            record(block, match, alphabetical(match), **({"result": fault(2, 1)} if number == 1 else {})),
        )
        for number, match in enumerate(block.matches)
    ]


def sums(store: Store, number: int) -> list[tuple[object, ...]]:
    """Read a tournament's sums, and how many of its matches are done."""
    scope = f"tournament/{number}"
    tables = ((PairTotal, PairTotal.scope == scope), (VersionTotal, VersionTotal.scope == scope))
    with store.read() as session:
        return [
            *(
                tuple(row)[1:]
                for table, own in (*tables, (SetTotal, SetTotal.tournament_id == number))
                for row in session.execute(
                    select(*table.__table__.c).where(own).order_by(*table.__table__.primary_key)
                )
            ),
            *map(
                tuple,
                session.execute(
                    select(Tournament.matches_done, Tournament.state).where(Tournament.id == number)
                ),
            ),
        ]


def test_results_that_are_stored_together_come_to_the_same_as_one_by_one(store: Store) -> None:
    new_tournament(store)
    new_tournament(store)
    together, single = (arrivals(claim(store, key=BlockKey(number, 0))) for number in (1, 2))
    assert settlement.add_results(store, 1, together[::-1]) == (True,) * len(together)
    for arrival in single:
        assert settlement.add_results(store, 2, [arrival]) == (True,)
    assert sums(store, 1) == sums(store, 2)
    assert sums(store, 1)[-1] == (len(together), "finished")


def test_of_results_that_are_stored_together_one_that_is_wrong_or_known_keeps_none_from_being_stored(
    store: Store,
) -> None:
    new_tournament(store)
    first, second, third, *_ = arrivals(claim(store))
    assert settlement.add_results(store, 1, [first]) == (True,)
    known, wrong, right = settlement.add_results(store, 1, [first, replace(second, record="{}"), third])
    assert known is False
    assert isinstance(wrong, RecordMismatch)
    assert right is True
    assert count(store, MatchResult) == 2


def test_threads_that_store_the_same_results_store_each_once(store: Store) -> None:
    page = new_tournament(store, "land_unter", NAMES[:4], seats=3)
    todo = matches(store)
    stored: list[bool] = []

    def work(order: int) -> None:
        for block, match in random.Random(order).sample(todo, len(todo)):
            stored.append(add(store, block, match, alphabetical(match)))

    threads = [threading.Thread(target=work, args=(order,)) for order in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (stored.count(True), len(stored)) == (len(todo), 4 * len(todo))
    page = tournaments.page(store, page.id)
    assert (page.state, page.matches_done) == ("finished", len(todo))
    assert sum(row.wins + row.losses for row in page.standings) == len(todo) * 6


def test_the_sums_are_those_of_all_results_in_whatever_order_they_came(store: Store) -> None:
    new_tournament(store, "land_unter", NAMES[:5], seats=4, cycles=2)
    played = [(block, match, places(match)) for block, match in matches(store)]
    random.Random(5).shuffle(played)
    for block, match, ended in played:
        add(store, block, match, ended)
    expected = total([([f"{seat.bot}@1" for seat in match.seats], ended, ()) for _, match, ended in played])
    with store.read() as session:
        rows = session.scalars(select(PairTotal).where(PairTotal.scope == "pool/1")).all()
    bots = {version: f"{name}@1" for version, name in enumerate(NAMES, start=1)}
    found = {(bots[row.low], bots[row.high]): (row.low_units, row.high_units) for row in rows}
    found |= {names[::-1]: units[::-1] for names, units in found.items()}
    assert {
        (pair.low, pair.high): (pair.low_units, pair.high_units) for pair in expected
    }.items() <= found.items()
    assert len(found) == 2 * len(expected)


def places(match: BlockMatch) -> list[int]:
    """Any result, the same for the same match."""
    return [random.Random(match.id + seat.bot).randint(1, 3) for seat in match.seats]


# --- failures of the platform's -------------------------------------------------------------------------------


def test_a_failed_match_with_a_shared_deal_is_the_same_match_again(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    before = claim(store)
    assert not settlement.fail_match(store, 1, 0, 0, 0, "the referee was killed")
    again = claim(store, key=BlockKey(1, 0))
    assert again.matches[0].attempt == 1
    assert (again.matches[0].id, again.matches[0].seed) == (before.matches[0].id, before.matches[0].seed)
    assert add(store, again, again.matches[0], [1, 2])


def test_a_failed_match_with_its_own_deal_gets_another(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    before = claim(store)
    settlement.fail_match(store, 1, 0, 0, 0, "the referee was killed")
    blocks.finish(store, BlockKey(1, 0), "anna")
    again = claim(store)
    assert again.matches[0].attempt == 1
    assert again.matches[0].id != before.matches[0].id
    assert again.matches[0].seed != before.matches[0].seed
    assert again.matches[1] == before.matches[1]


def test_a_result_of_a_deal_that_was_given_up_is_dropped(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    before = claim(store)
    settlement.fail_match(store, 1, 0, 0, 0, "the referee was killed")
    assert not add(store, before, before.matches[0], [1, 2])
    assert count(store, MatchResult) == 0


def test_one_attempt_fails_once(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    for _ in range(MAX_ATTEMPTS):
        assert not settlement.fail_match(store, 1, 0, 0, 0, "told twice")
    assert claim(store).matches[0].attempt == 1


def test_a_match_with_a_result_cannot_fail_any_more(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    block = claim(store)
    add(store, block, block.matches[0], [1, 2])
    assert not settlement.fail_match(store, 1, 0, 0, 0, "too late")
    assert len(claim(store, key=BlockKey(1, 0)).matches) == 1


def test_the_fifth_failure_annuls_the_match(store: Store) -> None:
    page = new_tournament(store, names=NAMES[:2])
    annulled = [settlement.fail_match(store, 1, 0, 0, attempt, "no luck") for attempt in range(MAX_ATTEMPTS)]
    assert annulled == [False, False, False, False, True]
    block = claim(store)
    assert [match.match for match in block.matches] == [1]
    add(store, block, block.matches[0], [1, 2])
    page = tournaments.page(store, page.id)
    assert page.state == "finished"
    assert [row.matches for row in page.standings] == [1, 1]
