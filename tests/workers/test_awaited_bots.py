"""Tournaments of bots that run elsewhere: they are waited for, no worker waits, and in the end they forfeit."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from sqlalchemy import select

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.competition.matches import absences
from arena.core import child_process
from arena.match.record import from_json
from arena.match.verification import verify
from arena.reports import exports, match_views, tournaments
from arena.storage import Store
from arena.storage.schema import Absence, Block
from tests.dialling import BOT, dialling_bot, is_admitted, listening_bot
from tests.parts.arena_process import free_port
from tests.patience import patient, wait_until
from tests.workers.conftest import Start

CYCLES = 6
NAMES = ("mine", "greedy", "random")
OTHERS = 2 * CYCLES
"""The matches of the house bots among each other."""
WITHIN_S = 60.0


def create(store: Store, *names: str) -> int:
    """Create a tournament whose matches can be compared, whatever is killed on the way."""
    spec = TournamentSpec(
        "lost_cities", names or NAMES, options={"hands": 1}, cycles=CYCLES, secret=bytes(32), trusted=True
    )
    return creation.create(store, spec)


def done(store: Store, tournament: int = 1) -> int:
    return tournaments.row(store, tournament).matches_done


def is_over(store: Store, tournament: int = 1) -> bool:
    return tournaments.row(store, tournament).state == "finished"


def away_since(store: Store) -> list[float]:
    """When each absence that is noted began."""
    with store.read() as session:
        return list(session.scalars(select(Absence.since_uptime_s)))


def declares_7_and_played_as_1(store: Store) -> None:
    """See that the bot has become what it says it is, and that its entry has not."""
    wait_until(
        lambda: bots.find(store, "lost_cities", "mine").version == "7", "it is 7 now", within_s=WITHIN_S
    )
    played = {(row.bot, row.version, row.verified) for row in tournaments.page(store, 1).standings}
    assert played == {("mine", "1", False), ("greedy", "1", True), ("random", "1", True)}


def bots_port(control: str) -> str:
    """The bots' port of a referee that `local_referee` started."""
    return control.removesuffix("control") + "bots"


def missing(store: Store) -> set[int]:
    with store.read() as session:
        return set(session.scalars(select(Absence.version_id)))


def held(store: Store) -> list[str]:
    with store.read() as session:
        return [row.worker for row in session.scalars(select(Block)) if row.worker and not row.done]


def faults(store: Store) -> dict[str, int]:
    return {row.bot: row.faults for row in tournaments.page(store, 1).standings}


@pytest.fixture(scope="module")
def forfeited() -> list[str]:
    """Exports of tournaments that a bot never came to, by different ways: all must be alike."""
    return []


def test_a_tournament_waits_for_a_bot_that_dials_in_and_goes_on_when_it_comes(
    store: Store, start: Start, control: str, tmp_path: Path
) -> None:
    made = bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
    create(store)
    start()
    wait_until(lambda: done(store) == OTHERS, "the others have played", within_s=WITHIN_S)
    wait_until(lambda: away_since(store), "it is noted as absent", within_s=WITHIN_S)
    wait_until(lambda: not held(store), "no worker waits for it", within_s=WITHIN_S)
    wait_until(lambda: is_admitted(bots_port(control), made.token), "it is admitted", within_s=WITHIN_S)
    with dialling_bot(tmp_path, bots_port(control), made.token):
        wait_until(lambda: is_over(store), "all is played", within_s=WITHIN_S, progress=lambda: done(store))
        declares_7_and_played_as_1(store)
    assert faults(store) == {"mine": 0, "greedy": 0, "random": 0}
    assert away_since(store) == []


def test_a_worker_that_is_told_to_stop_hands_back_a_block_of_such_a_bot_at_once(
    store: Store, start: Start, control: str, tmp_path: Path
) -> None:
    made = bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
    slow = BOT.replace("return", "__import__('time').sleep(0.05)\n        return")
    create(store, "mine", "greedy")
    worker = start()
    wait_until(lambda: is_admitted(bots_port(control), made.token), "it is admitted", within_s=WITHIN_S)
    with dialling_bot(tmp_path, bots_port(control), made.token, slow):
        wait_until(lambda: done(store), "matches are played", within_s=WITHIN_S)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(patient(10)) == 0
    assert not is_over(store)
    with store.read() as session:
        assert not [row for row in session.scalars(select(Block)) if row.lease_until and not row.done]


def test_a_tournament_waits_for_an_endpoint_and_goes_on_when_it_answers(
    store: Store, start: Start, tmp_path: Path
) -> None:
    address = f"127.0.0.1:{free_port()}"
    bots.add_endpoint(store, OPERATOR, "lost_cities", "mine", address, "sesame", private=True)
    create(store)
    start()
    wait_until(lambda: done(store) == OTHERS, "the others have played", within_s=WITHIN_S)
    with listening_bot(tmp_path, address, "sesame"):
        wait_until(lambda: is_over(store), "all is played", within_s=WITHIN_S, progress=lambda: done(store))
        declares_7_and_played_as_1(store)
    assert faults(store) == {"mine": 0, "greedy": 0, "random": 0}


