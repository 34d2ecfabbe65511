"""Ladders: everybody active plays on and on, new versions are placed fast, and each epoch can be checked."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select, update

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import ladders, lifecycle, plans
from arena.competition.ladders import LadderRequest
from arena.competition.matches import absences, blocks
from arena.competition.matches.blocks import Block, BlockKey, BlockMatch
from arena.competition.qualification import arrivals
from arena.core.errors import Refusal, UsageError
from arena.rankings import public_ratings
from arena.referee_client import DialIn
from arena.reports import match_views, tournaments
from arena.reports.archive_verification import DecisionMismatch
from arena.scheduling.decisions import DecisionState
from arena.storage import Store
from arena.storage.schema import Absence, PairTotal, SetTotal, Version, VersionTotal
from arena.storage.schema import Block as BlockRow
from tests.competition.test_whole_matches import played
from tests.decided_matches import NAMES, alphabetical, new_tournament, play_on, record, store_result
from tests.reports.test_tournament_archive import files_of, play_whole, verdict, written


def new_ladder(store: Store, game: str = "lost_cities", **spec: object) -> int:
    bots.register_house(store, {game: NAMES})
    return ladders.start(store, LadderRequest(game, **{"epoch_s": ladders.DAY_S, **spec}), OPERATOR).id  # type: ignore[arg-type]


def connected(store: Store, name: str, now: float) -> DialIn:
    """Add a bot that dials in, and is there."""
    source = DialIn(bots.add_dial_in(store, OPERATOR, "lost_cities", name).token_id)
    arrivals.note(store, [source], now)
    return source


def course(store: Store) -> DecisionState:
    with store.read() as session:
        return plans.load(store, session, 1).course


def test_a_round_is_played_and_then_the_next(store: Store) -> None:
    new_ladder(store, epoch_s=86_400 * 31)
    now = time.time()
    assert ladders.advance(store, now)
    assert not ladders.advance(store, now + 50)  # its blocks are not played
    play_on(store)
    assert not ladders.advance(store, now + 5)  # it rests
    assert ladders.advance(store, now + 50)
    assert len(course(store).rounds) == 2
    page = tournaments.page(store, 1)
    assert (page.state, page.seats) == ("running", 2)


def test_everybody_plays(store: Store) -> None:
    new_ladder(store, "land_unter", seats=4, rest_s=0.0)
    now = time.time()
    for number in range(5):
        ladders.advance(store, now + number)
        play_on(store)
    assert all(row.matches > 0 for row in tournaments.page(store, 1).standings)


def test_a_version_that_becomes_active_joins_and_one_that_is_not_leaves(store: Store) -> None:
    new_ladder(store, rest_s=0.0)
    now = time.time()
    ladders.advance(store, now)
    play_on(store)
    with store.write() as session:
        gone = bots.find_in(session, "lost_cities", "random").version_id
        session.execute(update(Version).where(Version.id == gone).values(state="withdrawn"))
    connected(store, "newcomer", now)
    public_ratings.refresh(store, "lost_cities/standard")
    ladders.advance(store, now + 1)
    entries = [entry.bot for entry in tournaments.page(store, 1).entries]
    drawn = course(store).rounds[-1]
    tables = [table for table in drawn.tables if entries.index("newcomer") in table]
    assert len(tables) >= 2, "of whom nothing is known is drawn often"
    assert not any(entries.index("random") in table for table in drawn.tables)


def test_what_one_who_leaves_had_still_to_play_is_not_waited_for(store: Store) -> None:
    new_ladder(store, rest_s=0.0)
    now = time.time()
    ladders.advance(store, now)
    with store.write() as session:  # Nobody was there for any of them: all blocks rest.
        session.execute(update(BlockRow).values(lease_until=now + 1000))
        gone = bots.find_in(session, "lost_cities", "random").version_id
        session.execute(update(Version).where(Version.id == gone).values(state="withdrawn"))
    before = tournaments.row(store, 1).matches_total
    drawn = course(store).rounds[-1].tables
    ladders.advance(store, now + 1)
    lost = sum(entry_of(store, "random") in table for table in drawn)
    added = len(course(store).rounds[-1].tables)
    assert tournaments.row(store, 1).matches_total == before + 2 * (added - lost)


def entry_of(store: Store, name: str) -> int:
    return [entry.bot for entry in tournaments.page(store, 1).entries].index(name)


def entries(store: Store) -> list[str]:
    return [entry.bot for entry in tournaments.page(store, 1).entries]


def drawn(store: Store) -> set[str]:
    """Name the bots that the newest round was drawn of, or could have been."""
    gone = course(store).rounds[-1].gone
    return {name for number, name in enumerate(entries(store)) if number not in gone}


def test_bots_that_never_connected_are_neither_entered_nor_drawn(store: Store) -> None:
    new_ladder(store)
    for number in range(40):
        bots.add_dial_in(store, OPERATOR, "lost_cities", f"mallory-{number}")
    now = time.time()
    connected(store, "alice", now)
    ladders.advance(store, now)
    assert set(entries(store)) == {*NAMES, "alice"}
    assert tournaments.row(store, 1).matches_total == 10


def test_a_bot_that_has_left_is_not_drawn_until_it_is_back(store: Store) -> None:
    new_ladder(store, rest_s=0.0)
    now = time.time()
    alice = connected(store, "alice", now)
    ladders.advance(store, now)
    assert "alice" in drawn(store)
    play_on(store)
    now += arrivals.SEEN_S + 1
    ladders.advance(store, now)
    assert drawn(store) == set(NAMES)
    play_on(store)
    arrivals.note(store, [alice], now)
    ladders.advance(store, now + 1)
    assert "alice" in drawn(store)


def test_a_bot_that_matches_wait_for_is_not_drawn_until_they_are_decided(store: Store) -> None:
    new_ladder(store, rest_s=0.0)
    now = time.time()
    connected(store, "alice", now)
    ladders.advance(store, now)
    waiting = play_without(store, "alice")
    ladders.advance(store, now + 1)
    assert "alice" not in drawn(store)
    play_without(store, "alice")
    for block, match in waiting:
        assert give_up(store, block, match, "alice")
    finish(store)
    ladders.advance(store, now + 2)
    assert "alice" in drawn(store), "it is tried again"
    with store.read() as session:
        assert session.scalars(select(Absence)).all() == []


def test_a_ladders_match_that_a_bot_did_not_come_to_rates_nobody(store: Store) -> None:
    new_ladder(store, rest_s=0.0)
    now = time.time()
    connected(store, "alice", now)
    ladders.advance(store, now)
    waiting = play_without(store, "alice")
    assert waiting
    before = sums_of(store)
    for block, match in waiting:
        assert give_up(store, block, match, "alice")
        assert not give_up(store, block, match, "alice"), "once"
    assert sums_of(store) == before
    assert tournaments.row(store, 1).matches_done == tournaments.row(store, 1).matches_total
    row = next(row for row in tournaments.page(store, 1).standings if row.bot == "alice")
    assert (row.matches, row.points, row.faults, row.elo) == (0, 0, 0, None)
    page = match_views.page(store, 1, waiting[0][1].set, waiting[0][1].match)
    assert (page.end, page.state, page.record) == ("absent", "dropped", None)
    assert page.absent == "alice@1 was not connected for 30 minutes: it has no stream"


def test_of_a_tournament_that_is_no_ladder_such_a_match_is_a_forfeit(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    for block, match in play_without(store, "alice"):
        assert give_up(store, block, match, "alice")
    assert match_views.page(store, 1, 0, 0).end == "fault"


def decided(block: Block, match: BlockMatch) -> str:
    return record(block, match, alphabetical(match))


def play_without(
    store: Store, name: str, write: Callable[[Block, BlockMatch], str] = decided
) -> list[tuple[Block, BlockMatch]]:
    """Play what a bot has no part in; return the matches that wait for it."""
    waiting = []
    while (block := blocks.claim(store, "anna", 60.0)) is not None:
        for match in block.matches:
            if name in {seat.bot for seat in match.seats}:
                waiting.append((block, match))
            else:
                store_result(
                    store, block.tournament_id, match.set, match.match, match.attempt, write(block, match)
                )
        key = BlockKey(block.tournament_id, block.number)
        if waiting and waiting[-1][0] is block:
            absences.note(store, block.tournament_id, {bots.find(store, "lost_cities", name).version_id})
            assert blocks.postpone(store, key, "anna", 1000)
        else:
            assert blocks.finish(store, key, "anna")
    return waiting


def give_up(store: Store, block: Block, match: BlockMatch, name: str) -> bool:
    """Store a match that a bot was waited for in vain."""
    seat = [seat.bot for seat in match.seats].index(name)
    record = absences.forfeit(block, match, seat, limit_s=1800, reason="it has no stream")
    return store_result(
        store, block.tournament_id, match.set, match.match, match.attempt, record, absent=(seat,)
    )


def finish(store: Store) -> None:
    """Have all blocks that rest looked at again: nothing of them is left."""
    with store.write() as session:
        session.execute(update(BlockRow).values(lease_until=None))
    assert blocks.claim(store, "anna", 60.0) is None


def sums_of(store: Store) -> list[tuple[object, ...]]:
    """All sums that tables are computed from."""
    with store.read() as session:
        pairs = session.execute(select(PairTotal.scope, PairTotal.low, PairTotal.high, PairTotal.low_units))
        each = session.execute(select(VersionTotal.scope, VersionTotal.version_id, VersionTotal.matches))
        sets = session.execute(select(SetTotal.set_number, SetTotal.low, SetTotal.low_units))
        return sorted(map(tuple, [*pairs, *each, *sets]), key=str)


def test_its_results_count_for_the_pool(store: Store) -> None:
    new_ladder(store, rest_s=0.0)
    ladders.advance(store, time.time())
    play_on(store)
    public_ratings.refresh(store, "lost_cities/standard")
    assert public_ratings.table(store, "lost_cities").rows


def test_an_epoch_ends_and_the_next_has_a_secret_of_its_own(store: Store) -> None:
    new_ladder(store, epoch_s=60.0, rest_s=0.0)
    now = time.time()
    ladders.advance(store, now)
    play_on(store)
    ladders.advance(store, now + 61)
    assert tournaments.row(store, 1).state == "finished"
    ladders.advance(store, now + 62)
    first, second = tournaments.page(store, 1), tournaments.page(store, 2)
    assert first.secret is not None
    assert second.secret is None
    assert first.commitment != second.commitment
    assert ladders.listing(store)[0].epochs == 2


def test_a_ladder_that_is_stopped_ends_with_its_round(store: Store) -> None:
    number = new_ladder(store, rest_s=0.0)
    now = time.time()
    ladders.advance(store, now)
    ladders.stop(store, number, OPERATOR)
    assert tournaments.row(store, 1).state == "running"
    play_on(store)
    ladders.advance(store, now + 1)
    assert tournaments.row(store, 1).state == "finished"
    assert not ladders.advance(store, now + 2)
    ladders.start(store, LadderRequest("lost_cities", epoch_s=1000.0), OPERATOR)
    assert ladders.advance(store, now + 3)


def test_an_epoch_can_be_checked_from_its_archive(store: Store, tmp_path: Path) -> None:
    number = new_ladder(store, rest_s=0.0, priority=9)
    now = time.time()
    with store.write() as session:  # these are played by nobody who can
        session.execute(update(Version).where(Version.program.like("%counter")).values(state="failed"))
        session.execute(update(Version).where(Version.program.like("%hoarder")).values(state="failed"))
    for later in range(2):
        ladders.advance(store, now + later)
        play_whole(store)
    ladders.stop(store, number, OPERATOR)
    ladders.advance(store, now + 3)
    found = verdict(tmp_path, files_of(written(store, 1)))
    assert found.matches == tournaments.row(store, 1).matches_done == 20


def test_an_epoch_with_matches_that_nobody_came_to_can_be_checked(store: Store, tmp_path: Path) -> None:
    bots.register_house(store, {"lost_cities": ("greedy", "random")})
    number = ladders.start(store, LadderRequest("lost_cities"), OPERATOR).id
    now = time.time()
    connected(store, "alice", now)
    ladders.advance(store, now)
    waiting = play_without(store, "alice", played)
    for block, match in waiting:
        assert give_up(store, block, match, "alice")
    ladders.stop(store, number, OPERATOR)
    finish(store)
    ladders.advance(store, now + 100)
    files = files_of(written(store, 1))
    found = verdict(tmp_path, files)
    assert found.matches - found.records == len(waiting) > 0
    lie = files["tournament.json"].replace('"end":"completed"', '"end":"absent"', 1)
    with pytest.raises(DecisionMismatch):
        verdict(tmp_path, {**files, "tournament.json": lie})


def test_a_paused_epoch_draws_nothing(store: Store) -> None:
    new_ladder(store, rest_s=0.0)
    now = time.time()
    ladders.advance(store, now)
    play_on(store)
    lifecycle.pause(store, 1, OPERATOR)
    assert not ladders.advance(store, now + 1)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"game": "chess"}, "chess"),
        ({"game": "lost_cities", "variant": "blitz"}, "blitz"),
        ({"game": "lost_cities", "seats": 5}, "5"),
        ({"game": "lost_cities", "epoch_s": 1.0}, "epoch 1: must be 60 to"),
        ({"game": "lost_cities", "rest_s": -1.0}, "rest -1: must be 0 to"),
        ({"game": "lost_cities", "priority": 101}, "priority 101"),
        ({"game": "lost_cities", "delay_s": -1}, "delay -1: must be 0 to 2592000 seconds"),
    ],
)
def test_what_cannot_be_is_refused_by_name(store: Store, spec: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        ladders.start(store, LadderRequest(**spec), OPERATOR)  # type: ignore[arg-type]
    assert ladders.listing(store) == ()


def test_epochs_have_the_delay_of_their_ladder(store: Store) -> None:
    new_ladder(store, delay_s=600)
    ladders.advance(store, time.time())
    assert tournaments.page(store, 1).delay_s == 600


def test_a_ladder_runs_once_for_each_pool_and_table(store: Store) -> None:
    new_ladder(store)
    with pytest.raises(Refusal, match="runs already"):
        new_ladder(store)
    with pytest.raises(Refusal, match="there is none"):
        ladders.stop(store, 999_999, OPERATOR)
