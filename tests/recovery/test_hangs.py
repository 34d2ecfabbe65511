"""Parts that hang: each is stopped by SIGSTOP, as whole machines and debuggers do; all work again without anybody's help."""

import os
import signal
from collections.abc import Collection
from functools import partial
from pathlib import Path

import pytest

from arena.core import child_process
from arena.messaging.redis_connection import connect
from arena.storage import Store
from tests.parts.arena_process import RunningArena, command_line, create, descendants, is_over, lives
from tests.patience import wait_until
from tests.recovery.conftest import WITHIN_S

NOTICED_S = 60.0
"""A part may be silent for half of that; then it is ended."""
PARTS = ("redis", "referee", "web", "worker")


def watchdogs(arena: RunningArena) -> list[int]:
    return [pid for pid in descendants(arena.process.pid) if "referee.sandbox.watchdog" in command_line(pid)]


def idle_workers(arena: RunningArena) -> int:
    """Count the workers that wait for a job: `arena up` does not wait for them, and one that starts is given longer."""
    with connect(arena.settings.redis_url) as client:
        entries = [f"rq:worker:{child_process.name(pid)}" for pid in arena.pids("worker")]
        return [client.hget(entry, "state") for entry in entries].count(b"idle")


@pytest.mark.timeout(600)
def has_another(arena: RunningArena, part: str, pids: Collection[int]) -> bool:
    """Whether other processes have taken the place of a part's."""
    return bool(set(arena.pids(part)) - set(pids)) and not any(map(lives, pids))


def test_parts_that_hang_are_ended_and_started_again_and_play_goes_on(
    arena: RunningArena, store: Store
) -> None:
    wait_until(lambda: idle_workers(arena) == arena.workers, "the workers are idle", within_s=WITHIN_S)
    hung = {part: arena.pids(part) for part in PARTS}
    for pids in hung.values():
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
    for part, pids in hung.items():
        wait_until(
            partial(has_another, arena, part, pids),
            f"{part} is started again",
            within_s=NOTICED_S,
        )
    wait_until(lambda: arena.get("/") == 200, "the dashboard answers", within_s=WITHIN_S)
    assert all(
        f"{part} hangs" in arena.output() for part in ("redis", "referee", "web", "worker 1", "worker 2")
    )
    tournament = create(store, cycles=2)
    wait_until(lambda: is_over(store, tournament), "a tournament is played", within_s=WITHIN_S)


@pytest.mark.long
def test_a_watchdog_that_hangs_is_started_again(arena: RunningArena) -> None:
    hung = watchdogs(arena)
    if not hung:
        pytest.skip("no sandbox here: bubblewrap is missing")
    os.kill(hung[0], signal.SIGSTOP)
    wait_until(
        lambda: watchdogs(arena) and watchdogs(arena) != hung, "there is another watchdog", within_s=NOTICED_S
    )
    assert "the watchdog of the sandboxes hangs" in (arena.data / "logs" / "referee.log").read_text()


@pytest.mark.long
def test_parts_that_have_nothing_to_do_are_left_alone(arena: RunningArena) -> None:
    before = {part: arena.pids(part) for part in PARTS}
    silent = Path(f"/proc/{arena.process.pid}/schedstat")
    slices = int(silent.read_text().split()[2])
    # It looks ten times a second: as many looks as fit into the time after which a silent part is ended.
    wait_until(lambda: int(silent.read_text().split()[2]) > slices + 400, "it has looked", within_s=120)
    assert {part: arena.pids(part) for part in PARTS} == before
