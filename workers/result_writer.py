"""Storing the reports of a referee as they arrive.

Results are written in a thread, in batches of one transaction each, four a second at most: those that arrive meanwhile are
the next batch, and the event loop keeps reading.  Events about them are published together, a few times a second at most.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from arena.bundle_format.bundle import sha256_of
from arena.competition import settlement
from arena.competition.matches import absences
from arena.competition.matches.outcomes import RecordMismatch
from arena.competition.matches.results import Arrival, Output
from arena.messaging.progress_events import Event, EventKind, tournament_stream
from arena.referee_client.orders import Hosted
from arena.referee_client.reports import Failed, Finished, Postponed, Started
from workers.database_retries import retry

if TYPE_CHECKING:
    from arena.competition.matches.blocks import Block, BlockMatch
    from arena.referee_client.reports import Report
    from workers.context import Context

_log = logging.getLogger(__name__)

_EVENTS_EVERY_S = 0.2
_WRITE_EVERY_S = 0.25
"""A transaction costs the store as much as several results: quick matches would be written one by one."""


class ResultWriter:
    """Stores the reports of one pass over a block.  `close` waits until all are stored."""

    def __init__(self, context: Context, block: Block) -> None:
        self.failures = 0
        """The number of matches that the platform failed, or that had an invalid record: they are played again."""
        self.began = False
        """Whether a match has begun, or has ended by forfeit."""
        self.left_s: float | None = None
        """If matches have to wait for a bot: after how many seconds of uptime the first of them is a forfeit."""
        self._context = context
        self._block = block
        self._matches: Mapping[str, BlockMatch] = {match.id: match for match in block.matches}
        self._all_hosted = all(seat.hosted for match in block.matches for seat in match.seats)
        self._arrived: asyncio.Queue[Report | None] = asyncio.Queue()
        self._events: list[Event] = []
        self._published_at = self._written_at = 0.0
        self._closing = asyncio.Event()
        self._writer = asyncio.create_task(self._write())

    def take(self, report: Report) -> None:
        """Queue a report to be stored; starts of matches are ignored where all bots are hosted and so cannot be absent."""
        if not (self._all_hosted and isinstance(report, Started)):
            self._arrived.put_nowait(report)

    async def close(self) -> None:
        """Wait until all reports are stored.  Raises the error of a write."""
        self._closing.set()
        self._arrived.put_nowait(None)
        await self._writer

    async def _write(self) -> None:
        more = True
        while more:
            batch = [await self._arrived.get()]
            with suppress(TimeoutError):
                async with asyncio.timeout_at(self._written_at + _WRITE_EVERY_S):
                    await self._closing.wait()
            self._written_at = asyncio.get_running_loop().time()
            while not self._arrived.empty():
                batch.append(self._arrived.get_nowait())
            reports = [report for report in batch if report is not None]
            more = len(reports) == len(batch)
            await asyncio.to_thread(self._store, reports, last=not more)

    def _store(self, reports: list[Report], *, last: bool) -> None:
        postponed = [report for report in reports if isinstance(report, Postponed)]
        retry(self._context, partial(self._clear, reports))
        finished = [report for report in reports if isinstance(report, Finished)]
        if finished:
            with self._context.metrics.store_seconds.time():
                retry(self._context, partial(self._add, [self._arrival(report) for report in finished]))
        for report in reports:
            if isinstance(report, Failed):
                retry(self._context, partial(self._fail, self._matches[report.match], report.reason))
        if postponed:
            retry(self._context, partial(self._postpone, postponed))
        if self._events and (last or time.monotonic() - self._published_at >= _EVENTS_EVERY_S):
            self._context.publish(tournament_stream(self._block.tournament_id), *self._events)
            self._events.clear()
            self._published_at = time.monotonic()

    def _clear(self, reports: Sequence[Report]) -> None:
        """End the absences of bots that were present: all in a match that began, those before the missing seat in another."""
        present: set[int] = set()
        for report in reports:
            seats = self._matches[report.match].seats
            if isinstance(report, Started):
                self.began = True
                present |= {seat.version_id for seat in seats if not seat.hosted}
            elif isinstance(report, Postponed):
                present |= {seat.version_id for seat in seats[: report.seat] if not seat.hosted}
        if present:
            absences.clear(self._context.store, self._block.tournament_id, present)

    def _postpone(self, reports: Sequence[Postponed]) -> None:
        """Postpone matches whose bots are absent; those that have waited for the limit are forfeited.

        A hosted bot is not absent: it does not play the game, and will not the next time.
        """
        limit_s = self._context.absence_s
        missing = {
            report.match: [self._matches[report.match].seats[number] for number in report.missing]
            for report in reports
        }
        absent_s = absences.note(
            self._context.store,
            self._block.tournament_id,
            {seat.version_id for seats in missing.values() for seat in seats if not seat.hosted},
        )
        for report in reports:
            match = self._matches[report.match]
            seat = match.seats[report.seat]
            of_match = {"match": match.id, "bot": seat.bot}
            # The last of them may still come: then it has not lost.
            left_s = max(
                0.0 if each.hosted else limit_s - absent_s[each.version_id] for each in missing[report.match]
            )
            if left_s > 0:
                self.left_s = left_s if self.left_s is None else min(self.left_s, left_s)
                _log.info("match %s waits for %s: %s", report.match, seat.bot, report.reason, extra=of_match)
                continue
            _log.info(
                "match %s is a forfeit of %s: %s", report.match, seat.bot, report.reason, extra=of_match
            )
            self.began = True
            record = absences.forfeit(self._block, match, report.seat, limit_s=limit_s, reason=report.reason)
            self._add([Arrival(match.set, match.match, match.attempt, record, absent=report.missing)])

    def _arrival(self, report: Finished) -> Arrival:
        match = self._matches[report.match]
        outputs = _outputs(report, match)
        notes = {each.seat: each.text for each in report.notes}
        return Arrival(
            match.set,
            match.match,
            match.attempt,
            report.text,
            outputs,
            incident=report.incident,
            notes=notes,
        )

    def _add(self, arrivals: Sequence[Arrival]) -> None:
        """Store results; matches whose record is not the one that was planned are failures."""
        added = settlement.add_results(self._context.store, self._block.tournament_id, arrivals)
        stored = sum(is_added is True for is_added in added)
        self._context.metrics.results_stored.labels(self._block.game).inc(stored)
        self._events += [
            Event(EventKind.RESULT, {"set": arrival.set, "match": arrival.match})
            for arrival, is_added in zip(arrivals, added, strict=True)
            if is_added is True
        ]
        for arrival, mismatch in zip(arrivals, added, strict=True):
            if isinstance(mismatch, RecordMismatch):
                self._fail(arrival, str(mismatch))

    def _fail(self, match: BlockMatch | Arrival, reason: str) -> None:
        store, tournament = self._context.store, self._block.tournament_id
        annulled = settlement.fail_match(store, tournament, match.set, match.match, match.attempt, reason)
        self.failures += 1
        _log.warning(
            "tournament %d, set %d, match %d: the platform failed it, it is %s: %s",
            tournament,
            match.set,
            match.match,
            "annulled" if annulled else "played again",
            reason,
        )


def _outputs(report: Finished, match: BlockMatch) -> dict[int, Output]:
    """Return the output of uploads by seat; that of house bots is not stored."""
    sources = [seat.source for seat in match.seats]
    uploads = {
        seat
        for seat, source in enumerate(sources)
        if isinstance(source, Hosted) and sha256_of(source.program) is not None
    }
    return {each.seat: Output(each.stderr, each.dropped) for each in report.outputs if each.seat in uploads}
