"""The lobby: which matches are being played now, and a few of them drawn, for all pages that look at /live/tables.

    workers' tables in Redis ──twice a second──▶ Lobby ──▶ rows, and the shown tables' boards ──▶ page, page, page …

It reads Redis only while a page is connected.  The page does not jump: a card stays where it is when its match is over, until
another match takes its place, if possible one of the same game, since boards of one game have one height.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from redis.exceptions import RedisError
from starlette.concurrency import run_in_threadpool

from arena.core.errors import ArenaError
from arena.core.unforeseen_errors import UnforeseenErrors
from arena.messaging import live_steps
from arena.web.live.match_hub import Drawings, Drawn, MatchKey

if TYPE_CHECKING:
    import redis.asyncio

    from arena.messaging.live_steps import RunningMatch
    from arena.reports.live_matches import LiveMatchRow
    from arena.web.live.match_hub import LiveMatchHub, WatchedMatch

_log = logging.getLogger(__name__)

MAX_SHOWN = 6
"""Tables whose boards are drawn."""
_EVERY_S = 0.5
_LINGERS_S = 3.0
"""Time for which a card shows the end of its match before another match of the same game takes its place."""
_OTHER_GAME_S = 15.0
"""The same before a match of another game does."""
_KNOWN = 2000
"""Rows that are remembered, so that each is looked up once."""


@dataclass(slots=True, eq=False)
class LobbyBoard:
    """A table whose board is drawn; `changed` is the lobby's version when it last looked different."""

    row: LiveMatchRow
    table: WatchedMatch
    stack: AsyncExitStack
    changed: int
    drawn: int = -1
    over_at: float | None = None

    def is_free(self, game: str, now: float) -> bool:
        """Return whether a match of a game may take this card's place."""
        waits_s = _LINGERS_S if game == self.row.game else _OTHER_GAME_S
        return self.over_at is not None and now - self.over_at >= waits_s


