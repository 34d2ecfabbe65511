"""Deaths of bots' processes in the middle of a tournament: who is charged, what is played again, who is suspended."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select, update

from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.competition.qualification.suspensions import MIN_FAULTS
from arena.referee_client import Hosted, local_referee
from arena.reports import exports, tournaments
from arena.storage import Store
from arena.storage.schema import Attempt, Bot, MatchResult, Version
from tests.hostile.inside.conftest import bubblewrap
from tests.hostile.inside.sandboxed_attacks import left
from tests.patience import wait_until
from tests.workers.conftest import Start

__all__ = ["bubblewrap"]

NAMES = ("greedy", "random")
WITHIN_S = 120.0
_BOT = """
import os, signal, time
from arena.sdk import Bot, run

class Slow(Bot):
    matches_at_once = 64
    asked = 0
    def choose(self, decision):
        self.asked += 1
        {deed}
        time.sleep(0.003)
        return decision.legal[0]

run(Slow())
"""


@pytest.fixture(scope="module")
def sandboxed() -> Iterator[str]:
    with local_referee(allow_files=True, sandbox="on") as address:
        yield address


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="arena-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


class Field:
    """Two bots in files, and tournaments of them from the same secret."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store = store
        self.files = {name: Hosted(f"file:{folder / f'{name}-{folder.name}.py'}") for name in NAMES}
        self.number = 0
        for name in NAMES:
            self.write(name)
            with store.write() as session:
                bot_id = select(Bot.id).where(Bot.name == name, Bot.game == "lost_cities").scalar_subquery()
                session.execute(
                    update(Version)
                    .where(Version.bot_id == bot_id)
                    .values(program=self.files[name].program)
                    .execution_options(synchronize_session=False)
                )

    def write(self, name: str, deed: str = "pass") -> None:
        Path(self.files[name].program.removeprefix("file:")).write_text(_BOT.format(deed=deed))

    def create(self, cycles: int = 40) -> None:
        spec = TournamentSpec(
            "lost_cities", NAMES, options={"hands": 1}, cycles=cycles, secret=bytes(32), name="Deaths"
        )
        self.number = creation.create(self.store, spec)

    @property
    def done(self) -> int:
        return tournaments.row(self.store, self.number).matches_done

    @property
    def is_over(self) -> bool:
        return tournaments.row(self.store, self.number).state == "finished"

    def finish(self) -> str:
        """Wait for the end of the tournament; return its export."""
        wait_until(lambda: self.is_over, "the tournament is over", within_s=WITHIN_S)
        return exports.export(self.store, self.number)

    def results(self) -> list[MatchResult]:
        with self.store.read() as session:
            query = select(MatchResult).where(MatchResult.tournament_id == self.number)
            return list(session.scalars(query))

    def replayed(self) -> int:
        """Count the matches that the platform failed and had played again."""
        with self.store.read() as session:
            return len(session.scalars(select(Attempt).where(Attempt.tournament_id == self.number)).all())

    def states(self) -> set[str]:
        return {found.state for found in bots.listing(self.store, "lost_cities")}

    def forfeits(self) -> list[MatchResult]:
        return [row for row in self.results() if row.fault_seat is not None]

    def kill(self, name: str, which: Callable[[list[int]], int], hit: Callable[[], int]) -> int:
        """Kill a process of one of a bot's sandboxes, again until it was playing: `hit` counts what comes of that.

        Returns how many were killed: of all but the last nothing may have come yet when the next was.
        """
        before, kills = hit(), 0
        while hit() == before:
            done = self.done
            wait_until(partial(self._is_past, done), "matches are played", within_s=WITHIN_S)
            if family := self._sandbox(name):
                os.kill(which(family), signal.SIGKILL)
                kills += 1
                done = self.done
                wait_until(
                    lambda: hit() > before or self.done > done or self.is_over,  # noqa: B023 - in this turn
                    "the kill has met a match, or others are played",
                    within_s=WITHIN_S,
                )
            assert hit() > before or not self.is_over, "no kill has met a match"
        return kills

    def _is_past(self, done: int) -> bool:
        return self.done > done

    def _sandbox(self, name: str) -> list[int]:
        """List the processes of one of a bot's sandboxes, outermost first; none while it starts."""
        found = set(left(self.files[name]))
        parents = {pid: parent for pid in found if (parent := _parent(pid))}
        for outermost in sorted(pid for pid, parent in parents.items() if parent not in found):
            family = [outermost]
            while inner := [pid for pid, parent in parents.items() if parent == family[-1]]:
                family.append(inner[0])
            if len(family) == 3:
                return family
        return []


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def outermost(family: list[int]) -> int:
    return family[0]


def innermost(family: list[int]) -> int:
    return family[-1]


@pytest.fixture
def field(store: Store, folder: Path, start: Start, sandboxed: str) -> Field:
    start(ARENA_CONTROL=sandboxed)
    return Field(store, folder)


def test_deaths_that_are_provably_the_platforms_leave_no_trace_in_the_results(field: Field) -> None:
    field.create(cycles=40)
    undisturbed = field.finish()
    field.create(cycles=40)
    for name in ("greedy", "random", "greedy"):
        field.kill(name, outermost, field.replayed)
    assert field.done < 80
    assert field.finish() == undisturbed
    assert field.states() == {"active"}


def test_one_death_that_may_be_the_bots_own_is_one_fault_and_suspends_nobody(field: Field) -> None:
    forfeits: list[MatchResult] = []
    kills = 0
    while len(forfeits) <= kills:  # a death at the end of a block may meet its last match alone
        field.create(cycles=60)
        kills = field.kill("greedy", innermost, lambda: len(field.forfeits()))
        field.finish()
        forfeits = field.forfeits()
    assert len(field.results()) == 120
    assert len({row.incident for row in forfeits}) <= kills
    assert {row.fault_kind for row in forfeits} == {"crash"}
    assert field.replayed() == 0
    assert field.states() == {"active"}


def test_bot_that_kills_itself_when_it_likes_gets_no_match_again_and_is_suspended(field: Field) -> None:
    field.write("greedy", "self.asked < 20 or os.kill(os.getpid(), signal.SIGKILL)")
    field.create(cycles=200)
    field.finish()
    forfeits = field.forfeits()
    assert field.replayed() == 0
    assert {row.attempt for row in field.results()} == {0}
    assert len({row.incident for row in forfeits}) >= MIN_FAULTS
    (greedy,) = (found for found in bots.listing(field.store, "lost_cities") if found.bot == "greedy")
    assert greedy.state == "suspended"
