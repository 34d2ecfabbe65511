"""Playing a block: have a referee play what has no result, store the results, give it back.

    claimed ──▶ orders ──▶ reports ──▶ results ──▶ claim the rest ──▶ … ──▶ finish
                   the lease is renewed meanwhile; if it is lost, or on SIGTERM, the referee's matches end

The rest after a pass are the matches that the platform failed, or that ended with a referee that died: the next claim
returns them, with the number of their attempt.  Where the bots of all of them are absent, the block is given back and
rests for a while (arena/competition/matches/absences.py): no worker waits for a bot.  Where no referee answers for some
seconds, the block is given back for other workers.  A referee that drains plays what has begun there to its end; the rest
of the block goes to another one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.exc import DBAPIError
from structlog.contextvars import bound_contextvars

from arena.competition import tournament_states
from arena.competition.matches import absences, blocks
from arena.competition.matches.blocks import BlockKey
from arena.core import request_origin
from arena.messaging.progress_events import Event, EventKind, tournament_stream
from arena.monitoring import tracing
from arena.referee_client import (
    Order,
    OrderRefused,
    RefereeDraining,
    RefereeUnreachable,
    SeatOrder,
)
from arena.referee_client.play_cause import PlayCause
from arena.referee_client.reports import Started
from arena.storage.schema import Tournament
from arena.storage.transient_errors import is_transient
from workers.database_retries import retry
from workers.live_step_publisher import LiveStepPublisher
from workers.result_writer import ResultWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from arena.competition.matches.blocks import Block
    from arena.match.clock import TimeControl
    from arena.referee_client.kept_connection import KeptConnection
    from arena.storage import Store
    from workers.context import Context

T = TypeVar("T")

_log = logging.getLogger(__name__)

LEASE_S = 4.0
"""Seconds for which a killed worker keeps its block."""
_RENEW_S = 1.0
_FIRST_PAUSE_S = 0.3
"""The first pause after a referee was lost; it doubles with each loss until there is a report."""
_MAX_WAIT_S = 3.0
"""Seconds for which a worker without a referee keeps its block: about the time that a referee takes to restart."""
_MAX_LOSSES = 5
"""A referee that answers and then loses all matches this often in a row counts as unreachable."""
_REFUSED_PAUSE_S = 2.0
_MAX_REFUSALS = 3
"""A referee that has not noticed yet that a worker died refuses the same match from another for a moment."""
_MAX_DECISIONS = 500
_MAX_LINES = 100
"""More than any seat has in a match; together with the time control they bound the length of a match."""
_FEW = 1 / 4
"""Which part of a block's matches counts as few."""
_SPARE_S = 120.0
_TRACED_BLOCKS = 8
"""A large tournament has thousands of blocks, more than a trace can show."""


