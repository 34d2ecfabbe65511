"""Nothing that anybody can read depends on the record of a match that is not open yet.

Two arenas differ only in what was played in such matches, one of each game: the same deal, other actions and times, the same
result.  What is worked out from records differs, too, as if it had been stored before.  All pages, pictures and answers of the API are equal, byte by byte.
"""

from __future__ import annotations

import re
import shutil
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest
from fastapi.routing import iter_route_contexts
from fastapi.testclient import TestClient
from sqlalchemy import update

from arena.competition.matches import blocks
from arena.competition.matches.blocks import BlockKey
from arena.match.chances import Estimate
from arena.match.choice_chances import ChoiceEstimate
from arena.match.drama import Drama
from arena.match.record import RecordedStep, to_json
from arena.messaging.redis_connection import connect_async
from arena.rankings import public_ratings
from arena.reports import match_views
from arena.reports.insights import stored_chances, stored_dramas
from arena.reports.insights.stored_chances import ChoiceKey
from arena.storage import Store
from arena.storage.schema import MatchResult
from arena.web.app import create_app
from tests import random_tournaments
from tests.decided_matches import store_result
from tests.stores import new_sqlite
from tests.web.access import ACCESS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.parts.redis_server import RunningRedis

SEATS = {"lost_cities": 2, "land_unter": 3, "bottle_imp": 3, "teotlatolli": 2, "lifeboats": 3}
OPTIONS: dict[str, Any] = {"lost_cities": {"hands": 1}, "lifeboats": {"dealt": 1}}
WITH_GAME = ("/puzzle", "/play", "/live/tables", "/api/v1/live", "/api/v1/matches/recent", "/tournaments")
"""Take the game as a question."""
ENDLESS = {"/live/events", "/api/v1/events", "/api/v1/tournaments/{tournament_id}/events"}
"""Streams that last as long as a tournament; they have numbers of matches only."""
OF_NO_MATCH = re.compile(
    r"/(api/v1/)?(static|sdk|docs|health|reference|openapi|favicon|submit|sign-in|register|account|organise|admin|status"
    r"|me|users|tokens|sessions|audit|invitations|weights)\b|/play/|/api/v1/play|.*\{match_id\}|.*/(rules|steer)$"
)
"""What tells of no match of a tournament, or only to somebody who is signed in."""
OF_NO_RECORD = re.compile(rb"""(?:Request <code>|"request_id":")[0-9a-f]{32}|^: ping\r\n\r\n""", re.MULTILINE)
"""What differs between two answers of any kind: the id of the request, and what keeps a stream awake."""


def with_open_sets(file: Path) -> None:
    """Play set 0 of a tournament of each game, and nothing of set 1."""
    store = Store.open(new_sqlite(file))
    for game, seats in SEATS.items():
        made = random_tournaments.create(
            store, game, *random_tournaments.HOUSE[game][: seats + 1], seats=seats, **OPTIONS.get(game, {})
        )
        random_tournaments.play(store, made.id, limit=seats)
    for pool in public_ratings.pools(store):
        public_ratings.refresh(store, pool.key)
    store.close()


def play_hidden(store: Store, tournament_id: int, *, otherwise: bool) -> str:
    """Store the first match of set 1, played in one way or otherwise, always with the same result; return its record."""
    for number in range(100):
        block = blocks.claim(store, "random", 60.0, BlockKey(tournament_id, number))
        match = next((each for each in block.matches if each.set == 1), None) if block else None
        if block is not None and match is not None:
            break
    assert block is not None
    assert match is not None
    record = random_tournaments.record_of(block, match, salt="otherwise" if otherwise else "")
    steps = [
        each if each.ms is None else RecordedStep(each.step, each.ms * (9 if otherwise else 1))
        for each in record.steps
    ]
    text = to_json(
        replace(record, steps=tuple(steps), result=random_tournaments.record_of(block, match).result)
    )
    assert store_result(store, tournament_id, 1, 0, match.attempt, text)
    store_measures(store, tournament_id, otherwise=otherwise)
    return text