@dataclass(slots=True)
class LobbyHub:
    """One for a process.  `describe` returns the public descriptions of matches; it is called in a thread."""

    client: redis.asyncio.Redis
    watching: LiveMatchHub
    describe: Callable[[Iterable[RunningMatch]], tuple[LiveMatchRow, ...]]
    rows: tuple[LiveMatchRow, ...] = ()
    shown: list[LobbyBoard] = field(default_factory=list)
    version: int = 0
    _known: dict[str, LiveMatchRow] = field(default_factory=dict)
    _drawings: Drawings = field(default_factory=Drawings)
    _seen_at: float = 0.0
    _visitors: int = 0
    _some: asyncio.Event = field(default_factory=asyncio.Event)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _closing: bool = False
    _errors: UnforeseenErrors = field(default_factory=lambda: UnforeseenErrors(_log))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Look for as long as the block lasts."""
        looking = asyncio.create_task(self._look_on())
        try:
            yield
        finally:
            self._closing = True
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)

    @asynccontextmanager
    async def visit(self) -> AsyncIterator[None]:
        """Keep the lobby up to date for as long as the block lasts."""
        self._visitors += 1
        self._some.set()
        try:
            yield
        finally:
            self._visitors -= 1

    async def changed(self, version: int) -> None:
        """Wait until there is something else to see than at a version."""
        while self.version <= version:
            await self._changed.wait()

    def drawn(self, key: tuple[object, ...], draw: Callable[[], Drawn]) -> Drawn:
        """Draw something of this version once for all pages; `key` says what."""
        return self._drawings.drawn(self.version, key, draw)

    async def now(self) -> tuple[LiveMatchRow, ...]:
        """List the tables now; none while Redis is away."""
        try:
            played = await live_steps.playing(self.client)
        except (RedisError, OSError):
            return ()
        return (await self._described(played))[1]

    async def _look_on(self) -> None:
        while not self._closing:
            try:
                if not self._visitors:
                    await self._clear()
                    self._some.clear()
                    await self._some.wait()
                await self._look()
            except (RedisError, OSError) as error:
                _log.debug("Redis is away, no tables are seen: %s", error)
            except ArenaError as error:
                _log.warning("the tables cannot be described now: %s", error)
            except Exception as error:  # noqa: BLE001 - else the list of tables would stand still
                self._errors.report("looking at the tables", error)
            await asyncio.sleep(_EVERY_S)

    async def _look(self) -> None:
        await live_steps.want(self.client, (live_steps.ANY,))
        played = await live_steps.playing(self.client)
        followed, rows = await self._described(played)
        rows = self._linger(rows)
        version = self.version + 1
        changed = rows != self.rows
        self.rows = rows
        changed |= await self._mark_finished(rows, version)
        known = {shown.row.id for shown in self.shown}
        candidates = [row for row in rows if row.live and row.id not in known]
        for row in sorted(candidates, key=lambda row: row.id not in followed):
            place = self._place(row.game)
            if place is not None:
                changed |= await self._show(row, place, version)
        for shown in self.shown:
            if shown.drawn != shown.table.version:
                shown.drawn, shown.changed = shown.table.version, version
                changed = True
        if changed:
            self.version = version
            event, self._changed = self._changed, asyncio.Event()
            event.set()

    def _linger(self, rows: tuple[LiveMatchRow, ...]) -> tuple[LiveMatchRow, ...]:
        """Keep what was seen a moment ago where nothing is seen: between two quick matches there is none."""
        now = time.monotonic()
        if rows:
            self._seen_at = now
        return rows or (self.rows if now - self._seen_at < _LINGERS_S else ())

    async def _described(
        self, played: tuple[RunningMatch, ...]
    ) -> tuple[frozenset[str], tuple[LiveMatchRow, ...]]:
        """Return the matches whose steps are shown in any case, and the rows."""
        new = [table for table in played if table.match not in self._known]
        if new:
            described = await run_in_threadpool(self.describe, new)
            kept = self._known if len(self._known) < _KNOWN else {}
            self._known = kept | {row.id: row for row in described}
        rows = tuple(row for table in played if (row := self._known.get(table.match)) is not None)
        return frozenset(table.match for table in played if table.followed), rows

    def _place(self, game: str) -> int | None:
        """Return the index of the card that a match of a game may take, None if there is none."""
        if len(self.shown) < MAX_SHOWN:
            return len(self.shown)
        now = time.monotonic()
        free = [index for index, shown in enumerate(self.shown) if shown.is_free(game, now)]
        return min(free, key=lambda index: self.shown[index].row.game != game, default=None)

    async def _show(self, row: LiveMatchRow, place: int, version: int) -> bool:
        stack = AsyncExitStack()
        try:
            key = MatchKey(row.tournament_id, row.set, row.match)
            table = await stack.enter_async_context(self.watching.watch(key))
        except ArenaError as error:
            _log.debug("match %s cannot be shown: %s", row.id, error)
            return False
        if table.over and not table.running.begun:
            await stack.aclose()
            return False
        self.shown[place : place + 1] = [LobbyBoard(row, table, stack, version, table.version)]
        return True

    async def _mark_finished(self, rows: tuple[LiveMatchRow, ...], version: int) -> bool:
        """Mark the matches that are over, and stop following those whose end is known or does not come."""
        now, here = time.monotonic(), {row.id for row in rows}
        changed = False
        for shown in self.shown:
            if shown.over_at is None and (shown.table.over or shown.row.id not in here):
                shown.over_at, shown.changed = now, version
                changed = True
            if shown.over_at is not None and (shown.table.over or now - shown.over_at >= _OTHER_GAME_S):
                await shown.stack.aclose()
        begun = [shown for shown in self.shown if shown.over_at is None or shown.table.running.begun]
        changed |= len(begun) < len(self.shown)
        self.shown = begun
        return changed

    async def _clear(self) -> None:
        """Stop following all matches; boards of finished ones stay for the next page."""
        for shown in self.shown:
            await shown.stack.aclose()
        self.shown = [shown for shown in self.shown if shown.over_at is not None]
        self.rows = ()
