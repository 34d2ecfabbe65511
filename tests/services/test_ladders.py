"""Ladders: everybody active plays on and on, new versions are placed fast, and each epoch can be checked."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from sqlalchemy import update

from arena.errors import Refusal, UsageError
from arena.services import bots, ladders, lifecycle, plans, ratings, tournaments
from arena.services.accounts import OPERATOR
from arena.services.ladders import LadderSpec
from arena.store import Store
from arena.store.schema import Absence, Block, Version
from tests.services.cast import NAMES, play_on
from tests.services.test_archive import files_of, play_whole, verdict, written


def new_ladder(store: Store, game: str = "lost_cities", **spec: object) -> int:
    bots.register_house(store, {game: NAMES})
    return ladders.start(store, LadderSpec(game, **{"epoch_s": ladders.DAY_S, **spec}), OPERATOR).id  # type: ignore[arg-type]


def course(store: Store) -> plans.Course:
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
    bots.add_dial_in(store, OPERATOR, "lost_cities", "newcomer")
    ratings.refresh(store, "lost_cities/standard")
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
        session.execute(update(Block).values(lease_until=now + 1000))
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


def test_who_is_away_is_not_drawn(store: Store) -> None:
    new_ladder(store, rest_s=0.0)
    now = time.time()
    ladders.advance(store, now)
    play_on(store)
    with store.write() as session:
        away = bots.find_in(session, "lost_cities", "random").version_id
        session.add(Absence(tournament_id=1, version_id=away, since_uptime_s=0.0))
    ladders.advance(store, now + 1)
    entries = [entry.bot for entry in tournaments.page(store, 1).entries]
    assert entries.index("random") in course(store).rounds[-1].gone


def test_its_results_count_for_the_pool(store: Store) -> None:
    new_ladder(store, rest_s=0.0)
    ladders.advance(store, time.time())
    play_on(store)
    ratings.refresh(store, "lost_cities/standard")
    assert ratings.table(store, "lost_cities").rows


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
    ladders.start(store, LadderSpec("lost_cities", epoch_s=1000.0), OPERATOR)
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
        ladders.start(store, LadderSpec(**spec), OPERATOR)  # type: ignore[arg-type]
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
        ladders.stop(store, 7, OPERATOR)