def store_measures(store: Store, tournament_id: int, *, otherwise: bool) -> None:
    """Store what is worked out from records, as if the match had been open when it was done."""
    share, changes = (0.25, (3, 5)) if otherwise else (0.75, (4,))
    stored_dramas.save(store, {(tournament_id, 1, 0): Drama(changes, 5, 4, 2, 4, 9)})
    shares = (share,) * (len(match_views.page(store, tournament_id, 1, 0).seats))
    stored_chances.OF_MATCHES.save(store, (tournament_id, 1, 0), [Estimate(0, shares, shares)])
    for point in (0, 3):
        key = ChoiceKey(tournament_id, 1, 0, point, 0)
        stored_chances.OF_CHOICES.save(store, key, [ChoiceEstimate("play R2", share, share)])


@pytest.fixture(scope="module")
def arenas(
    tmp_path_factory: pytest.TempPathFactory, redis_server: RunningRedis
) -> Iterator[list[TestClient]]:
    """Serve both arenas, which know the same of what is open."""
    folder, now, clients = tmp_path_factory.mktemp("hidden"), time.time(), []
    with_open_sets(folder / "0.sqlite3")
    shutil.copy(folder / "0.sqlite3", folder / "1.sqlite3")
    stores = [Store.open(f"sqlite:///{folder / name}.sqlite3") for name in ("0", "1")]
    played = [
        [play_hidden(store, number, otherwise=store is stores[1]) for number in range(1, len(SEATS) + 1)]
        for store in stores
    ]
    assert not set(played[0]) & set(played[1])
    for store in stores:
        with store.write() as session:
            session.execute(update(MatchResult).values(stored_at=now - 60))
        app = create_app(store, connect_async(redis_server.url), ACCESS, clock=lambda: now)
        clients.append(TestClient(app, raise_server_exceptions=False))
    with clients[0], clients[1]:
        # Pictures that are drawn alike are made once: they take a quarter of the time.
        one, other = (cast("Any", client).app.state for client in clients)
        other.services = replace(other.services, rasterizer=one.services.rasterizer)
        yield clients
    for store in stores:
        store.close()


def addresses(client: TestClient) -> list[str]:
    """Fill in every route that tells of matches, for each of the games and at several points of a match."""
    routes = {
        str(route.path)
        for route in iter_route_contexts(client.app.routes)  # type: ignore[attr-defined]
        if "GET" in (route.methods or ()) and not OF_NO_MATCH.match(str(route.path))
    }
    found = set()
    for route in routes - ENDLESS:
        for tournament_id, game in enumerate(SEATS, 1):
            names = {"tournament_id": tournament_id, "set_number": 1, "match_number": 0}
            address = route.format(**names, game_id=game, name="greedy", variant="standard")
            found.add(address)
            if "{match_number}" in route and "/preview/" not in route:
                found |= {f"{address}?point={point}" for point in (0, 3)}
            if route in WITH_GAME:
                found.add(f"{address}?game={game}")
    return sorted(found)


def test_no_answer_depends_on_what_is_not_open(arenas: list[TestClient]) -> None:
    differing, asked = [], addresses(arenas[0])
    assert len(asked) > 150
    for address in asked:
        first, second = (client.get(address) for client in arenas)
        assert first.status_code == second.status_code < 500, address
        if OF_NO_RECORD.sub(b"", first.content) != OF_NO_RECORD.sub(b"", second.content):
            differing.append(address)
    assert differing == []


@pytest.mark.parametrize("tournament_id", range(1, len(SEATS) + 1))
def test_matches_are_not_open(arenas: list[TestClient], tournament_id: int) -> None:
    match = arenas[0].get(f"/api/v1/tournaments/{tournament_id}/sets/1/matches/0").json()
    assert (match["state"], match["seed"]) == ("hidden", None)
