"""Matches that many pages watch, on a real Redis and a real store."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import pytest

from arena.games.kernel import Played
from arena.match.record import RecordedStep
from arena.messaging import live_steps
from arena.messaging.live_steps import Frame
from arena.messaging.redis_connection import connect, connect_async
from arena.reports import live_matches
from arena.web.live.match_hub import LiveMatchHub, MatchKey, WatchedMatch
from tests import random_tournaments
from tests.web.conftest import opened
from tests.web.live.published_match import PublishedMatch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from redis import Redis

    from arena.storage import Store
    from tests.parts.redis_server import RunningRedis

SOON_S = 20.0
IMPOSSIBLE = Frame((RecordedStep(Played(0, "fly to the moon"), 5.0),))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path) as store:
        yield store


@pytest.fixture
def redis_client(redis_server: RunningRedis) -> Iterator[Redis]:
    with connect(redis_server.url) as client:
        client.flushall()
        yield client


@pytest.fixture
async def hub(store: Store, redis_server: RunningRedis) -> AsyncIterator[LiveMatchHub]:
    async with connect_async(redis_server.url) as client:
        hub = LiveMatchHub(client, partial(live_matches.find, store))
        async with hub.running():
            yield hub


@pytest.fixture
def published(store: Store, redis_client: Redis) -> PublishedMatch:
    return publish(store, redis_client)


@pytest.fixture
async def watched(hub: LiveMatchHub, published: PublishedMatch) -> AsyncIterator[WatchedMatch]:
    async with hub.watch(key(published)) as watched:
        yield watched


def publish(store: Store, client: Redis, *, hands: int = 1) -> PublishedMatch:
    return PublishedMatch(
        client, store, random_tournaments.create(store, "lost_cities", "random", "greedy", hands=hands).id
    )


def key(match: PublishedMatch) -> MatchKey:
    return MatchKey(match.tournament, 0, 0)


async def news(watched: WatchedMatch, version: int) -> None:
    """Wait until pages are told of more than at a version."""
    async with asyncio.timeout(SOON_S):
        await watched.changed(version)


async def points(watched: WatchedMatch, count: int) -> None:
    """Wait until so many points of a match are known."""
    async with asyncio.timeout(SOON_S):
        while len(watched.running.points) != count:
            await watched.changed(watched.version)


async def test_match_is_shown_as_far_as_it_was_published(
    published: PublishedMatch, watched: WatchedMatch
) -> None:
    published.play(2)
    await points(watched, 3)


async def test_frame_that_cannot_be_read_stops_its_own_match_only(
    hub: LiveMatchHub, store: Store, published: PublishedMatch, watched: WatchedMatch
) -> None:
    other = publish(store, published.client, hands=2)
    async with hub.watch(key(other)) as beside:
        published.client.xadd(f"table:{published.match.id}", {"frame": '{"steps": [{"wish": "rain"}]}'})
        other.play(2)
        await points(beside, 3)
        assert len(watched.running.points) == 1


async def test_last_position_of_a_match_stays_when_what_comes_is_impossible(
    published: PublishedMatch, watched: WatchedMatch
) -> None:
    published.play(1)
    await points(watched, 2)
    before, version = watched.running.scene(), watched.version
    live_steps.publish(published.client, published.match.id, IMPOSSIBLE)
    await news(watched, version)
    version = watched.version
    published.play(1)
    await news(watched, version)
    assert watched.running.scene().table == before.table
    assert len(watched.running.points) == 2
    assert watched.running.acting == (), "who decides is not known"


async def test_match_goes_on_when_it_is_shown_from_its_start_again(
    store: Store, published: PublishedMatch, watched: WatchedMatch
) -> None:
    live_steps.publish(published.client, published.match.id, IMPOSSIBLE)
    PublishedMatch(published.client, store, published.tournament).play(2)
    await points(watched, 3)
