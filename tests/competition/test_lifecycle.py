"""The life cycle of tournaments: what their organisers can do with them, and what then counts."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, func, select

from arena.accounts import audit_log
from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import corrections, creation, lifecycle, plans, settlement, stages
from arena.competition.corrections import Correction
from arena.competition.drafts import TournamentSpec
from arena.competition.matches import blocks, rating_inputs, running_totals
from arena.core.errors import Refusal, UsageError
from arena.rankings import public_ratings
from arena.reports import tournaments
from arena.storage import Store
from arena.storage.schema import PairTotal, SetTotal, Tournament, Version
from tests import decided_matches
from tests.decided_matches import (
    NAMES,
    SECRET,
    add,
    alphabetical,
    claim,
    fault,
    new_tournament,
    person,
    play_on,
    record,
    store_result,
)


def state(store: Store, number: int = 1) -> str:
    return tournaments.row(store, number).state


def test_a_tournament_that_is_created_waits_until_it_is_opened_and_started(store: Store) -> None:
    new_tournament(store, names=(), begin="created")
    assert blocks.claim(store, "anna", 60) is None
    lifecycle.open_entries(store, 1, OPERATOR)
    for name in NAMES[:3]:
        lifecycle.enter(store, 1, name, OPERATOR)
    assert state(store) == "open"
    lifecycle.start(store, 1, OPERATOR)
    assert (state(store), tournaments.row(store, 1).matches_total) == ("running", 6)
    play_on(store)
    assert state(store) == "finished"


def test_its_commitment_stands_before_anybody_enters(store: Store) -> None:
    page = new_tournament(store, names=(), begin="open")
    for name in NAMES[:2]:
        lifecycle.enter(store, 1, name, OPERATOR)
    lifecycle.start(store, 1, OPERATOR)
    assert tournaments.page(store, 1).commitment == page.commitment


def test_an_author_enters_his_own_bot_while_entries_are_open(store: Store) -> None:
    ada, bob = person(store, "ada"), person(store, "bob")
    new_tournament(store, names=("greedy",), begin="created")
    decided_matches.dial_in(store, ada, "lost_cities", "mine")
    with pytest.raises(Refusal, match="is created; to enter it must be open"):
        lifecycle.enter(store, 1, "mine", ada)
    lifecycle.open_entries(store, 1, OPERATOR)
    with pytest.raises(Refusal, match="is not yours"):
        lifecycle.enter(store, 1, "mine", bob)
    lifecycle.enter(store, 1, "mine", ada)
    with pytest.raises(Refusal, match="is entered already"):
        lifecycle.enter(store, 1, "mine", ada)
    lifecycle.withdraw(store, 1, "mine", ada)
    assert [entry.bot for entry in tournaments.page(store, 1).entries] == ["greedy"]


def test_who_is_taken_out_before_the_start_leaves_no_gap(store: Store) -> None:
    new_tournament(store, names=NAMES[:4], begin="open")
    lifecycle.withdraw(store, 1, "random", OPERATOR)
    lifecycle.start(store, 1, OPERATOR)
    assert [entry.number for entry in tournaments.page(store, 1).entries] == [0, 1, 2]
    play_on(store)
    assert state(store) == "finished"


def test_too_few_entries_cannot_start(store: Store) -> None:
    new_tournament(store, names=("greedy",), begin="open")
    with pytest.raises(UsageError, match="bots: 1 entered; a table has 2 seats"):
        lifecycle.start(store, 1, OPERATOR)
    assert state(store) == "open"


def test_while_it_is_paused_no_block_is_begun_and_what_was_begun_counts(store: Store) -> None:
    new_tournament(store, names=NAMES[:3], cycles=8)
    block = claim(store)
    lifecycle.pause(store, 1, OPERATOR)
    assert blocks.claim(store, "bob", 60) is None
    assert blocks.reconcile(store) == ()
    assert blocks.renew(store, blocks.BlockKey(1, block.number), "anna", 60)
    for match in block.matches:
        assert add(store, block, match, alphabetical(match))
    lifecycle.resume(store, 1, OPERATOR)
    play_on(store)
    assert state(store) == "finished"


def test_what_was_played_last_in_a_pause_ends_it_when_it_goes_on(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    block = claim(store)
    lifecycle.pause(store, 1, OPERATOR)
    for match in block.matches:
        add(store, block, match, alphabetical(match))
    assert state(store) == "paused"
    lifecycle.resume(store, 1, OPERATOR)
    assert state(store) == "finished"


def test_a_cancelled_tournament_takes_no_more_results_and_publishes_its_secret(store: Store) -> None:
    new_tournament(store, names=NAMES[:3], cycles=2)
    block = claim(store)
    assert add(store, block, block.matches[0], [1, 2])
    assert tournaments.page(store, 1).secret is None
    lifecycle.cancel(store, 1, OPERATOR, "the hall is closed")
    assert not add(store, block, block.matches[1], [1, 2])
    assert not blocks.renew(store, blocks.BlockKey(1, block.number), "anna", 60)
    page = tournaments.page(store, 1)
    assert (page.state, page.matches_done, page.secret) == ("cancelled", 1, SECRET.hex())
    with pytest.raises(Refusal, match="is cancelled; to resume it must be paused"):
        lifecycle.resume(store, 1, OPERATOR)


def test_it_can_be_extended_while_it_runs(store: Store) -> None:
    before = new_tournament(store, names=NAMES[:3], cycles=2)
    block = claim(store)
    add(store, block, block.matches[0], alphabetical(block.matches[0]))
    blocks.finish(store, blocks.BlockKey(1, block.number), "anna")
    lifecycle.extend(store, 1, 3, OPERATOR)
    play_on(store)
    page = tournaments.page(store, 1)
    assert (before.matches_total, page.matches_total, page.matches_done) == (12, 30, 30)
    assert page.state == "finished"


def test_what_an_extended_tournament_plays_is_what_a_longer_one_would_have(store: Store) -> None:
    def tables(number: int) -> list[tuple[str, ...]]:
        return [
            tuple(seat.bot for seat in match.seats)
            for key in blocks.reconcile(store)
            if key.tournament_id == number
            for match in claim(store, key=key).matches
        ]

    new_tournament(store, "land_unter", names=NAMES[:5], seats=3, cycles=1)
    lifecycle.extend(store, 1, 2, OPERATOR)
    new_tournament(store, "land_unter", names=NAMES[:5], seats=3, cycles=3)
    assert tables(1) == tables(2)


def test_who_is_withdrawn_plays_no_more_and_keeps_what_it_has(store: Store) -> None:
    new_tournament(store, names=NAMES[:4], cycles=4)
    block = claim(store)
    for match in block.matches:
        add(store, block, match, alphabetical(match))
    had = {row.bot: row.matches for row in tournaments.page(store, 1).standings}
    lifecycle.withdraw(store, 1, "random", OPERATOR)
    play_on(store)
    page = tournaments.page(store, 1)
    assert page.state == "finished"
    assert {row.bot: row.matches for row in page.standings}["random"] == had["random"] > 0
    assert page.matches_done == page.matches_total < 48


def test_a_result_of_who_has_left_is_refused(store: Store) -> None:
    new_tournament(store, names=NAMES[:4])
    block = claim(store)
    late = next(match for match in block.matches if any(seat.bot == "random" for seat in match.seats))
    lifecycle.withdraw(store, 1, "random", OPERATOR)
    before = tournaments.page(store, 1)
    assert not add(store, block, late, [1, 2])
    assert not settlement.fail_match(store, 1, late.set, late.match, late.attempt, "gone")
    assert tournaments.page(store, 1) == before


@pytest.mark.parametrize(("game", "seats"), [("lost_cities", 2), ("land_unter", 3)])
def test_what_is_annulled_counts_nowhere(store: Store, game: str, seats: int) -> None:
    new_tournament(store, game, names=NAMES[:4], seats=seats, cycles=10)
    play_most(store)
    lifecycle.withdraw(store, 1, "random", OPERATOR, annul=True)
    with store.read() as session:
        gone = session.scalar(select(Version.id).where(Version.program == f"house:{game}/random"))
        for table in (PairTotal, SetTotal):
            mine = select(func.count()).select_from(table).where((table.low == gone) | (table.high == gone))
            assert session.scalar(mine) == 0
    rows = {row.bot: row for row in tournaments.page(store, 1).standings}
    assert (rows["random"].matches, rows["random"].elo) == (0, None)
    assert rows["greedy"].matches > 0
    public_ratings.refresh(store, f"{game}/standard")
    assert "random" not in {row.bot for row in public_ratings.table(store, game).rows}


def test_annulling_two_bots_takes_each_match_off_once(store: Store) -> None:
    new_tournament(store, "land_unter", names=NAMES[:5], seats=3, cycles=4)
    play_most(store)
    for name in ("random", "rusher"):
        lifecycle.withdraw(store, 1, name, OPERATOR, annul=True)
    with store.read() as session:
        stored = tournaments_plan(store)
        assert all(
            pair.low_units >= 0 and pair.high_units >= 0 for pair in session.scalars(select(PairTotal))
        )
        played = running_totals.played(session, stored)
    totals: dict[tuple[int, int], int] = {}
    for pairs in played.values():
        for pair in pairs:
            totals[pair.low, pair.high] = (
                totals.get((pair.low, pair.high), 0) + pair.low_units + pair.high_units
            )
    with store.read() as session:
        kept = session.scalars(select(PairTotal).where(PairTotal.scope == "tournament/1"))
        assert sorted(row.low_units + row.high_units for row in kept) == sorted(totals.values())


def test_sums_of_sets_that_an_earlier_version_did_not_keep_are_added_up(store: Store) -> None:
    new_tournament(store, names=NAMES[:4], cycles=3)
    play_on(store)
    before = tournaments.page(store, 1)
    with store.write() as session:
        session.execute(delete(SetTotal))
        rating_inputs.touch(session)
    assert all(row.error is None for row in tournaments.page(store, 1).standings)
    running_totals.recount_old(store)
    assert tournaments.page(store, 1) == before


def test_a_bot_that_faults_again_and_again_is_suspended(store: Store) -> None:
    new_tournament(store, names=NAMES[:3], cycles=20)
    while state(store) == "running":
        block = claim(store)
        for match in block.matches:
            names = [seat.bot for seat in match.seats]
            if "random" in names:
                result = fault(2, names.index("random"))
                add(store, block, match, [1, 2], result=result)
            else:
                add(store, block, match, alphabetical(match))
        blocks.finish(store, blocks.BlockKey(1, block.number), "anna")
    rows = {row.bot: row for row in tournaments.page(store, 1).standings}
    assert rows["random"].faults == rows["random"].matches == 10
    assert rows["greedy"].matches + rows["rusher"].matches == 2 * 40 + 10
    with pytest.raises(Refusal, match="is suspended after repeated faults"):
        creation.create(store, TournamentSpec("lost_cities", ("greedy", "random")))


def test_the_forfeits_of_an_absent_bot_suspend_nobody(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=10)
    block = claim(store)
    for match in block.matches:
        text = record(block, match, [1, 2], result=fault(2, 0, "crash"))
        assert store_result(store, 1, match.set, match.match, match.attempt, text, absent=(0,))
    assert all(found.state == "active" for found in bots.listing(store, "lost_cities"))


def test_of_two_tournaments_one_with_twice_the_priority_is_served_twice_as_often(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=300)
    new_tournament(store, names=NAMES[:2], cycles=300, priority=20)
    served = [claim(store).tournament_id for _ in range(12)]
    assert (served.count(1), served.count(2)) == (4, 8)


def test_a_new_tournament_neither_waits_for_an_old_one_nor_keeps_it_waiting(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=300)
    for _ in range(6):
        claim(store)
    new_tournament(store, names=NAMES[:2], cycles=300)
    served = [claim(store).tournament_id for _ in range(6)]
    assert served.count(1) == served.count(2) == 3


def test_a_decision_that_nobody_made_in_time_is_made_later(store: Store) -> None:
    new_tournament(store, names=NAMES[:4], format="swiss", given={"rounds": 2})
    with store.write() as session:  # As if the process had been killed after its last result.
        session.get_one(Tournament, 1).matches_total = 0
    assert stages.due(store) == (1,)
    assert settlement.advance(store, 1)
    assert not settlement.advance(store, 1)


def test_every_deed_is_in_the_audit_log(store: Store) -> None:
    new_tournament(store, names=NAMES[:3], begin="created")
    lifecycle.open_entries(store, 1, OPERATOR)
    lifecycle.enter(store, 1, NAMES[3], OPERATOR)
    lifecycle.start(store, 1, OPERATOR)
    lifecycle.pause(store, 1, OPERATOR)
    corrections.edit(store, 1, Correction(priority=30), OPERATOR)
    lifecycle.withdraw(store, 1, NAMES[3], OPERATOR)
    lifecycle.extend(store, 1, 1, OPERATOR)
    lifecycle.resume(store, 1, OPERATOR)
    lifecycle.cancel(store, 1, OPERATOR)
    deeds = [row.action.partition(".")[2] for row in reversed(audit_log.listing(store, OPERATOR))]
    assert deeds == [
        "create", "open", "enter", "start", "pause", "edit", "withdraw", "extend", "resume", "cancel",
    ]  # fmt: skip


def play_most(store: Store) -> None:
    for key in blocks.reconcile(store)[:-4]:
        block = claim(store, key=key)
        for match in block.matches:
            assert add(store, block, match, alphabetical(match))
        blocks.finish(store, key, "anna")


def tournaments_plan(store: Store) -> plans.StoredPlan:
    with store.read() as session:
        return plans.load(store, session, 1)
