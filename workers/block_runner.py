"""Playing a block: claim it, have a referee play what has no result, store the results, give it back.

    claim ──▶ orders ──▶ reports ──▶ results ──▶ claim what is left ──▶ … ──▶ finish
                 lease renewed all the while; lost, or told to stop: the referee's matches end

What is left after a pass is what the platform failed, or all that a referee took with it when it died: the next claim
says what that is, and which attempt it is of.  Where the bots of the rest are not there, the block is given back and
rests for a while (arena/competition/matches/absences.py): no worker waits for anybody.  Where no referee answers for some seconds,
the block is given back for others to play.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.exc import DBAPIError

from arena.competition import stages
from arena.competition.matches import absences, blocks
from arena.competition.matches.blocks import BlockKey
from arena.messaging.progress_events import Event, EventKind, tournament_stream
from arena.referee_client import Order, OrderRefused, Referee, RefereeUnreachable, SeatOrder
from arena.storage.schema import Tournament
from arena.storage.transient_errors import is_transient
from workers.database_retries import retry
from workers.live_step_publisher import LiveStepPublisher
from workers.result_writer import ResultWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from arena.competition.matches.blocks import Block
    from arena.match.clock import TimeControl
    from arena.storage import Store
    from workers.context import Context

T = TypeVar("T")

_log = logging.getLogger(__name__)

LEASE_S = 4.0
"""How long a block stays with a worker that was killed."""
_RENEW_S = 1.0
_REFEREE_AWAY_S = 0.3
"""The first pause after a referee was lost; each one without any report in between is twice as long."""
_PATIENCE_S = 3.0
"""How long a block stays with a worker that has no referee: about as long as one takes to be started again."""
_MAX_LOSSES = 5
"""A referee that answers and then loses every match it is given, so often in a row, is as good as none."""
_REFUSED_S = 2.0
_REFUSALS = 3
"""A referee that has not yet noticed that a worker died refuses the same match from another for a moment."""
_MAX_DECISIONS = 500
_MAX_LINES = 100
"""More than any seat has in a match: with them, a time control says how long a match may last."""
_SPARE_S = 120.0


async def play(context: Context) -> bool:
    """Play the block that is due first; False if none is to be had, or no referee."""
    if not await wait_for_referee(context):
        return False
    block = await asyncio.to_thread(blocks.claim, context.store, context.name, LEASE_S)
    if block is None:
        return False
    key = BlockKey(block.tournament_id, block.number)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    context.interrupted_by(partial(_set_from_outside, loop, stop))
    playing = asyncio.create_task(_play(context, key, block))
    others = {asyncio.create_task(_hold(context, key)), asyncio.create_task(stop.wait())}
    try:
        done, _ = await asyncio.wait(
            {playing, *others}, timeout=time_limit_s(block), return_when=asyncio.FIRST_COMPLETED
        )
        if not done:
            _log.error("block %d of tournament %d: over its time", key.number, key.tournament_id)
    finally:
        context.interrupted_by(None)
        for task in (playing, *others):
            task.cancel()
        await asyncio.gather(playing, *others, return_exceptions=True)
    if not playing.cancelled():
        try:
            pause_s = playing.result()
        except RefereeUnreachable:
            _log.info("block %d of tournament %d: given back for others", key.number, key.tournament_id)
            await _stored(context, partial(blocks.abandon, context.store, key, context.name))
            return False
        await _stored(context, partial(_give_back, context, key, block, pause_s))
    elif all(seat.hosted for match in block.matches for seat in match.seats):
        await _stored(context, partial(_give_back, context, key, block, None))
    # Otherwise the lease runs out by itself: then it counts as begun what bots from elsewhere may have seen of a deal.
    return True


async def _stored(context: Context, deed: Callable[[], T]) -> T:
    """Do something with the store in a thread, again where it fails for a reason that passes."""
    return await asyncio.to_thread(retry, context, deed)


async def wait_for_referee(context: Context) -> str | None:
    """Return the address of a referee that answers, None if there is none.

    Where there was none for a time, absences begin anew: no bot could be connected.
    """
    was_missing = context.referees.missing
    found = await context.referees.find()
    if was_missing != context.referees.missing:
        await _stored(context, partial(absences.forget, context.store))
    return found


def time_limit_s(block: Block) -> float:
    """How long a block may take at the very most: all its matches one after the other, each seat using all its time.

    It is doubled for those of other blocks that share the referee: a limit for what hangs, not for what is slow.
    """
    seats = sum(len(match.seats) for match in block.matches)
    return _SPARE_S + 2 * seats * _longest_s(block.time)


def _longest_s(control: TimeControl) -> float:
    return control.longest_ms(_MAX_DECISIONS, _MAX_LINES) / 1000


def _set_from_outside(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    loop.call_soon_threadsafe(event.set)


async def _hold(context: Context, key: BlockKey) -> None:
    """Renew the lease; ends when it is lost."""
    held = True
    while held:
        await asyncio.sleep(_RENEW_S)
        try:
            held = await asyncio.to_thread(blocks.renew, context.store, key, context.name, LEASE_S)
        except DBAPIError as error:
            # It may have run out when the database is back; whether another has taken the block is seen then.
            if not is_transient(error):
                raise
            context.lose_database(error)
        context.pulse()
    _log.warning("block %d of tournament %d: another worker has it now", key.number, key.tournament_id)


async def _play(context: Context, key: BlockKey, first: Block) -> float | None:
    """Play until nothing is left: then None; or nothing that can be played now: then for how long to let it rest.

    Raises RefereeUnreachable when there is no referee for it.
    """
    block: Block | None = first
    refusals = losses = 0
    while block is not None:
        left = len(block.matches)
        try:
            again, pause_s = await _pass(context, block)
        except RefereeUnreachable as error:
            losses += 1
            context.referees.lost(error)
            await _stored(context, partial(absences.forget, context.store))
            if losses == _MAX_LOSSES or not await _await_referee(context, losses):
                raise
        except OrderRefused:
            refusals += 1
            if refusals == _REFUSALS:
                raise
            await asyncio.sleep(_REFUSED_S)
        else:
            if not again:
                return pause_s
        block = await _stored(context, partial(blocks.claim, context.store, context.name, LEASE_S, key))
        losses = losses if block is not None and len(block.matches) == left else 0
    return None


async def _await_referee(context: Context, losses: int) -> bool:
    """Wait some seconds for a referee that answers; False if none does."""
    until = time.monotonic() + _PATIENCE_S
    while True:
        await asyncio.sleep(min(_REFEREE_AWAY_S * 2 ** (losses - 1), _PATIENCE_S))
        if await wait_for_referee(context):
            return True
        if time.monotonic() >= until:
            return False


async def _pass(context: Context, block: Block) -> tuple[bool, float | None]:
    """Have all matches of a block played once.

    Gives whether some have to be played again, and for how many seconds to let the block rest if some have to wait for
    a bot.  Raises RefereeUnreachable and OrderRefused; what came before that is stored.
    """
    storing = ResultWriter(context, block)
    began = time.monotonic()
    try:
        async with Referee(context.referees.in_use) as referee:
            showing = LiveStepPublisher(context, block, referee)
            async with showing.running():
                async for report in referee.play(_orders(block)):
                    storing.take(report)
                    showing.take(report)
    finally:
        await storing.close()
    pause_s = None
    if storing.left_s is not None:
        looked_s = 0.0 if storing.began else time.monotonic() - began
        pause_s = await _stored(
            context,
            partial(absences.pause_s, context.store, left_s=storing.left_s, looked_s=looked_s),
        )
    return storing.failures > 0, pause_s


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


def _give_back(context: Context, key: BlockKey, block: Block, pause_s: float | None) -> None:
    if pause_s is not None:
        # Of the Elo table of what was played meanwhile the reconciler takes care.
        blocks.postpone(context.store, key, context.name, pause_s)
        return
    blocks.finish(context.store, key, context.name)
    state = _state(context.store, key.tournament_id)
    if state in stages.OVER:
        event = Event(EventKind.STATE, {"state": state})
        context.publish(tournament_stream(key.tournament_id), event)
    if block.pool is not None:
        context.want_ratings(block.pool)


def _state(store: Store, tournament_id: int) -> str:
    with store.read() as session:
        return session.get_one(Tournament, tournament_id).state
