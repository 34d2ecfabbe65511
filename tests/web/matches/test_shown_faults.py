"""What pages and API say of a fault: why, and what else ended by the same event."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from arena.match.faults import FaultKind, SeatFault
from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from tests import random_tournaments
from tests.parts.redis_server import RunningRedis
from tests.web.access import ACCESS
from tests.web.conftest import opened

INCIDENT = "0123456789abcdef"
KILLED = SeatFault(0, FaultKind.CRASH, "its process was ended by signal 9 (SIGKILL)")
LATE = SeatFault(
    0,
    FaultKind.TIMEOUT,
    "decision 57: no answer within 148 ms, all that was left of its bank; it had thought for 32.7 s in 29 decisions, "
    "its time is 30 s and 0.1 s more for each",
)
UNPLAYED = SeatFault(0, FaultKind.CRASH, "before it could play, its process ended with exit code 1")
MATCH = "/tournaments/1/sets/0/matches/0"
CRASHED = "/tournaments/1/sets/2/matches/0"


@pytest.fixture
def spoilt(tmp_path: Path, redis_server: RunningRedis) -> Iterator[TestClient]:
    """An arena where one death of a process has ended both matches of set 0, a time-out one of set 1, a crash before the first move one of set 2."""
    with opened(tmp_path) as store:
        random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious")
        random_tournaments.play(store, 1, 1, fault=KILLED, incident=INCIDENT)
        random_tournaments.play(store, 1, 1, fault=KILLED, incident=INCIDENT)
        random_tournaments.play(store, 1, 2, fault=LATE)
        random_tournaments.play(store, 1, fault=UNPLAYED)
        app = create_app(store, connect_async(redis_server.url), ACCESS)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield client


def test_page_says_how_many_matches_one_death_has_ended(spoilt: TestClient) -> None:
    page = spoilt.get(MATCH).text
    assert "its process was ended by signal 9 (SIGKILL)" in page
    assert (
        f"One event ended 2 matches of this bot, and counts as one fault for suspensions ({INCIDENT})."
        in page
    )


def test_api_names_the_incident(spoilt: TestClient) -> None:
    found = spoilt.get(f"/api/v1{MATCH}").json()
    assert (found["fault_incident"], found["incident_matches"]) == (INCIDENT, 2)


def test_match_without_a_fault_has_no_incident(spoilt: TestClient) -> None:
    found = spoilt.get("/api/v1/tournaments/1/sets/2/matches/1").json()
    assert (found["fault_incident"], found["incident_matches"]) == (None, 0)


def test_time_out_tells_what_was_used_in_the_whole_match(spoilt: TestClient) -> None:
    assert LATE.message in spoilt.get("/tournaments/1/sets/1/matches/0").text


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (MATCH, "su proceso terminó por la señal 9 (SIGKILL)"),
        (MATCH, "Un mismo incidente acabó con 2 partidas de este bot"),
        (
            "/tournaments/1/sets/1/matches/0",
            "había pensado 32.7 s en 29 decisiones, su tiempo es de 30 s y 0.1 s más",
        ),
    ],
)
def test_reasons_are_told_in_spanish(spoilt: TestClient, address: str, words: str) -> None:
    assert words in spoilt.get(address, headers={"Accept-Language": "es"}).text


def test_crash_before_the_first_move_has_a_banner_and_no_empty_board(spoilt: TestClient) -> None:
    page = spoilt.get(CRASHED).text
    assert re.search(r'role="alert">\s*<p><strong>\w+ crashed while starting.\s+\w+ wins.', page)
    assert "data-step" not in page
    assert "stepper.js" not in page
    assert 'class="board' not in page


def test_fault_after_some_moves_is_told_at_the_end_of_the_replay(spoilt: TestClient) -> None:
    first = spoilt.get(MATCH).text
    assert "result-card" not in first
    final = re.search(r'data-final="(\d+)"', first)
    assert final
    end = spoilt.get(f"{MATCH}?point={final[1]}").text
    assert f"lost by crash after step {final[1]}." in end
