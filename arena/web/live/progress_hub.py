"""Live progress: one reader of Redis for the whole process, fanned out to all pages that watch.

    Redis streams ──XREAD──▶ Live ──one query each──▶ Progress ──▶ page, page, page …

An event of a stream is a hint that something has changed; what a page is sent is read from the store, once for all
pages.  It is a state, not a log: a page that was away, or too slow, is sent the newest one and has missed nothing,
even where Redis has come back empty.  Nothing of an event's own data goes out, so nothing hidden can.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from starlette.concurrency import run_in_threadpool

from arena.competition.tournament_states import OVER
from arena.core.errors import ArenaError
from arena.core.unforeseen_errors import UnforeseenErrors
from arena.messaging import presence
from arena.messaging.progress_events import BEGINNING, tournament_stream
from arena.messaging.redis_refusals import try_write_async, why_refused
from arena.messaging.stream_reader import read_streams

_log = logging.getLogger(__name__)

RUNNING = "running"
"""The state of a tournament that is played now."""

_BLOCK_MS = 250
"""Time that one read waits.  A page that begins to watch is in the next read."""
_PAUSE_S = 0.15
"""Time between two reads, so that a burst of events is sent as one."""
_AWAY_S = 1.0
_PULSE_S = 10.0
"""Interval at which the store is read without any event, in case Redis has lost one."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a tournament; `id` is that of its newest event."""

    tournament: int
    state: str
    matches_done: int
    matches_total: int
    id: str = BEGINNING


@dataclass(slots=True, eq=False)
class _Page:
    """One page that watches: the newest news of each tournament that it has not been sent yet."""

    news: dict[int, Progress] = field(default_factory=dict)
    some: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, progress: Progress) -> None:
        self.news[progress.tournament] = progress
        self.some.set()

    async def take(self) -> tuple[Progress, ...]:
        await self.some.wait()
        self.some.clear()
        news, self.news = self.news, {}
        return tuple(news.values())


@dataclass(slots=True)
class _Watched:
    """A tournament that pages watch: the position in its stream, the last progress sent, and the pages."""

    position: str
    told: Progress
    pages: list[_Page] = field(default_factory=list)


class ProgressHub:
    """The fan-out.  All of it runs on one event loop; `load` is called in a thread."""

    def __init__(self, client: redis.asyncio.Redis, load: Callable[[int], tuple[str, int, int]]) -> None:
        """`load` gives state, matches done and matches in all of a tournament; it raises ArenaError."""
        # A read that the client repeated by itself would hide from us that Redis was away, and perhaps came back empty.
        client.set_retry(Retry(NoBackoff(), 0))
        self._client = client
        self._load = load
        self._watched: dict[int, _Watched] = {}
        self._some = asyncio.Event()
        self._errors = UnforeseenErrors(_log)
        self._closing = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Read for as long as the block lasts."""
        reader = asyncio.create_task(self._read_on())
        try:
            yield
        finally:
            # The flag, since Python 3.11's wait_for, which the Redis client uses, may swallow a cancellation.
            self._closing = True
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
            await self._client.aclose()

    async def follow(self, *tournaments: int) -> AsyncIterator[Progress]:
        """Return the progress of each now, then whenever it changes; it ends when all are over.  Raises ArenaError."""
        page = _Page()
        running = set(tournaments)
        try:
            for tournament in tournaments:
                page.tell((await self._watch(tournament, page)).told)
            while running:
                for progress in await page.take():
                    if progress.state in OVER:
                        running.discard(progress.tournament)
                    yield progress
        finally:
            for tournament in tournaments:
                self._leave(tournament, page)

    async def find_refusal(self) -> str | None:
        """Return why Redis refuses writes, empty if it takes them; None while it does not answer."""
        try:
            await try_write_async(self._client)
        except (RedisError, OSError) as error:
            return why_refused(error) or None
        return ""

    async def protections(self) -> dict[str, str]:
        """Return what keeps hosted bots from doing harm at each referee; nothing while Redis is away."""
        try:
            return await presence.protections(self._client)
        except (RedisError, OSError):
            return {}

    async def outages(self) -> presence.Outages:
        """Read what workers miss; nothing while Redis is away."""
        try:
            return await presence.outages_async(self._client)
        except (RedisError, OSError):
            return presence.Outages()

    async def _watch(self, tournament: int, page: _Page) -> _Watched:
        watched = self._watched.get(tournament)
        if watched is None:
            position = await self._newest(tournament)
            told = await self._progress(tournament, position)
            watched = self._watched.setdefault(tournament, _Watched(position, told))
        watched.pages.append(page)
        self._some.set()
        return watched

    def _leave(self, tournament: int, page: _Page) -> None:
        watched = self._watched.get(tournament)
        if watched is not None and page in watched.pages:
            watched.pages.remove(page)
            if not watched.pages:
                del self._watched[tournament]

    async def _read_on(self) -> None:
        loop = asyncio.get_running_loop()
        pulse = loop.time() + _PULSE_S
        while not self._closing:
            if not self._watched:
                self._some.clear()
                await self._some.wait()
            try:
                changed = await self._read()
                await asyncio.sleep(_PAUSE_S)
            except (RedisError, OSError) as error:
                _log.warning("Redis is away, live pages wait: %s", error)
                await asyncio.sleep(_AWAY_S)
                changed = set(self._watched)
            except Exception as error:  # noqa: BLE001 - else no live page would change again
                self._errors.report("reading progress", error)
                await asyncio.sleep(_AWAY_S)
                changed = set(self._watched)
            if loop.time() >= pulse:
                pulse = loop.time() + _PULSE_S
                changed = set(self._watched)
            for tournament in changed:
                with self._errors.survive("telling of progress"):
                    await self._tell(tournament)

    async def _read(self) -> set[int]:
        """Wait a moment for events; name the tournaments that have any."""
        streams = {tournament_stream(number): number for number in self._watched}
        positions = {stream: self._watched[number].position for stream, number in streams.items()}
        changed: set[int] = set()
        for stream, entries in (await read_streams(self._client, positions, _BLOCK_MS)).items():
            number = streams[stream]
            if number in self._watched:
                self._watched[number].position = entries[-1][0].decode()
                changed.add(number)
        return changed

    async def _tell(self, tournament: int) -> None:
        watched = self._watched.get(tournament)
        if watched is None:
            return
        try:
            progress = await self._progress(tournament, watched.position)
        except ArenaError as error:
            _log.warning("tournament %d: its progress cannot be read now: %s", tournament, error)
            return
        if replace(progress, id=watched.told.id) == watched.told:
            return
        watched.told = progress
        for page in watched.pages:
            page.tell(progress)

    async def _progress(self, tournament: int, position: str) -> Progress:
        return Progress(tournament, *await run_in_threadpool(self._load, tournament), position)

    async def _newest(self, tournament: int) -> str:
        try:
            entries: Any = await self._client.xrevrange(tournament_stream(tournament), count=1)
        except (RedisError, OSError):
            return BEGINNING
        return entries[0][0].decode() if entries else BEGINNING
