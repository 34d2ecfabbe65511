"""The dispatcher: orders wait until their bots are connected and free, become matches, and end as reports."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence

from arena.bundle_format.bundle import sha256_of
from arena.core.errors import UsageError
from arena.games import registry
from arena.games.chance import SEED_BYTES
from arena.match import seat_notes
from arena.match.faults import FaultKind, SeatFault
from arena.match.forfeit import forfeit
from arena.match.record import Participant, Record, to_json
from arena.match.session import Session
from arena.monitoring import tracing
from arena.net import address
from arena.referee_client.orders import Endpoint, Hosted, Order, Source
from arena.referee_client.reports import Failed, Finished, Postponed, Report, SeatNotesText, Started
from referee.bots.bot_handle import BotHandle
from referee.bots.hosted_bots import HostedBot
from referee.dispatch.explained_timeouts import explain_timeout
from referee.dispatch.live_match import LiveMatch
from referee.dispatch.match_trace import MatchTrace
from referee.dispatch.pending_order import PendingOrder, PlayCall
from referee.launch.process_exit import new_incident
from referee.limits.match_clock import StallAwareClock
from referee.limits.memory_budget import Budget
from referee.limits.referee_limits import RefereeLimits
from referee.metrics.tally import Tally
from referee.wire.handshake import why_not_played

_log = logging.getLogger(__name__)

_MEMORY_CHECK_MS = 500.0
"""The interval at which the machine's memory is checked while idle processes are kept."""


