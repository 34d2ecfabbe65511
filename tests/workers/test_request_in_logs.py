"""One grep for the id of a request finds the lines of all parts about what it began."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.core import request_origin
from arena.referee_client import local_referee
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store
from tests.patience import wait_until
from tests.workers.conftest import Start

REQUEST_ID = "0123456789abcdef" * 2


@pytest.fixture(scope="module")
def referee_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs") / "referee.log"


@pytest.fixture(scope="module")
def control(referee_log: Path) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_LOG_FILE", str(referee_log))
        with local_referee(allow_files=False, log_level="DEBUG") as address:
            patch.delenv("ARENA_LOG_FILE")
            yield address


def test_worker_and_referee_log_the_request_that_a_tournament_comes_from(
    start: Start,
    store: Store,
    create: Callable[..., TournamentPage],
    tmp_path: Path,
    referee_log: Path,
) -> None:
    with request_origin.caused_by(REQUEST_ID):
        page = create(cycles=1)
    log = tmp_path / "worker.log"
    start(ARENA_LOG_FILE=str(log), ARENA_LOG_FORMAT="json")
    wait_until(lambda: tournaments.listing(store)[0].state == "finished", "it is over", within_s=40)
    wait_until(lambda: "is done" in log.read_text(), "the worker says so")
    told = [json.loads(line) for line in log.read_text().splitlines() if REQUEST_ID in line]
    assert [(line["part"], line["tournament"], line["block"]) for line in told] == [("worker", page.id, 0)], (
        told
    )
    fields = f"request_id={REQUEST_ID} tournament={page.id} block=0"
    heard = [line for line in referee_log.read_text().splitlines() if fields in line]
    assert sum("2 matches ordered" in line for line in heard) == 1
    assert sum(" begins " in line and " match=" in line for line in heard) == 2
