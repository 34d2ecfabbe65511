"""Several referees on one machine: each plays, and what one cannot play any more the others do."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.parts.arena_process import RunningArena, command_line, create, descendants, done, export, is_over
from tests.patience import wait_until
from tests.recovery.conftest import CYCLES

WITHIN_S = 120.0


@pytest.fixture
def two(tmp_path: Path) -> Iterator[RunningArena]:
    with RunningArena(tmp_path / "data", options=("--referees", "2")) as running:
        yield running


def bots_of(referee: int) -> list[int]:
    return [pid for pid in descendants(referee) if command_line(pid).startswith("house:")]


def test_both_play_and_one_that_is_killed_costs_no_match(two: RunningArena, undisturbed: str) -> None:
    store = two.open_store()
    number = create(store, cycles=CYCLES)
    first, second = two.pids("referee")
    wait_until(lambda: bots_of(first) and bots_of(second), "both have bots that play", within_s=WITHIN_S)
    before = done(store, number)
    os.kill(first, signal.SIGKILL)
    wait_until(
        lambda: len(two.pids("referee")) == 2 and first not in two.pids("referee"), "it is started again"
    )
    wait_until(
        lambda: done(store, number) > before or is_over(store, number),
        "results come again",
        within_s=WITHIN_S,
    )
    wait_until(lambda: is_over(store, number), "the tournament is over", within_s=WITHIN_S)
    assert export(two.data, number) == undisturbed
    store.close()
