"""A whole arena as monitoring sees it: each part's port, what it says, and when it says otherwise."""

from __future__ import annotations

import os
import signal

import pytest

from tests.monitoring.conftest import Monitored
from tests.monitoring.scraping import check, get, value
from tests.parts import wait_until

PARTS = ("web", "referee", "worker")


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_live_and_becomes_ready(monitored: Monitored, part: str) -> None:
    port = getattr(monitored, part)
    wait_until(lambda: check(port, "/health/live")[0] == 200, f"the {part} is live", within_s=30)
    wait_until(lambda: check(port, "/health/ready")[0] == 200, f"the {part} is ready", within_s=30)
    assert value(get(port, "/metrics")[1], "arena_build_info", part=part) == 1


def test_a_referee_whose_worker_has_died_is_not_ready_until_there_is_one_again(monitored: Monitored) -> None:
    wait_until(lambda: check(monitored.referee, "/health/ready")[0] == 200, "it is ready", within_s=30)
    (worker,) = monitored.arena.pids("worker")
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: check(monitored.referee, "/health/ready")[0] == 503, "it notices", within_s=20)
    wait_until(lambda: check(monitored.referee, "/health/ready")[0] == 200, "it is ready again", within_s=60)