class MatchDispatcher:
    """All orders and all bots of one referee."""

    def __init__(
        self,
        *,
        limits: RefereeLimits,
        budget: Budget,
        clock: StallAwareClock,
        new_bot: Callable[[Source, MatchDispatcher], BotHandle],
        check_program: Callable[[str], None],
    ) -> None:
        self._limits = limits
        self._budget = budget
        self._clock = clock
        self._new_bot = new_bot
        self._check_program = check_program
        self._bots: dict[Source, BotHandle] = {}
        self._orders: dict[str, PendingOrder] = {}
        """All orders that are not done, by the id of their match."""
        self._admission_queue: deque[PendingOrder] = deque()
        """Orders that wait until their hosted processes fit."""
        self._queues: dict[BotHandle, deque[PendingOrder]] = {}
        """Admitted orders that wait for a bot; bots without any have no entry."""
        self._is_closed = False
        self.is_draining = False
        """Whether orders are given back instead of being played."""
        self.on_order_over: Callable[[], None] = lambda: None
        """Called whenever an order is done or was dropped."""
        self._overtakings = 0
        """The number of orders that were admitted since the first of the admission queue was found not to fit."""
        self._reserved: set[HostedBot] = set()
        """Hosted bots that admitted orders need."""
        self._idle: OrderedDict[HostedBot, None] = OrderedDict()
        """Hosted bots that have a process and no order, the one that was used last at the end."""
        self._memory_checked_ms = 0.0
        self.tally = Tally()
        clock.on_tick(self._on_tick)

    # --- calls ----------------------------------------------------------------------------------------------

    def submit(self, order: Order, call: PlayCall) -> None:
        """Accept an order.  Raises UsageError if it cannot be a match."""
        if self._is_closed:
            call.over = True
            call.changed.set()
            return
        if self.is_draining:
            call.give_back()
            return
        try:
            game = registry.find(order.game)
            game.setup(len(order.seats), variant=order.variant, options=order.options)
            self._check(order)
        except UsageError as error:
            raise UsageError(f"match {order.match!r}: {error}") from error
        pending = PendingOrder(order, game, tuple(self.find_bot(seat.source) for seat in order.seats), call)
        self._orders[order.match] = pending
        call.orders.add(pending)
        self._admission_queue.append(pending)
        self._admit_fitting()

    def cancel(self, call: PlayCall) -> None:
        """End all matches of a call without result."""
        call.over = True
        for pending in list(call.orders):
            self._drop(pending)

    def close(self) -> None:
        """End all matches without result, before the bots disconnect, so that no bot is charged for that."""
        self._is_closed = True
        for call in {pending.call for pending in self._orders.values()}:
            self.cancel(call)
            call.changed.set()

    def give_back(self, *, begun: bool) -> None:
        """Drop the orders that have not begun, and, if `begun`, the matches that run, without result; tell their calls."""
        for pending in list(self._orders.values()):
            if begun or pending.match is None:
                self._drop(pending)
                pending.call.give_back()

    def count_orders(self) -> int:
        """Count the orders that are not done."""
        return len(self._orders)

    def count_idle(self) -> int:
        """Count the processes that are kept without an order."""
        return len(self._idle)

    def find_match(self, match: str) -> LiveMatch | None:
        """Return a running match by its id, or None."""
        pending = self._orders.get(match)
        return pending.match if pending is not None else None

    def find_bot(self, source: Source) -> BotHandle:
        """Return the handle of a bot; a new one if it is not known yet."""
        bot = self._bots.get(source)
        if bot is None:
            bot = self._bots[source] = self._new_bot(source, self)
            bot.decision_times = self.tally.times_of(source)
        return bot

    def forget(self, bot: BotHandle) -> None:
        """Drop the entry of a bot that will not connect again."""
        self._bots.pop(bot.source, None)

    def bots(self) -> list[BotHandle]:
        """List all bots that have an entry."""
        return list(self._bots.values())

    def programs(self) -> set[str]:
        """Return the programs that have a process, or are being started."""
        return {bot.source.program for bot in self._hosted_alive() if isinstance(bot.source, Hosted)}

    def _hosted_alive(self) -> Iterator[HostedBot]:
        for bot in self._bots.values():
            if isinstance(bot, HostedBot) and bot.is_alive:
                yield bot

    def _check(self, order: Order) -> None:
        if len(order.seed) != SEED_BYTES:
            raise UsageError(f"seed of {len(order.seed)} bytes: must be {SEED_BYTES}")
        if not order.match:
            raise UsageError("match: must not be empty")
        if order.match in self._orders:
            raise UsageError("a match of that id is being played already")
        if order.time.base_ms < 1 or order.time.cap_ms < 1:
            raise UsageError(f"time {order.time}: base and cap must be 1 ms at least")
        for seat in order.seats:
            if isinstance(seat.source, Hosted):
                self._check_program(seat.source.program)
            elif isinstance(seat.source, Endpoint):
                address.parse(seat.source.address)

    # --- from order to match --------------------------------------------------------------------------------

    def _admit_fitting(self) -> None:
        """Admit, in order, the orders whose hosted processes can all be alive at the same time.

        An order that needs more than the whole budget is admitted while no other is, so every order is played at some time.
        """
        waiting: deque[PendingOrder] = deque()
        while self._admission_queue:
            if waiting and self._overtakings >= self._limits.max_overtakings:
                break
            pending = self._admission_queue.popleft()
            hosted = {bot for bot in pending.bots if isinstance(bot, HostedBot)}
            if self._reserved and not hosted <= self._reserved and not self._fits(self._reserved | hosted):
                waiting.append(pending)
                continue
            self._overtakings = self._overtakings + 1 if waiting else 0
            self._reserved |= hosted
            for bot in hosted:
                bot.reservations += 1
                self._idle.pop(bot, None)
            self._begin_or_queue(pending)
        self._admission_queue = waiting + self._admission_queue

    def _fits(self, hosted: set[HostedBot]) -> bool:
        """Return whether the processes of these bots may be alive at the same time."""
        if len(hosted) > self._limits.max_processes:
            return False
        return sum(self._memory_bytes(bot) for bot in hosted) <= self._budget.total_bytes

    def _memory_bytes(self, bot: HostedBot) -> int:
        return self._budget.charge(bot.source.program) if isinstance(bot.source, Hosted) else 0

    def _begin_or_queue(self, pending: PendingOrder) -> None:
        """Begin the match if its bots are free; otherwise queue it for a busy one."""
        absent = [bot for bot in pending.bots if not bot.is_connected]
        # Bots that may never connect first: no process is started in vain.  Processes start in parallel.
        absent.sort(key=lambda bot: isinstance(bot, HostedBot))
        if any(bot in pending.missing for bot in absent):
            self._look_for_others(pending, absent)
            return
        busy = absent or [bot for bot in pending.bots if not bot.is_free]
        if not busy:
            self._begin(pending)
            return
        self._queues.setdefault(busy[0], deque()).append(pending)
        for bot in dict.fromkeys(absent):
            if bot is busy[0] or isinstance(bot, HostedBot):
                self._make_room(bot)
                bot.request_start()
                if pending not in self._queues.get(busy[0], ()):
                    return

    def _look_for_others(self, pending: PendingOrder, absent: Sequence[BotHandle]) -> None:
        """Postpone a match that cannot begin, once it is known of every bot that runs elsewhere whether it is missing."""
        unknown = [bot for bot in absent if bot not in pending.missing and not isinstance(bot, HostedBot)]
        if unknown:
            self._queues.setdefault(unknown[0], deque()).append(pending)
            unknown[0].request_start()
            return
        first, *others = (
            seat for seat, bot in enumerate(pending.bots) if bot in pending.missing and not bot.is_connected
        )
        reason = pending.missing[pending.bots[first]]
        self._done(pending, Postponed(pending.order.match, first, reason, tuple(others)))

    def _next_order(self, bot: BotHandle) -> PendingOrder | None:
        """Take the first order off a bot's queue; None if it is empty."""
        queue = self._queues.get(bot)
        if queue is None:
            return None
        pending = queue.popleft()
        if not queue:
            del self._queues[bot]
        return pending

    def _unqueue(self, pending: PendingOrder) -> None:
        """Take an order off the queue that it is in, if any."""
        for bot in pending.bots:
            queue = self._queues.get(bot, ())
            if queue and pending in queue:
                queue.remove(pending)
                if not queue:
                    del self._queues[bot]

    def _make_room(self, wanted: BotHandle) -> None:
        """End idle processes until the one of a hosted bot fits."""
        if isinstance(wanted, HostedBot) and not wanted.is_alive:
            alive = {wanted, *self._hosted_alive()}
            while self._idle and not self._fits(alive):
                alive.discard(self._end_idle())

    def _end_idle(self) -> HostedBot:
        """End the process that has been without a match for longest, and forget its bot; return it."""
        bot, _ = self._idle.popitem(last=False)
        bot.shut_down()
        if bot.is_forgettable:
            self.forget(bot)
        return bot

    def _begin(self, pending: PendingOrder) -> None:
        hellos = [bot.connection.hello for bot in pending.bots if bot.connection is not None]
        for seat, hello in enumerate(hellos):
            order = pending.order
            why = why_not_played(hello, order.game, order.variant, len(order.seats))
            if why is not None:
                self._decline(pending, seat, why)
                return
        session = self._new_session(pending, tuple(hello.talks for hello in hellos))
        if session is None:
            return
        match = LiveMatch(
            session,
            pending.bots,
            self._clock,
            on_finished=lambda record, incident: self._finish(pending, record, incident),
            on_failed=lambda reason: self._fail(pending, reason),
            log_fields=pending.log_fields(),
            trace=MatchTrace(pending.call.trace_parent) if tracing.is_on() else None,
        )
        _log.debug("match %s begins", pending.order.match, extra=match.log_fields)
        for bot in pending.bots:
            bot.on_match_begun()
            bot.running.add(pending)
        pending.printed = tuple(bot.printed() for bot in pending.bots)
        pending.report_start(match)
        match.begin()

    def _decline(self, pending: PendingOrder, seat: int, why: str) -> None:
        """End an order of a table that a bot's Hello does not offer; an upload is charged, since its manifest declares the table."""
        order, source = pending.order, pending.bots[seat].source
        if isinstance(source, Hosted) and sha256_of(source.program):
            self._forfeit(pending, seat, FaultKind.PROTOCOL, f"it {why}; declare the same in bot.toml")
        else:
            self._done(pending, Postponed(order.match, seat, f"{order.seats[seat].bot} {why}"))

    def _new_session(self, pending: PendingOrder, talks: tuple[bool, ...]) -> Session | None:
        """Deal a match; None if the game failed, which fails the order.  `talks` says of each bot whether it talks."""
        order = pending.order
        talks = talks if pending.game.has_talk else (False,) * len(order.seats)
        try:
            return Session(
                pending.game,
                pending.game.setup(
                    len(order.seats), variant=order.variant, options=order.options, talks=talks
                ),
                match=order.match,
                seed=order.seed,
                participants=[
                    Participant(seat.bot, seat.version, speaks)
                    for seat, speaks in zip(order.seats, talks, strict=True)
                ],
                time=order.time,
            )
        except Exception as error:  # noqa: BLE001 - a bug in a game ends its match, not the referee
            self._fail(pending, f"{type(error).__name__}: {error}")
            return None

    # --- from the bots --------------------------------------------------------------------------------------

    def has_orders_for(self, bot: BotHandle) -> bool:
        """Return whether orders wait for a bot."""
        return bot in self._queues

    def on_connected(self, bot: BotHandle) -> None:
        """Begin the matches that wait for a bot."""
        self._drain(bot)

    def on_missing(self, bot: BotHandle, reason: str) -> None:
        """Postpone the orders that wait for a bot."""
        while (pending := self._next_order(bot)) is not None:
            pending.missing[bot] = reason
            self._begin_or_queue(pending)

    def on_start_failed(self, bot: BotHandle, kind: FaultKind, message: str) -> None:
        """Charge a hosted bot in the first match that waits for it, and start it again for the next."""
        pending = self._next_order(bot)
        if pending is not None:
            self._forfeit(pending, pending.bots.index(bot), kind, message)
        if self.has_orders_for(bot):
            bot.request_start()

    def _forfeit(self, pending: PendingOrder, seat: int, kind: FaultKind, message: str) -> None:
        """End the match of an order before it has begun by a fault of a bot, with all that its process has printed."""
        session = self._new_session(pending, (False,) * len(pending.bots))
        if session is not None:
            bot = pending.bots[seat]
            pending.call.report(Started(session.match, session.commitment))
            record = forfeit(session, SeatFault(seat, kind, message))
            pending.printed = tuple(
                bot.printed(all_of_it=True) if each is bot else None for each in pending.bots
            )
            self._finish(pending, record, new_incident())

    def on_unavailable(self, bot: BotHandle, reason: str) -> None:
        """Fail the orders that wait for a bot that the platform could not start."""
        while (pending := self._next_order(bot)) is not None:
            self._fail(pending, reason)

    # --- the end of an order --------------------------------------------------------------------------------

    def _finish(self, pending: PendingOrder, record: Record, incident: str) -> None:
        record = explain_timeout(pending, record)
        self.tally.matches[record.game, record.result.end] += 1
        if record.result.fault is not None:
            self.tally.forfeits[record.result.fault.kind.value] += 1
        self._done(pending, _finished(pending, record, incident))

    def _done(self, pending: PendingOrder, report: Report) -> None:
        if pending.match is not None and pending.match.trace is not None:
            pending.match.trace.end(type(report).__name__.lower(), match=pending.order.match)
        if isinstance(report, Postponed):
            self.tally.postponed[pending.order.game] += 1
        elif isinstance(report, Failed):
            self.tally.failures[pending.order.game] += 1
        if _log.isEnabledFor(logging.DEBUG):
            ending = type(report).__name__.lower()
            _log.debug("match %s: %s", pending.order.match, ending, extra=pending.log_fields())
        del self._orders[pending.order.match]
        pending.report_end(report)
        self._release(pending)
        self.on_order_over()

    def _fail(self, pending: PendingOrder, reason: str) -> None:
        self._retire_processes(pending)
        self._done(pending, Failed(pending.order.match, reason))

    def _drop(self, pending: PendingOrder) -> None:
        """Forget an order whose call has ended."""
        if pending.match is not None:
            pending.match.cancel()
            self._retire_processes(pending)
        self._unqueue(pending)
        is_admitted = pending not in self._admission_queue
        if not is_admitted:
            self._admission_queue.remove(pending)
        del self._orders[pending.order.match]
        pending.call.orders.discard(pending)
        if is_admitted:
            self._release(pending)
        self.on_order_over()

    def _retire_processes(self, pending: PendingOrder) -> None:
        """End the processes that have seen a deal which will be dealt again, as soon as they are idle."""
        if pending.match is not None:
            for bot in pending.bots:
                if isinstance(bot, HostedBot):
                    bot.is_retiring = True

    def _release(self, pending: PendingOrder) -> None:
        """Free the bots of an order that is done; other orders get them in the loop's next turn."""
        loop = asyncio.get_running_loop()
        pending.match = None  # breaks the reference cycle
        for bot in set(pending.bots):
            bot.running.discard(pending)
            bot.on_match_over()
            loop.call_soon(self._drain, bot)
            if isinstance(bot, HostedBot):
                bot.reservations -= 1
                if not bot.reservations:
                    self._reserved.discard(bot)
                    self._idle[bot] = None
                    loop.call_soon(self._admit_fitting)
        while self._limits.idle_processes is not None and len(self._idle) > self._limits.idle_processes:
            self._end_idle()

    def _drain(self, bot: BotHandle) -> None:
        """Begin the matches that wait for a bot, as long as it is free."""
        while bot.is_free and (pending := self._next_order(bot)) is not None:
            self._begin_or_queue(pending)

    def _on_tick(self, now_ms: float) -> None:
        if self._idle and now_ms - self._memory_checked_ms >= _MEMORY_CHECK_MS:
            self._memory_checked_ms = now_ms
            if self._budget.is_scarce():
                self._end_idle()
        for bot in self._bots.values():
            if bot.connection is not None:
                bot.connection.on_tick(now_ms)
                bot.on_tick(now_ms)


def _finished(pending: PendingOrder, record: Record, incident: str) -> Finished:
    return Finished(record.match, to_json(record), pending.outputs(), incident, _notes(pending.match, record))


def _notes(match: LiveMatch | None, record: Record) -> tuple[SeatNotesText, ...]:
    if match is None or match.notes is None:
        return ()
    return tuple(
        SeatNotesText(seat, seat_notes.to_json(notes)) for seat, notes in match.notes.by_seat(record.steps)
    )