class BlockRun:
    """A block that was claimed, and that is to be played and given back.

    `stop` ends it early.  `few_left` is set when few of its matches still run, and at its end.
    """

    def __init__(
        self, context: Context, connection: KeptConnection, block: Block, stop: asyncio.Event
    ) -> None:
        self.few_left = asyncio.Event()
        self._context = context
        self._connection = connection
        self._block = block
        self._key = BlockKey(block.tournament_id, block.number)
        self._stop = stop

    async def play(self) -> bool:
        """Play it and give it back; return False if no referee answers."""
        block = self._block
        try:
            with (
                request_origin.caused_by(block.request_id),
                bound_contextvars(tournament=block.tournament_id, block=block.number),
                tracing.span(
                    "block",
                    _trace_parent(block),
                    tournament=block.tournament_id,
                    block=block.number,
                    matches=len(block.matches),
                ) as trace_parent,
            ):
                return await self._play_guarded(trace_parent)
        finally:
            self.few_left.set()

    async def _play_guarded(self, trace_parent: str) -> bool:
        """Play it until it is over, its lease is lost, or it is stopped, and give it back; return False if no referee answers."""
        context, key, block = self._context, self._key, self._block
        playing = asyncio.create_task(self._play_all(trace_parent))
        guards = {asyncio.create_task(self._renew_lease()), asyncio.create_task(self._stop.wait())}
        try:
            with context.metrics.held_leases.track_inprogress():
                done, _ = await asyncio.wait(
                    {playing, *guards}, timeout=time_limit_s(block), return_when=asyncio.FIRST_COMPLETED
                )
            if not done:
                _log.error(
                    "block %d of tournament %d: exceeded its time limit", key.number, key.tournament_id
                )
        finally:
            for task in (playing, *guards):
                task.cancel()
            await asyncio.gather(playing, *guards, return_exceptions=True)
        if not playing.cancelled():
            try:
                pause_s = playing.result()
            except RefereeUnreachable:
                _log.info(
                    "block %d of tournament %d: given back for other workers", key.number, key.tournament_id
                )
                await _with_retries(context, partial(blocks.abandon, context.store, key, context.name))
                return False
            await _with_retries(context, partial(self._give_back, pause_s))
        elif all(seat.hosted for match in block.matches for seat in match.seats):
            await _with_retries(context, partial(self._give_back, None))
        else:  # remote bots may have seen the deal, so the matches without result must count as begun
            await _with_retries(context, partial(blocks.abandon, context.store, key, context.name))
        return True

    async def _renew_lease(self) -> None:
        """Renew the lease until it is lost."""
        context, key = self._context, self._key
        held = True
        while held:
            await asyncio.sleep(_RENEW_S)
            try:
                held = await asyncio.to_thread(blocks.renew, context.store, key, context.name, LEASE_S)
            except DBAPIError as error:
                # Once the database is back, the next renewal shows whether the lease has expired.
                if not is_transient(error):
                    raise
                context.lose_database(error)
            context.pulse()
        context.metrics.lost_leases.inc()
        _log.warning(
            "block %d of tournament %d: its lease was lost to another worker", key.number, key.tournament_id
        )

    async def _play_all(self, trace_parent: str) -> float | None:
        """Play until all its matches have results, or those that remain wait for bots.

        Return None, or for how many seconds to let the block rest.  Raises RefereeUnreachable and OrderRefused.
        """
        context, key = self._context, self._key
        block: Block | None = self._block
        refusals = losses = 0
        while block is not None:
            remaining = len(block.matches)
            try:
                again, pause_s = await self._play_pass(block, trace_parent)
            except RefereeDraining as error:
                # Its other matches are played elsewhere; no bot was without a referee, so absences go on.
                context.referees.lost(error)
                if not await _await_referee(context, 1):
                    raise
            except RefereeUnreachable as error:
                losses += 1
                context.referees.lost(error)
                await _with_retries(context, partial(absences.forget, context.store))
                if losses == _MAX_LOSSES or not await _await_referee(context, losses):
                    raise
            except OrderRefused:
                refusals += 1
                if refusals == _MAX_REFUSALS:
                    raise
                await asyncio.sleep(_REFUSED_PAUSE_S)
            else:
                if not again:
                    return pause_s
            block = await _with_retries(
                context, partial(blocks.claim, context.store, context.name, LEASE_S, key)
            )
            losses = losses if block is not None and len(block.matches) == remaining else 0
        return None

    async def _play_pass(self, block: Block, trace_parent: str) -> tuple[bool, float | None]:
        """Play all matches that are left of it once.

        Return whether some have to be played again, and for how many seconds to let the block rest if some have to wait for
        a bot.  Raises RefereeUnreachable and OrderRefused; results that came before are stored.
        """
        context = self._context
        writer = ResultWriter(context, block)
        cause = PlayCause(block.request_id, block.tournament_id, block.number, trace_parent)
        began = time.monotonic()
        left = len(block.matches)
        few = left * _FEW
        try:
            async with self._connection.to(context.referees.in_use) as referee:
                publisher = LiveStepPublisher(context, block, referee)
                async with publisher.running():
                    async for report in referee.play(_orders(block), cause):
                        writer.take(report)
                        publisher.take(report)
                        left -= not isinstance(report, Started)
                        if left <= few:
                            self.few_left.set()
        finally:
            await writer.close()
        pause_s = None
        if writer.left_s is not None:
            looked_s = 0.0 if writer.began else time.monotonic() - began
            pause_s = await _with_retries(
                context,
                partial(absences.pause_s, context.store, left_s=writer.left_s, looked_s=looked_s),
            )
        return writer.failures > 0, pause_s

    def _give_back(self, pause_s: float | None) -> None:
        context, key = self._context, self._key
        if pause_s is not None:
            # The reconciler will refresh the Elo table for the matches played so far.
            blocks.postpone(context.store, key, context.name, pause_s)
            return
        blocks.finish(context.store, key, context.name)
        _log.info("block %d of tournament %d is done", key.number, key.tournament_id)
        state = _state(context.store, key.tournament_id)
        is_over = state in tournament_states.OVER
        if is_over:
            event = Event(EventKind.STATE, {"state": state})
            context.publish(tournament_stream(key.tournament_id), event)
        if self._block.pool is not None:
            context.want_ratings(self._block.pool, final=is_over)


async def wait_for_referee(context: Context) -> str | None:
    """Return the address of a referee that answers, or None.

    After a time without a referee all absences start from zero: no bot could connect.
    """
    was_missing = context.referees.missing
    found = await context.referees.find()
    if was_missing != context.referees.missing:
        await _with_retries(context, partial(absences.forget, context.store))
    return found


async def _await_referee(context: Context, losses: int) -> bool:
    """Wait some seconds for a referee that answers; return False if none does."""
    until = time.monotonic() + _MAX_WAIT_S
    while True:
        await asyncio.sleep(min(_FIRST_PAUSE_S * 2 ** (losses - 1), _MAX_WAIT_S))
        if await wait_for_referee(context):
            return True
        if time.monotonic() >= until:
            return False


async def _with_retries(context: Context, operation: Callable[[], T]) -> T:
    """Run an operation on the store in a thread; it is retried after transient errors."""
    return await asyncio.to_thread(retry, context, operation)


def time_limit_s(block: Block) -> float:
    """Return an upper bound of a block's duration: all its matches in sequence, with all seats using all their time.

    It is doubled since other blocks share the referee: the limit is for a hanging block, not for a slow one.
    """
    seats = sum(len(match.seats) for match in block.matches)
    return _SPARE_S + 2 * seats * _max_duration_s(block.time)


def _max_duration_s(control: TimeControl) -> float:
    return control.longest_ms(_MAX_DECISIONS, _MAX_LINES) / 1000


def _trace_parent(block: Block) -> str:
    """Return the span of the request that the first blocks of a tournament belong to; later ones have traces of their own."""
    return tracing.parent_of(block.request_id) if block.request_id and block.number < _TRACED_BLOCKS else ""


def _orders(block: Block) -> Iterator[Order]:
    for match in block.matches:
        yield Order(
            match=match.id,
            game=block.game,
            variant=block.variant,
            seats=tuple(SeatOrder(seat.bot, seat.version, seat.source) for seat in match.seats),
            seed=match.seed,
            options=block.options,
            time=block.time,
        )


def _state(store: Store, tournament_id: int) -> str:
    with store.read() as session:
        return session.get_one(Tournament, tournament_id).state
