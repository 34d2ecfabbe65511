"""Watching matches as they are played: one reader of Redis for the whole process, fanned out to all pages that watch.

    frames in Redis ──XREAD──▶ Watching ──▶ Table (one for each match that is watched) ──▶ page, page, page …

A page that was away, or too slow, is given the newest position and the points that it missed.  A table is forgotten when
no page watches it any more.  If Redis loses frames, the store shows after a while that the match is over or was restarted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from redis.exceptions import RedisError
from starlette.concurrency import run_in_threadpool

from arena.core.errors import ArenaError
from arena.core.unforeseen_errors import UnforeseenErrors
from arena.messaging import live_steps
from arena.messaging.live_steps import BEGINNING
from arena.web.live.running_match import Running

if TYPE_CHECKING:
    import redis.asyncio

    from arena.reports.live_matches import LiveMatch

_log = logging.getLogger(__name__)

_BLOCK_MS = 250
_PAUSE_S = 0.01
"""Between two reads: frames that come in a burst are taken together."""
_DRAWN_EVERY_S = 0.05
"""Boards of one table are drawn no more often than this: quick bots make more moves than a person can see."""
_WISH_EVERY_S = live_steps.WANTED_S / 3
_AWAY_S = 1.0
_MAX_ID_DIGITS = 18


Drawn = TypeVar("Drawn")


class MatchKey(NamedTuple):
    """Names a match, as its address does."""

    tournament_id: int
    set: int
    match: int


def _read_id(event_id: str) -> tuple[int, int]:
    """Parse an event id: the run of the match, and the number of points sent; zeros for an invalid one."""
    run, _, points = event_id.partition(".")
    if run.isdecimal() and points.isdecimal() and len(event_id) <= _MAX_ID_DIGITS:
        return int(run), int(points)
    return 0, 0


class Drawings:
    """A drawing of one version of a position."""

    def __init__(self) -> None:
        self._version = -1
        self._drawn: dict[tuple[object, ...], Any] = {}

    def drawn(self, version: int, key: tuple[object, ...], draw: Callable[[], Drawn]) -> Drawn:
        """Return what was drawn of this version under a key, or draw it."""
        if self._version != version:
            self._version, self._drawn = version, {}
        if key not in self._drawn:
            self._drawn[key] = draw()
        what: Drawn = self._drawn[key]
        return what


class WatchedMatch:
    """A match that pages watch.  Mutable, for one event loop; `version` counts what can be seen to change."""

    def __init__(self, match: LiveMatch) -> None:
        self.running = Running(match)
        self.version = 0
        self.over = match.over or not match.live
        """Whether nothing more comes: it has its result, is played under another id, or is not shown live."""
        self.watchers = 0
        self.position = BEGINNING
        self._event = asyncio.Event()
        self._told_at = 0.0
        self._later: asyncio.TimerHandle | None = None
        self._drawings = Drawings()

    @property
    def id(self) -> str:
        """Name what there is to see, as the id of an event: `RUN.POINTS`."""
        return f"{self.running.run}.{len(self.running.points)}"

    async def changed(self, version: int) -> None:
        """Wait until there is more to see than at a version."""
        while self.version <= version:
            await self._event.wait()

    def take(self, frames: tuple[bytes, ...]) -> None:
        """Take a frame, as text; pages are notified at once, or after a moment if they were notified just now."""
        for frame in frames:
            try:
                self.running.take(live_steps.read_frame(frame))
            except ArenaError as error:
                _log.warning(
                    "match %s waits to be shown from its start again: %s", self.running.match.id, error
                )
                self.running.lose()
        self.over = self.over or self.running.ended is not None
        loop = asyncio.get_running_loop()
        wait_s = self._told_at + _DRAWN_EVERY_S - loop.time()
        if wait_s <= 0 or self.over:
            self.tell()
        elif self._later is None:
            self._later = loop.call_later(wait_s, self.tell)

    def tell(self) -> None:
        """Notify the pages of new points."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        self._told_at = asyncio.get_running_loop().time()
        self.version += 1
        event, self._event = self._event, asyncio.Event()
        event.set()

    def drawn(self, key: tuple[object, ...], draw: Callable[[], Drawn]) -> Drawn:
        """Draw something of this version once for all pages; `key` says what."""
        return self._drawings.drawn(self.version, key, draw)


class News(NamedTuple):
    """News of a table: the number of the first new point, if any, and whether it was the last one."""

    table: WatchedMatch
    first: int | None
    over: bool


