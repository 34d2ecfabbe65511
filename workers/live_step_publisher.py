"""Publishing the matches of a block while they are played: their list, and the steps of those that are watched.

    reports ──▶ running matches ──every half second──▶ Redis ──▶ wanted matches ──▶ Watch ──▶ frames ──▶ Redis

Without spectators this costs one small round trip to Redis every half second, and nothing at the referee.
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
"""The most matches of a block whose steps are published at once."""
_MAX_DRAIN_S = 1.0
"""Seconds that the last steps of a block may take after its last report."""
_MAX_FOLLOWED_UNNAMED = 4
"""The most matches of a block whose steps are published when any match is wanted."""


class LiveStepPublisher:
    """Publishes the matches of one pass over a block."""

    def __init__(self, context: Context, block: Block, referee: Referee) -> None:
        self._courier = context.courier
        self._name = f"{context.name}/{block.tournament_id}/{block.number}"
        self._referee = referee
        self._tournament_id = block.tournament_id
        self._matches = {match.id: match for match in block.matches}
        self._running: dict[str, RunningMatch] = {}
        self._followed: dict[str, asyncio.Task[None]] = {}
        self._wanted: frozenset[str] = frozenset()
        self._ended: set[str] = set()
        self._is_published = False

    def take(self, report: Report) -> None:
        """Record that a match has begun or ended."""
        if isinstance(report, Started):
            match = self._matches[report.match]
            self._running[match.id] = RunningMatch(
                match.id, self._tournament_id, match.set, match.match, match.attempt, time.time()
            )
            self._follow_wanted()  # a match of quick bots is over before it can be asked for by its id
        else:
            self._running.pop(report.match, None)
            self._forget(report.match)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Publish while the context lasts."""
        publishing = asyncio.create_task(self._publish_running())
        try:
            yield
        finally:
            publishing.cancel()
            tasks = tuple(self._followed.values())
            if tasks and not self._running:
                await asyncio.wait(tasks, timeout=_MAX_DRAIN_S)
            for task in tasks:
                task.cancel()
            await asyncio.gather(publishing, *tasks, return_exceptions=True)
            if self._is_published:
                await self._exchange(())

    async def _publish_running(self) -> None:
        while True:
            playing = tuple(
                replace(running, followed=True) if match in self._followed else running
                for match, running in self._running.items()
            )
            self._wanted = await self._exchange(playing)
            if live_steps.ANY not in self._wanted:
                for match in self._followed.keys() - self._wanted:
                    self._followed.pop(match).cancel()
            self._follow_wanted()
            await asyncio.sleep(_EVERY_S)

    def _follow_wanted(self) -> None:
        """Follow the matches that are wanted by name, and, if any match is wanted, some more."""
        if not self._wanted:
            return
        named = self._wanted & self._running.keys()
        others = self._running if live_steps.ANY in self._wanted else ()
        for names, max_count in ((named, _MAX_FOLLOWED), (others, _MAX_FOLLOWED_UNNAMED)):
            for match in names:
                if match not in self._followed and len(self._followed) < max_count:
                    self._followed[match] = asyncio.create_task(self._follow(match))

    async def _exchange(self, playing: tuple[RunningMatch, ...]) -> frozenset[str]:
        """Publish the running matches; return the wanted ones, none while Redis does not answer."""
        wanted = await self._courier.ask(lambda client: live_steps.show(client, self._name, playing))
        self._is_published = bool(playing) and wanted is not None
        return wanted or frozenset()

    async def _follow(self, match: str) -> None:
        """Publish the steps of a match to its end; from its start again if Redis has lost some."""
        try:
            while not await self._publish_all(match):  # noqa: ASYNC110 - Redis being back raises no event
                await asyncio.sleep(_EVERY_S)
        except RefereeUnreachable:
            return  # the match will be played and published again
        finally:
            self._ended.add(match)
            self._forget(match)

    def _forget(self, match: str) -> None:
        """Forget a match once both its report and its last step have come, in either order."""
        if match not in self._running and match in self._ended:
            self._followed.pop(match, None)
            self._ended.discard(match)

    async def _publish_all(self, match: str) -> bool:
        """Publish the steps from the start to the end; return False as soon as Redis does not have all of them."""
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
    """Return the frame of some steps, without those that follow from the seed."""
    steps = tuple(each for each in watched.steps if isinstance(each.step, Played | Said))
    return Frame(steps, watched.talks or None)


def _ended(outcome: Outcome) -> EndedMatch:
    return EndedMatch(outcome.places, outcome.scores, outcome.end)
