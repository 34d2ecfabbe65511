"""What pages and API say of a fault: why, and what else ended by the same event."""

from __future__ import annotations

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
MATCH = "/tournaments/1/sets/0/matches/0"


@pytest.fixture
def spoilt(tmp_path: Path, redis_server: RunningRedis) -> Iterator[TestClient]:
    """An arena where one death of a process has ended both matches of set 0, and a time-out one of set 1."""
    with opened(tmp_path) as store:
        random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious")
        random_tournaments.play(store, 1, 1, fault=KILLED, incident=INCIDENT)
        random_tournaments.play(store, 1, 1, fault=KILLED, incident=INCIDENT)
        random_tournaments.play(store, 1, fault=LATE)
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
    found = spoilt.get("/api/v1/tournaments/1/sets/2/matches/0").json()
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
