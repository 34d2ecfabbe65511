"""Referees that are told to stop while a tournament runs: what has begun is played to its end, the rest elsewhere."""

from __future__ import annotations

import asyncio
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest
from redis import Redis
from sqlalchemy import select, update

from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.messaging import presence
from arena.referee_client.reachability import why_unreachable
from arena.reports import tournaments
from arena.storage import Store
from arena.storage.schema import Attempt, Bot, MatchResult, Version
from arena.v1 import control_pb2, control_pb2_grpc
from tests.dialling import RunningReferee
from tests.parts.notify import Supervisor, listening
from tests.patience import wait_until
from tests.workers.conftest import Start

NAMES = ("greedy", "random")
MATCHES = 16
"""A block."""
AT_ONCE = 3
_BOT = """
import os, time
from arena.sdk import Bot, run

class Held(Bot):
    matches_at_once = {at_once}
    def choose(self, decision):
        open({asked!r}, "w").close()
        while os.path.exists({hold!r}):
            time.sleep(0.02)
        return decision.legal[0]

run(Held())
"""
LONG_S = "300"
MakeStage = Callable[..., "Stage"]


class Stage:
    """Bots that hold still while there is a file, and two referees, of which the second starts later."""

    def __init__(
        self,
        store: Store,
        folder: Path,
        closing: ExitStack,
        drain_s: str,
        supervisor: Supervisor | None = None,
    ) -> None:
        self.store = store
        self.hold = folder / "hold"
        self.hold.touch()
        self.asked = folder / "asked"
        program = folder / "held.py"
        program.write_text(_BOT.format(at_once=AT_ONCE, hold=str(self.hold), asked=str(self.asked)))
        with store.write() as session:
            ours = select(Bot.id).where(Bot.game == "lost_cities", Bot.name.in_(NAMES)).scalar_subquery()
            session.execute(
                update(Version)
                .where(Version.bot_id.in_(ours))
                .values(program=f"file:{program}")
                .execution_options(synchronize_session=False)
            )
        options = ("--allow-files", "--drain-s", drain_s)
        environment = {} if supervisor is None else {"NOTIFY_SOCKET": supervisor.address}
        self.one = RunningReferee(folder / "one", options=options, environment=environment)
        self.two = RunningReferee(folder / "two", options=options)
        self.one.start()
        for referee in (self.one, self.two):
            closing.callback(referee.close)
        spec = TournamentSpec("lost_cities", NAMES, options={"hands": 1}, cycles=MATCHES // 2)
        self.number = creation.create(store, spec)

    @property
    def controls(self) -> str:
        return f"{self.one.control},{self.two.control}"

    @property
    def done(self) -> int:
        return tournaments.row(self.store, self.number).matches_done

    def is_over(self) -> bool:
        return tournaments.row(self.store, self.number).state == "finished"

    def is_asked(self) -> bool:
        return self.asked.exists()

    def results(self) -> list[MatchResult]:
        with self.store.read() as session:
            return list(session.scalars(select(MatchResult).where(MatchResult.tournament_id == self.number)))

    def failures(self) -> int:
        with self.store.read() as session:
            return sum(session.scalars(select(Attempt.failures)))

    def finish(self) -> None:
        """Play the rest at the second referee, and check that each match has one result and nobody was charged."""
        self.two.start()
        wait_until(self.is_over, "the rest is played", within_s=60, progress=lambda: self.done)
        results = self.results()
        assert sorted((row.set_number, row.match_number) for row in results) == [
            (number, match) for number in range(MATCHES // 2) for match in range(2)
        ]
        assert [row.fault_kind for row in results] == [None] * MATCHES
        assert self.failures() == 0


@pytest.fixture
def stage(store: Store) -> Iterator[MakeStage]:
    with tempfile.TemporaryDirectory(prefix="arena-") as folder, ExitStack() as closing:
        yield lambda *given: Stage(store, Path(folder), closing, *given)


def takes_orders(control: str) -> bool:
    return asyncio.run(why_unreachable(control)) is None


def draining(client: Redis) -> bool:
    return any(
        row.draining and 0 < row.matches < MATCHES and row.release for row in presence.overview(client)
    )


def running(control: str) -> int:
    """Have a referee drain; return how many matches run there."""
    with grpc.insecure_channel(control) as channel:
        stub = control_pb2_grpc.RefereeServiceStub(channel)
        request = control_pb2.DrainRequest(limit_s=int(LONG_S))
        call = stub.Drain(request, timeout=30)
        matches: int = next(call).matches
        call.cancel()
        return matches


def test_its_matches_end_with_their_results_and_it_begins_no_other(stage: MakeStage, start: Start) -> None:
    play = stage(LONG_S)
    start(ARENA_CONTROL=play.controls)
    wait_until(play.is_asked, "matches have begun", within_s=40)
    begun = running(play.one.control)
    assert 0 < begun < MATCHES
    play.one.process.send_signal(signal.SIGTERM)
    play.hold.unlink()
    wait_until(lambda: play.one.process.poll() is not None, "it has ended", within_s=60)
    assert play.one.process.returncode == 0
    wait_until(lambda: play.done == begun, "their results are stored", within_s=20)
    play.finish()


def test_matches_that_outlast_the_limit_are_played_elsewhere_and_nobody_is_charged(
    stage: MakeStage, start: Start
) -> None:
    play = stage("1")
    start(ARENA_CONTROL=play.controls)
    wait_until(play.is_asked, "matches have begun", within_s=40)
    play.one.process.send_signal(signal.SIGTERM)
    wait_until(lambda: play.one.process.poll() is not None, "it has ended", within_s=20)
    assert (play.one.process.returncode, play.done) == (0, 0)
    play.hold.unlink()
    play.finish()


def test_supervisor_is_asked_for_time_until_a_second_signal_ends_it_at_once(
    stage: MakeStage, start: Start, client: Redis, tmp_path: Path
) -> None:
    with listening(tmp_path) as supervisor:
        play = stage(LONG_S, supervisor)
        start(ARENA_CONTROL=play.controls)
        wait_until(play.is_asked, "matches have begun", within_s=40)
        play.one.process.send_signal(signal.SIGTERM)
        supervisor.hear("STOPPING=1")
        supervisor.hear("EXTEND_TIMEOUT_USEC=15000000")
        supervisor.hear("WATCHDOG=1")
        assert not takes_orders(play.one.control)
        wait_until(lambda: draining(client), "admins see it", within_s=20)
        play.one.process.send_signal(signal.SIGTERM)
    wait_until(lambda: play.one.process.poll() is not None, "it has ended", within_s=20)
    assert (play.one.process.returncode, play.done) == (0, 0)
