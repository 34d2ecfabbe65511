"""The page of a ladder's epoch while bots join it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from arena.accounts.actors import OPERATOR
from arena.competition import ladders
from arena.competition.ladders import LadderRequest
from arena.messaging.redis_connection import connect_async
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store
from arena.web.app import create_app
from tests.decided_matches import play_on, upload
from tests.parts.redis_server import RunningRedis
from tests.web.access import ACCESS
from tests.web.conftest import opened


def test_a_bot_that_joins_between_two_looks_at_the_store_is_no_error(
    tmp_path: Path, redis_server: RunningRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path) as store:
        now = time.time()
        ladders.start(store, LadderRequest("lost_cities", rest_s=0.0), OPERATOR)
        ladders.advance(store, now)
        play_on(store)
        read = tournaments.page

        def read_before_it_joins(store: Store, number: int) -> TournamentPage:
            page = read(store, number)
            upload(store, None, "newcomer")
            ladders.advance(store, now + 1)
            return page

        monkeypatch.setattr(tournaments, "page", read_before_it_joins)
        with TestClient(create_app(store, connect_async(redis_server.url), ACCESS)) as client:
            assert client.get("/tournaments/1").status_code == 200
        assert "newcomer" in [entry.bot for entry in read(store, 1).entries]
