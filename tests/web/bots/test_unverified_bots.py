"""What pages and API show of bots that run elsewhere: nobody has verified what they are."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi.testclient import TestClient

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition.qualification import declared_versions
from arena.messaging.redis_connection import connect_async
from arena.rankings import public_ratings
from arena.referee_client import DialIn
from arena.web.app import create_app
from tests import random_tournaments
from tests.parts.redis_server import RunningRedis
from tests.web.access import ACCESS
from tests.web.conftest import opened


def test_a_declared_version_is_shown_as_unverified_wherever_it_stands(
    tmp_path: Path, redis_server: RunningRedis
) -> None:
    with opened(tmp_path) as store:
        made = bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
        declared_versions.take(store, DialIn(made.token_id), "<b>7")
        tournament = random_tournaments.create(store, "lost_cities", "mine", "greedy").id
        random_tournaments.play(store, tournament)
        public_ratings.refresh(store, "lost_cities/standard")
        app = create_app(store, connect_async(redis_server.url), ACCESS)
        with TestClient(app, raise_server_exceptions=False) as client:
            match = f"/tournaments/{tournament}/sets/0/matches/0"
            for path in ("/", "/games/lost_cities", f"/tournaments/{tournament}", match):
                page = client.get(path).text
                assert len(re.findall(r'v&lt;b&gt;7</span> <span class="tag">unverified', page)) == 1, path
                assert page.count(">unverified<") == 1, path
            api = "/api/v1"
            for path, rows in (
                (f"{api}/ratings/lost_cities/standard", "rows"),
                (f"{api}/tournaments/{tournament}", "standings"),
                (f"{api}{match}", "seats"),
            ):
                found = {
                    (row["bot"], row["version"], row["verified"]) for row in client.get(path).json()[rows]
                }
                assert found == {("mine", "<b>7", False), ("greedy", "1", True)}, path
