"""A worker shows which tables it plays, and the steps of those that are wanted; with a real Redis, store and referee."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from redis import Redis

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.games.kernel import Played
from arena.messaging import live_steps, presence
from arena.messaging.live_steps import ANY, BEGINNING, Frame, RunningMatch
from arena.messaging.redis_connection import connect_async
from arena.reports import match_views
from tests.dialling import RunningReferee, dialling_bot
from tests.parts.redis_server import RunningRedis
from tests.patience import wait_until

if TYPE_CHECKING:
    import redis.asyncio

    from arena.storage import Store
    from tests.workers.conftest import Start

SLOW = """
import time

from arena.sdk import Bot, run

class Slow(Bot):
    name = "slow"
    matches_at_once = 2

    def choose(self, decision):
        time.sleep(0.1)
        return decision.legal[0]

run(Slow())
"""


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[RunningReferee]:
    referee = RunningReferee(tmp_path / "referee")
    referee.start()
    yield referee
    referee.close()


@pytest.fixture
async def playing(
    start: Start,
    store: Store,
    server: RunningRedis,
    *,
    referee: RunningReferee,
    client: Redis,
    tmp_path: Path,
) -> AsyncIterator[redis.asyncio.Redis]:
    """A tournament with a slow bot that is being played; a Redis of the web's kind."""
    token = bots.add_dial_in(store, OPERATOR, "lost_cities", "slow").token
    start(ARENA_CONTROL=referee.control)
    with dialling_bot(tmp_path, referee.bots, token, SLOW):
        await asyncio.to_thread(wait_until, lambda: presence.present(client), "it is there", within_s=30)
        creation.create(store, TournamentSpec("lost_cities", ("slow", "greedy"), options={"hands": 1}))
        async with connect_async(server.url) as web:
            yield web


async def _tables(client: redis.asyncio.Redis) -> tuple[RunningMatch, ...]:
    found: tuple[RunningMatch, ...] = ()
    for _ in range(400):
        found = await live_steps.playing(client)
        if found:
            break
        await asyncio.sleep(0.1)
    return found


async def _frames(client: redis.asyncio.Redis, match: str, most: int) -> list[Frame]:
    position, found = BEGINNING, list[Any]()
    for _ in range(100):
        news = await live_steps.read(client, {match: position}, 200)
        if match in news:
            position, frames = news[match]
            found += map(live_steps.read_frame, frames)
        if len(found) >= most:
            break
    return found


async def test_a_table_is_shown_and_its_steps_when_they_are_wanted(
    playing: redis.asyncio.Redis, store: Store
) -> None:
    first = (await _tables(playing))[0]
    page = match_views.page(store, first.tournament_id, first.set, first.number)
    assert (page.id, page.state) == (first.match, "open")
    assert not first.followed
    assert await playing.exists(f"table:{first.match}") == 0, "nobody wants its steps, so there are none"

    await live_steps.want(playing, (first.match,))
    frames = await _frames(playing, first.match, 4)
    assert frames[0].talks == (False, False), "a match begins with the first frame"
    steps = [each for frame in frames for each in frame.steps]
    assert steps
    assert all(isinstance(each.step, Played) for each in steps), "the deal stays in the store"
    assert any(each.ms >= 100 for each in steps if each.ms is not None), "times come with them"

    await playing.delete("tables:wanted")
    await live_steps.want(playing, (ANY,))
    assert any(table.followed for table in await _followed(playing))


async def _followed(client: redis.asyncio.Redis) -> tuple[RunningMatch, ...]:
    found = await _tables(client)
    for _ in range(100):
        if any(table.followed for table in found):
            break
        await asyncio.sleep(0.1)
        found = await _tables(client)
    return found
