"""A whole arena as monitoring sees it: each part's port, what it says, and when it says otherwise."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle
from tests.monitoring.conftest import Monitored
from tests.monitoring.scraping import check, described, get, value
from tests.parts.arena_process import create, free_port, is_over
from tests.patience import wait_until

PARTS = ("web", "referee", "worker")


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_live_and_becomes_ready(monitored: Monitored, part: str) -> None:
    port = getattr(monitored, part)
    wait_until(lambda: check(port, "/health/live")[0] == 200, f"the {part} is live", within_s=30)
    wait_until(lambda: check(port, "/health/ready")[0] == 200, f"the {part} is ready", within_s=30)
    assert value(get(port, "/metrics")[1], "arena_build_info", part=part) == 1


def test_a_container_knows_whether_its_part_is_ready(monitored: Monitored) -> None:
    wait_until(lambda: check(monitored.worker, "/health/ready")[0] == 200, "the worker is ready", within_s=30)
    script = Path(__file__).parents[2] / "deploy" / "container" / "is-ready"
    ports = (monitored.worker, free_port())
    assert [subprocess.run([script, str(port)], check=False).returncode for port in ports] == [0, 1]


@pytest.mark.parametrize("part", PARTS)
def test_the_docs_list_the_metrics_of_each_part_in_their_own_words(monitored: Monitored, part: str) -> None:
    wait_until(lambda: get(getattr(monitored, part), "/metrics")[0] == 200, "it answers", within_s=30)
    page = (Path(__file__).parents[2] / "docs" / "monitoring.md").read_text()
    section = page.partition(f"### {part.capitalize()}\n")[2].partition("\n##")[0]
    every = page.partition("### Every part\n")[2].partition("\n##")[0]
    rows = re.findall(r"^\| `(arena_\w+)` \| [^|]* \| (.*) \|$", every + section, re.MULTILINE)
    assert dict(rows) == described(get(getattr(monitored, part), "/metrics")[1])


def counted(monitored: Monitored) -> tuple[float, float, float]:
    """Return how many matches the referee has counted, how many results the worker, and how many decisions the referee."""
    referee, worker = (get(getattr(monitored, part), "/metrics")[1] for part in ("referee", "worker"))
    return (
        value(referee, "arena_matches_total", game="lost_cities") or 0,
        value(worker, "arena_results_stored_total", game="lost_cities") or 0,
        value(referee, "arena_decision_seconds_count", bot="hosted") or 0,
    )


def test_what_is_played_is_counted_by_referee_and_worker(monitored: Monitored) -> None:
    store = monitored.arena.open_store()
    before = counted(monitored)
    tournament = create(store, cycles=1)
    wait_until(lambda: is_over(store, tournament), "it is over", within_s=60)
    store.close()
    played, stored, decisions = (now - then for now, then in zip(counted(monitored), before, strict=True))
    assert played == stored == 2
    assert decisions > played
    referee, web = (get(getattr(monitored, part), "/metrics")[1] for part in ("referee", "web"))
    assert value(web, "arena_store_up") == value(web, "arena_redis_up") == 1
    assert value(web, "arena_queue_oldest_block_age_seconds") is not None
    assert value(referee, "arena_bot_starts_total")


def test_a_tournament_and_the_block_that_is_played_are_seen_while_it_runs(monitored: Monitored) -> None:
    store = monitored.arena.open_store()
    tournament = create(store, cycles=400)
    try:
        wait_until(
            lambda: value(get(monitored.worker, "/metrics")[1], "arena_leases_held") == 1,
            "it plays",
            within_s=60,
        )
        wait_until(
            lambda: value(
                get(monitored.web, "/metrics")[1], "arena_tournament_matches", tournament=str(tournament)
            ),
            "the web shows its matches",
            within_s=30,
        )
        wait_until(
            lambda: value(get(monitored.worker, "/metrics")[1], "arena_event_loop_lag_seconds_count"),
            "the worker's event loop is measured",
            within_s=30,
        )
    finally:
        lifecycle.cancel(store, tournament, OPERATOR)
        store.close()
    wait_until(
        lambda: value(get(monitored.worker, "/metrics")[1], "arena_leases_held") == 0,
        "its block is given back",
        within_s=60,
    )


def test_a_referee_whose_worker_has_died_is_not_ready_until_there_is_one_again(monitored: Monitored) -> None:
    wait_until(lambda: check(monitored.referee, "/health/ready")[0] == 200, "it is ready", within_s=30)
    (worker,) = monitored.arena.pids("worker")
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: check(monitored.referee, "/health/ready")[0] == 503, "it notices", within_s=20)
    wait_until(lambda: check(monitored.referee, "/health/ready")[0] == 200, "it is ready again", within_s=60)
