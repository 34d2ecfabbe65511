"""Storing what a referee reports, as it arrives.

Results are written in a thread, one after the other, so that the event loop goes on reading; whatever came meanwhile is
the next batch.  Events about them go out a few times a second at most, together.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from arena.play.reports import Failed, Finished
from arena.queue.events import Event, EventKind, publish, tournament_stream
from arena.services import results
from arena.services.results import RecordMismatch

if TYPE_CHECKING:
    from arena.services.blocks import Block, BlockMatch
    from workers.context import Context

_log = logging.getLogger(__name__)

_EVENTS_EVERY_S = 0.2


class Storing:
    """Takes the reports of one pass over a block.  Close it, and all that came is stored."""

    def __init__(self, context: Context, block: Block) -> None:
        self.failures = 0
        """Matches that the platform failed, or whose record was none: they are played again."""
        self._context = context
        self._block = block
        self._matches: Mapping[str, BlockMatch] = {match.id: match for match in block.matches}
        self._arrived: asyncio.Queue[Finished | Failed | None] = asyncio.Queue()
        self._events: list[Event] = []
        self._published_at = 0.0
        self._writer = asyncio.create_task(self._write())

    def take(self, report: Finished | Failed) -> None:
        """Have a report stored soon."""
        self._arrived.put_nowait(report)

    async def close(self) -> None:
        """Wait until all is stored.  Raises what went wrong with that."""
        self._arrived.put_nowait(None)
        await self._writer

    async def _write(self) -> None:
        more = True
        while more:
            batch = [await self._arrived.get()]
            while not self._arrived.empty():
                batch.append(self._arrived.get_nowait())
            reports = [report for report in batch if report is not None]
            more = len(reports) == len(batch)
            await asyncio.to_thread(self._store, reports, last=not more)

    def _store(self, reports: list[Finished | Failed], *, last: bool) -> None:
        for report in reports:
            match = self._matches[report.match]
            if isinstance(report, Finished) and self._add(match, report.text):
                self._events.append(Event(EventKind.RESULT, {"set": match.set, "match": match.match}))
            elif isinstance(report, Failed):
                self._fail(match, report.reason)
        if self._events and (last or time.monotonic() - self._published_at >= _EVENTS_EVERY_S):
            publish(self._context.client, tournament_stream(self._block.tournament_id), *self._events)
            self._events.clear()
            self._published_at = time.monotonic()

    def _add(self, match: BlockMatch, record: str) -> bool:
        store, tournament = self._context.store, self._block.tournament_id
        try:
            return results.add(store, tournament, match.set, match.match, match.attempt, record)
        except RecordMismatch as error:
            self._fail(match, str(error))
            return False

    def _fail(self, match: BlockMatch, reason: str) -> None:
        self.failures += 1
        store, tournament = self._context.store, self._block.tournament_id
        annulled = results.failed(store, tournament, match.set, match.match, match.attempt, reason)
        _log.warning(
            "tournament %d, set %d, match %d: the platform failed it, it is %s: %s",
            tournament,
            match.set,
            match.match,
            "annulled" if annulled else "played again",
            reason,
        )
