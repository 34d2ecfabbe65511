"""What the pages show of bots that are not there."""

from __future__ import annotations

from pathlib import Path

from fastapi.testclient import TestClient

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.competition.matches import absences, blocks
from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from tests.decided_matches import store_result
from tests.parts.redis_server import RunningRedis
from tests.web.access import ACCESS
from tests.web.conftest import opened


def test_pages_name_who_is_waited_for_and_why_a_match_is_a_forfeit(
    tmp_path: Path, redis_server: RunningRedis
) -> None:
    with opened(tmp_path) as store:
        for name in ("mine", "other"):
            bots.add_dial_in(store, OPERATOR, "lost_cities", name)
        creation.create(store, TournamentSpec("lost_cities", ("mine", "other")))
        absences.note(store, 1, {bots.find(store, "lost_cities", "mine").version_id})
        app = create_app(store, connect_async(redis_server.url), ACCESS)
        with TestClient(app, raise_server_exceptions=False) as client:
            assert "Waiting for mine@1" in client.get("/tournaments/1").text
            assert client.get("/api/v1/tournaments/1").json()["waiting_for"] == ["mine@1"]
            block = blocks.claim(store, "anna", 60)
            assert block is not None
            for match in block.matches:
                seat = [each.bot for each in match.seats].index("mine")
                text = absences.forfeit(block, match, seat, limit_s=1800, reason="it is not connected")
                assert store_result(store, 1, match.set, match.match, match.attempt, text)
            assert "Waiting for" not in client.get("/tournaments/1").text
            page = client.get("/tournaments/1/sets/0/matches/0")
            assert page.status_code == 200
            assert "lost by crash: was not connected for 30 minutes: it is not connected" in page.text
            assert "mine lost by crash before the first move." in page.text