def test_matches_of_a_bot_that_never_comes_are_forfeits_after_the_limit(
    store: Store, start: Start, forfeited: list[str]
) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
    create(store)
    start(ARENA_ABSENCE_S="4")
    wait_until(lambda: is_over(store), "all is decided", within_s=WITHIN_S, progress=lambda: done(store))
    assert faults(store) == {"mine": 4 * CYCLES, "greedy": 0, "random": 0}
    for row in match_views.of_tournament(store, 1):
        text = match_views.page(store, 1, row.set, row.match).record
        assert text is not None
        record = from_json(text)
        assert verify(record) is None
        if record.result.fault is not None:
            assert record.result.fault.message == "was not connected for 4 seconds: it is not connected"
    forfeited.append(exports.export(store, 1))


def test_an_absence_outlasts_the_worker_that_noted_it_and_the_table_is_the_same(
    store: Store, start: Start, forfeited: list[str]
) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
    create(store)
    victim = start(ARENA_ABSENCE_S="8")
    wait_until(lambda: away_since(store), "it is noted as absent", within_s=WITHIN_S)
    since = away_since(store)
    victim.kill()
    victim.wait()
    start(ARENA_ABSENCE_S="8")
    wait_until(lambda: done(store) >= OTHERS, "the others have played", within_s=WITHIN_S)
    assert set(away_since(store)) <= set(since)
    wait_until(lambda: is_over(store), "all is decided", within_s=WITHIN_S, progress=lambda: done(store))
    forfeited.append(exports.export(store, 1))
    assert len(set(forfeited)) == 1


def test_a_worker_killed_among_forfeits_leaves_none_out_and_none_twice(
    store: Store, start: Start, forfeited: list[str]
) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
    create(store)
    victim = start(ARENA_ABSENCE_S="1")
    wait_until(lambda: faults(store)["mine"], "the first forfeit is stored", within_s=WITHIN_S)
    victim.kill()
    victim.wait()
    start(ARENA_ABSENCE_S="1")
    wait_until(lambda: is_over(store), "all is decided", within_s=WITHIN_S, progress=lambda: done(store))
    forfeited.append(exports.export(store, 1))
    assert len(set(forfeited)) == 1
    assert len(json.loads(forfeited[0])["matches"]) == 6 * CYCLES


def test_an_absence_begins_anew_when_there_was_no_referee(store: Store, start: Start, tmp_path: Path) -> None:
    made = bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
    create(store)
    absences.note(store, 1, {bots.find(store, made.game, made.bot).version_id})
    start(ARENA_CONTROL=f"unix:{tmp_path}/nobody")
    wait_until(lambda: not away_since(store), "it is forgotten", within_s=WITHIN_S)


def test_a_bot_that_is_there_is_not_away_though_none_of_its_matches_can_begin(
    store: Store, start: Start, control: str, tmp_path: Path
) -> None:
    made = bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
    bots.add_dial_in(store, OPERATOR, "lost_cities", "other")
    create(store, "mine", "other")
    mine, other = (bots.find(store, "lost_cities", name).version_id for name in ("mine", "other"))
    absences.note(store, 1, {mine})
    start()
    wait_until(lambda: is_admitted(bots_port(control), made.token), "it is admitted", within_s=WITHIN_S)
    with dialling_bot(tmp_path, bots_port(control), made.token):
        wait_until(lambda: missing(store) == {other}, "only the other is missing", within_s=WITHIN_S)
    assert done(store) == 0


def test_of_two_bots_that_never_come_both_are_at_fault_in_each_match(store: Store, start: Start) -> None:
    for name in ("mine", "other"):
        bots.add_dial_in(store, OPERATOR, "lost_cities", name)
    create(store, "mine", "other")
    start(ARENA_ABSENCE_S="2")
    wait_until(lambda: is_over(store), "all is decided", within_s=WITHIN_S, progress=lambda: done(store))
    assert faults(store) == {"mine": 2 * CYCLES, "other": 2 * CYCLES}


def test_a_tournament_that_waits_keeps_no_worker_from_another(store: Store, start: Start) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
    waiting = create(store, "mine", "greedy")
    worker = start()
    wait_until(lambda: away_since(store), "it is noted as absent", within_s=WITHIN_S)
    other = create(store, "greedy", "random")
    wait_until(lambda: is_over(store, other), "the other is over", within_s=WITHIN_S)
    assert done(store, waiting) == 0
    wait_until(lambda: child_process.name(worker.pid) not in held(store), "the worker is free")
