"""A job that plays blocks one after the other, for some seconds.

Where a tournament goes on, the next block is claimed when few matches of the one before still run.  Else the bots would have
ever less to play at the end of each block, and nothing between two.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING

from arena.competition.matches import blocks
from arena.competition.matches.block_order import Turn
from arena.messaging.job_queue import drop_hint
from arena.referee_client.kept_connection import KeptConnection
from workers.block_runner import LEASE_S, BlockRun, wait_for_referee

if TYPE_CHECKING:
    from arena.competition.matches.blocks import Block
    from workers.context import Context

_JOB_S = 5.0
"""Seconds for which a job goes on with further blocks, unless a tournament ends; ratings, which come before blocks, wait as long."""


async def play_for_a_while(context: Context) -> bool:
    """Play the blocks that are due first, for some seconds; return False if none was free or no referee answered.

    Blocks of quick bots last half a second: with a job, an event loop and connections for each, a worker took 6 % more of a core.
    A tournament that ends also ends the job, since the Elo tables of what was played are queued at its end.
    """
    job = _BlocksJob(context)
    context.interrupted_by(partial(_set_threadsafe, asyncio.get_running_loop(), job.stop))
    measuring = asyncio.create_task(context.metrics.lag.run())
    try:
        return await wait_for_referee(context) is not None and await job.run()
    finally:
        context.interrupted_by(None)
        measuring.cancel()
        await asyncio.gather(measuring, return_exceptions=True)
        await context.queue_ratings()


class _BlocksJob:
    """One job.  Two blocks at most are played at a time, each over a connection of its own: a block that fails closes it."""

    def __init__(self, context: Context) -> None:
        self.stop = asyncio.Event()
        """Set on SIGTERM: the blocks are given back at once."""
        self._context = context
        self._until = time.monotonic() + _JOB_S
        self._turn = asyncio.Lock()
        """Held from the claim of a block until few of its matches still run."""
        self._latest: asyncio.Task[None] | None = None
        """The block that was claimed last."""
        self._is_over = False

    async def run(self) -> bool:
        """Play until the time is over, no block is free, or one failed; return whether any was played.

        If the platform fails a block, the other is played to its end.  Raises the first error.
        """
        ends = await asyncio.gather(self._play_in_turn(), self._play_in_turn(), return_exceptions=True)
        for error in ends:
            if error is not None:
                raise error
        return self._latest is not None

    async def _play_in_turn(self) -> None:
        """Play every other block."""
        async with KeptConnection() as connection:
            while True:
                async with self._turn:
                    block = await self._claim_next()
                    if block is None:
                        return
                    run = BlockRun(self._context, connection, block, self.stop)
                    playing = self._latest = asyncio.create_task(self._play(run))
                    await run.few_left.wait()
                await playing

    async def _play(self, run: BlockRun) -> None:
        """Play a block; the job is over if it failed or no referee answers."""
        answered = False
        try:
            answered = await run.play()
        finally:
            self._is_over = self._is_over or not answered

    async def _claim_next(self) -> Block | None:
        """Claim a block of the same tournament at once, if it is due first; else the one that is when the last is over."""
        if self._latest is not None and not self._latest.done():
            block = await self._claim(goes_on=True)
            if block is not None:
                return block
            await asyncio.wait({self._latest})
        return await self._claim()

    async def _claim(self, *, goes_on: bool = False) -> Block | None:
        """Claim the block that is due first; None if none is, or the job is over."""
        context = self._context
        is_first = self._latest is None
        if not is_first and not await self._may_go_on():
            self._is_over = True
        if self._is_over or context.stopping:
            return None
        block = await asyncio.to_thread(
            blocks.claim, context.store, context.name, LEASE_S, turn=_turn(context), goes_on=goes_on
        )
        if block is None:
            self._is_over = self._is_over or not goes_on
            return None
        if not is_first:  # the hint of the first is this job
            context.courier.post(partial(drop_hint, tournament_id=block.tournament_id, number=block.number))
        if context.playing is None or context.playing[0] != block.tournament_id:
            context.playing = block.tournament_id, time.monotonic()
        return block

    async def _may_go_on(self) -> bool:
        """Return whether there is time for a further block, and a referee."""
        if time.monotonic() >= self._until or self._context.ratings_are_final:
            return False
        return not self._context.referees.due or await wait_for_referee(self._context) is not None


def _turn(context: Context) -> Turn | None:
    """Return what the worker plays already, and for how long."""
    if context.playing is None:
        return None
    tournament_id, since_s = context.playing
    return Turn(tournament_id, time.monotonic() - since_s)


def _set_threadsafe(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    loop.call_soon_threadsafe(event.set)