class LiveMatchHub:
    """The fan-out.  All of it runs on one event loop; `load` is called in a thread."""

    def __init__(self, client: redis.asyncio.Redis, load: Callable[[int, int, int], LiveMatch]) -> None:
        """`load` finds a match; it raises ArenaError."""
        self._client = client
        self._load = load
        self._tables: dict[MatchKey, WatchedMatch] = {}
        self._opening: dict[MatchKey, asyncio.Task[WatchedMatch]] = {}
        self._some = asyncio.Event()
        self._errors = UnforeseenErrors(_log)
        self._closing = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Read for as long as the block lasts."""
        tasks = [asyncio.create_task(self._read_on()), asyncio.create_task(self._renew_requests())]
        try:
            yield
        finally:
            self._closing = True
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    @asynccontextmanager
    async def watch(self, key: MatchKey) -> AsyncIterator[WatchedMatch]:
        """Watch a match, for as long as the block lasts; what has been played is there at once.  Raises ArenaError."""
        table = await self._open(key)
        table.watchers += 1
        try:
            yield table
        finally:
            table.watchers -= 1
            if not table.watchers and self._tables.get(key) is table:
                del self._tables[key]

    async def follow(self, key: MatchKey, after: str) -> AsyncIterator[News]:
        """Yield what there is to see of a match, now and whenever there is more, until it is over.  Raises ArenaError.

        `after` is the id of the last event that the page has got.
        """
        run, told = _read_id(after)
        async with self.watch(key) as table:
            version, over = -1, False
            while not over:
                await table.changed(version)
                version, over, running, first = table.version, table.over, table.running, None
                if running.begun and (run, told) != (running.run, len(running.points)):
                    first = told if run == running.run else 0
                    run, told = running.run, len(running.points)
                yield News(table, first, over)

    async def _open(self, key: MatchKey) -> WatchedMatch:
        table = self._tables.get(key)
        if table is not None and not table.over:
            return table
        opening = self._opening.get(key)
        if opening is None:
            opening = self._opening[key] = asyncio.create_task(self._find(key))
            opening.add_done_callback(lambda _: self._opening.pop(key, None))
        return await asyncio.shield(opening)

    async def _find(self, key: MatchKey) -> WatchedMatch:
        match = await run_in_threadpool(self._load, *key)
        table = WatchedMatch(match)
        if not table.over:
            await self._catch_up(table)
            self._tables[key] = table
            self._some.set()
        return table

    async def _catch_up(self, table: WatchedMatch) -> None:
        """Read what has been shown of the match so far, and ask for the rest."""
        match = table.running.match.id
        try:
            await live_steps.want(self._client, (match,))
            found = await live_steps.read(self._client, {match: table.position}, block_ms=1)
        except (RedisError, OSError):
            return
        self._take({match: table}, found)

    async def _read_on(self) -> None:
        while not self._closing:
            followed = {table.running.match.id: table for table in self._tables.values() if not table.over}
            if not followed:
                self._some.clear()
                await self._some.wait()
                continue
            try:
                positions = {match: table.position for match, table in followed.items()}
                self._take(followed, await live_steps.read(self._client, positions, _BLOCK_MS))
                await asyncio.sleep(_PAUSE_S)
            except (RedisError, OSError) as error:
                _log.warning("Redis is away, live tables wait: %s", error)
                await asyncio.sleep(_AWAY_S)
            except Exception as error:  # noqa: BLE001 - else no live table would move again
                self._errors.report("reading live tables", error)
                await asyncio.sleep(_AWAY_S)

    @staticmethod
    def _take(followed: dict[str, WatchedMatch], found: dict[str, tuple[str, tuple[bytes, ...]]]) -> None:
        for match, (position, frames) in found.items():
            table = followed[match]
            table.position = position
            table.take(frames)

    async def _renew_requests(self) -> None:
        """Repeat the wishes, and look into the store for what Redis may have lost."""
        while not self._closing:
            await asyncio.sleep(_WISH_EVERY_S)
            self._tables = {key: table for key, table in self._tables.items() if table.watchers}
            followed = {key: table for key, table in self._tables.items() if not table.over}
            try:
                await live_steps.want(self._client, [table.running.match.id for table in followed.values()])
            except (RedisError, OSError) as error:
                _log.debug("Redis is away, nothing can be wished: %s", error)
            except Exception as error:  # noqa: BLE001 - whatever it is
                self._errors.report("wishing for live tables", error)
            for key, table in followed.items():
                with self._errors.survive("looking up a live match"):
                    await self._look(key, table)

    async def _look(self, key: MatchKey, table: WatchedMatch) -> None:
        try:
            found = await run_in_threadpool(self._load, *key)
        except ArenaError as error:
            _log.warning("match %s cannot be looked up: %s", table.running.match.id, error)
            return
        if (found.over or found.id != table.running.match.id) and not table.over:
            table.over = True
            table.tell()
