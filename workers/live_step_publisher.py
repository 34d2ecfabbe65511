"""Showing the tables of a block while they are played: which there are, and of those that somebody watches, the steps.

    reports ──▶ tables now playing ──every half second──▶ Redis ──▶ what is wanted ──▶ Watch ──▶ frames ──▶ Redis

Where nobody watches, all it costs is one small round trip to Redis every half second; the referee notices nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from arena.games.kernel import Played, Said
from arena.messaging import live_steps
from arena.messaging.live_steps import EndedMatch, Frame, RunningMatch
from arena.referee_client import RefereeUnreachable
from arena.referee_client.reports import Started

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from arena.competition.matches.blocks import Block
    from arena.referee_client import Outcome, Referee
    from arena.referee_client.control_client import WatchedStep
    from arena.referee_client.reports import Report
    from workers.context import Context

_log = logging.getLogger(__name__)

_EVERY_S = 0.5
_MAX_FOLLOWED = 32
"""Tables of one block whose steps are shown at once, however many are wanted."""
_LAST_WORDS_S = 1.0
"""How long the last steps of a block may take after its last report."""
_ANY = 4
"""Tables of one block whose steps are shown where any are wanted."""


class LiveStepPublisher:
    """Shows the tables of one pass over a block."""

    def __init__(self, context: Context, block: Block, referee: Referee) -> None:
        self._courier = context.courier
        self._worker = context.name
        self._referee = referee
        self._tournament_id = block.tournament_id
        self._matches = {match.id: match for match in block.matches}
        self._tables: dict[str, RunningMatch] = {}
        self._followed: dict[str, asyncio.Task[None]] = {}
        self._wanted: frozenset[str] = frozenset()
        self._ended: set[str] = set()
        self._shown = False

    def take(self, report: Report) -> None:
        """Take note of a match that begins, or ends."""
        if isinstance(report, Started):
            match = self._matches[report.match]
            self._tables[match.id] = RunningMatch(
                match.id, self._tournament_id, match.set, match.match, match.attempt, time.time()
            )
            self._follow_wanted()  # quick bots are done before anybody could ask for a match by its id
        else:
            self._tables.pop(report.match, None)
            self._forget(report.match)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Show for as long as the block lasts."""
        showing = asyncio.create_task(self._show_on())
        try:
            yield
        finally:
            showing.cancel()
            tasks = tuple(self._followed.values())
            if tasks and not self._tables:
                await asyncio.wait(tasks, timeout=_LAST_WORDS_S)
            for task in tasks:
                task.cancel()
            await asyncio.gather(showing, *tasks, return_exceptions=True)
            if self._shown:
                await self._show(())

    async def _show_on(self) -> None:
        while True:
            playing = tuple(
                replace(table, followed=match in self._followed) for match, table in self._tables.items()
            )
            self._wanted = await self._show(playing)
            if live_steps.ANY not in self._wanted:
                for match in self._followed.keys() - self._wanted:
                    self._followed.pop(match).cancel()
            self._follow_wanted()
            await asyncio.sleep(_EVERY_S)

    def _follow_wanted(self) -> None:
        """Follow the tables that are wanted by name, and if any are, so many."""
        if not self._wanted:
            return
        named = self._wanted & self._tables.keys()
        others = self._tables if live_steps.ANY in self._wanted else ()
        for names, most in ((named, _MAX_FOLLOWED), (others, _ANY)):
            for match in names:
                if match not in self._followed and len(self._followed) < most:
                    self._followed[match] = asyncio.create_task(self._follow(match))

    async def _show(self, playing: tuple[RunningMatch, ...]) -> frozenset[str]:
        """Return what is played; gives what is wanted, nothing while Redis is away."""
        wanted = await self._courier.ask(lambda client: live_steps.show(client, self._worker, playing))
        self._shown = bool(playing) and wanted is not None
        return wanted or frozenset()

    async def _follow(self, match: str) -> None:
        """Show the steps of a match to its end; from its start again where Redis has lost some."""
        try:
            while not await self._publish_all(match):  # noqa: ASYNC110 - nothing tells when Redis is back
                await asyncio.sleep(_EVERY_S)
        except RefereeUnreachable:
            return  # the match is played again, and shown again
        finally:
            self._ended.add(match)
            self._forget(match)

    def _forget(self, match: str) -> None:
        """Forget a match of which both the report and the last step have come, in whichever order."""
        if match not in self._tables and match in self._ended:
            self._followed.pop(match, None)
            self._ended.discard(match)

    async def _publish_all(self, match: str) -> bool:
        """Publish the steps from the start to the end; False as soon as Redis does not have all of them."""
        begun, ended = False, EndedMatch()
        async with aclosing(self._referee.watch(match, hidden=True)) as watching:
            async for watched in watching:
                frame = _frame(watched)
                if frame.steps or frame.talks is not None:
                    begun = True
                    if not await self._publish(match, frame):
                        return False
                if watched.outcome is not None:
                    ended = _ended(watched.outcome)
        return not begun or await self._publish(match, Frame(ended=ended))

    async def _publish(self, match: str, frame: Frame) -> bool:
        return bool(await self._courier.ask(lambda client: live_steps.publish(client, match, frame)))


def _frame(watched: WatchedStep) -> Frame:
    """Leave out what follows from the seed."""
    steps = tuple(each for each in watched.steps if isinstance(each.step, Played | Said))
    return Frame(steps, watched.talks or None)


def _ended(outcome: Outcome) -> EndedMatch:
    return EndedMatch(outcome.places, outcome.scores, outcome.end)
