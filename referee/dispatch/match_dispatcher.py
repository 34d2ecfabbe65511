"""The desk: orders come in, wait until their bots are there and free, become tables, and leave as reports."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator

from arena.core.errors import UsageError
from arena.games import registry
from arena.games.chance import SEED_BYTES
from arena.match.faults import FaultKind, SeatFault
from arena.match.forfeit import forfeit
from arena.match.record import Participant, Record, to_json
from arena.match.session import Session
from arena.net import address
from arena.referee_client.orders import Endpoint, Hosted, Order, Source
from arena.referee_client.reports import Failed, Finished, Postponed, Report, Started
from referee.bots.bot_handle import BotHandle
from referee.bots.hosted_bots import HostedBot
from referee.dispatch.live_match import LiveMatch
from referee.dispatch.pending_order import PendingOrder, PlayCall
from referee.launch.process_exit import new_incident
from referee.limits.match_clock import StallAwareClock
from referee.limits.memory_budget import Budget
from referee.limits.referee_limits import RefereeLimits
from referee.wire.handshake import plays


class MatchDispatcher:
    """All orders and all bots of one referee."""

    def __init__(
        self,
        *,
        limits: RefereeLimits,
        budget: Budget,
        timekeeper: StallAwareClock,
        new_guest: Callable[[Source, MatchDispatcher], BotHandle],
        check_program: Callable[[str], None],
    ) -> None:
        self._limits = limits
        self._budget = budget
        self._timekeeper = timekeeper
        self._new_guest = new_guest
        self._check_program = check_program
        self._guests: dict[Source, BotHandle] = {}
        self._jobs: dict[str, PendingOrder] = {}
        self._lobby: deque[PendingOrder] = deque()
        self._closed = False
        self._overtakings = 0
        """How many orders were let in since the first in the lobby was found not to fit."""
        self._pinned: set[HostedBot] = set()
        """Hosted bots that orders need which were let in."""
        self._idle: OrderedDict[HostedBot, None] = OrderedDict()
        timekeeper.on_tick(self._patrol)

    # --- calls ----------------------------------------------------------------------------------------------

    def submit(self, order: Order, call: PlayCall) -> None:
        """Take an order.  Raises UsageError if it cannot be a match."""
        if self._closed:
            call.over = True
            call.changed.set()
            return
        try:
            game = registry.find(order.game)
            game.setup(len(order.seats), variant=order.variant, options=order.options)
            self._check(order)
        except UsageError as error:
            raise UsageError(f"match {order.match!r}: {error}") from error
        job = PendingOrder(order, game, tuple(self.guest(seat.source) for seat in order.seats), call)
        self._jobs[order.match] = job
        call.jobs.add(job)
        self._lobby.append(job)
        self._open_lobby()

    def cancel(self, call: PlayCall) -> None:
        """End all matches of a call without result."""
        call.over = True
        for job in list(call.jobs):
            self._drop(job)

    def close(self) -> None:
        """End all matches without result, before the bots go: what happens to them from now on is charged to nobody."""
        self._closed = True
        for call in {job.call for job in self._jobs.values()}:
            self.cancel(call)
            call.changed.set()

    def table(self, match: str) -> LiveMatch | None:
        """Find a match that is being played."""
        job = self._jobs.get(match)
        return job.match if job is not None else None

    def guest(self, source: Source) -> BotHandle:
        """Find a bot, or make its entry."""
        guest = self._guests.get(source)
        if guest is None:
            guest = self._guests[source] = self._new_guest(source, self)
        return guest

    def forget(self, guest: BotHandle) -> None:
        """Drop the entry of one that will not come again."""
        self._guests.pop(guest.source, None)

    def guests(self) -> list[BotHandle]:
        """List all bots that have an entry."""
        return list(self._guests.values())

    def programs(self) -> set[str]:
        """List the programs that have a process, or are about to."""
        return {guest.source.program for guest in self._hosted_alive() if isinstance(guest.source, Hosted)}

    def _hosted_alive(self) -> Iterator[HostedBot]:
        for guest in self._guests.values():
            if isinstance(guest, HostedBot) and guest.alive:
                yield guest

    def _check(self, order: Order) -> None:
        if len(order.seed) != SEED_BYTES:
            raise UsageError(f"seed of {len(order.seed)} bytes: must be {SEED_BYTES}")
        if not order.match:
            raise UsageError("match: must not be empty")
        if order.match in self._jobs:
            raise UsageError("a match of that id is being played already")
        if order.time.base_ms < 1 or order.time.cap_ms < 1:
            raise UsageError(f"time {order.time}: base and cap must be 1 ms at least")
        for seat in order.seats:
            if isinstance(seat.source, Hosted):
                self._check_program(seat.source.program)
            elif isinstance(seat.source, Endpoint):
                address.parse(seat.source.address)

    # --- from order to match --------------------------------------------------------------------------------

    def _open_lobby(self) -> None:
        """Let in, in order, the orders whose hosted processes can all be alive at the same time.

        One that needs more than there can ever be is let in while no other is, so each is played at some time.
        """
        waiting: deque[PendingOrder] = deque()
        while self._lobby:
            if waiting and self._overtakings >= self._limits.max_overtakings:
                break
            job = self._lobby.popleft()
            hosted = {guest for guest in job.bots if isinstance(guest, HostedBot)}
            if self._pinned and not hosted <= self._pinned and not self._fits(self._pinned | hosted):
                waiting.append(job)
                continue
            self._overtakings = self._overtakings + 1 if waiting else 0
            self._pinned |= hosted
            for guest in hosted:
                guest.reservations += 1
                self._idle.pop(guest, None)
            self._admit(job)
        self._lobby = waiting + self._lobby

    def _fits(self, hosted: set[HostedBot]) -> bool:
        """Return whether the processes of some hosted bots may be alive together."""
        if len(hosted) > self._limits.max_processes:
            return False
        return sum(self._charge(guest) for guest in hosted) <= self._budget.total_bytes

    def _charge(self, guest: HostedBot) -> int:
        return self._budget.charge(guest.source.program) if isinstance(guest.source, Hosted) else 0

    def _admit(self, job: PendingOrder) -> None:
        """Begin the match if its bots are free, else let it wait for one that is not."""
        absent = [guest for guest in job.bots if not guest.is_connected]
        # Whoever may not come at all is asked first, and processes start side by side.
        absent.sort(key=lambda guest: isinstance(guest, HostedBot))
        busy = absent or [guest for guest in job.bots if not guest.is_free]
        if not busy:
            self._begin(job)
            return
        busy[0].queue.append(job)
        for guest in dict.fromkeys(absent):
            if guest is busy[0] or isinstance(guest, HostedBot):
                self._make_room(guest)
                guest.request_start()
                if job not in busy[0].queue:
                    return

    def _make_room(self, wanted: BotHandle) -> None:
        if isinstance(wanted, HostedBot) and not wanted.alive:
            alive = {wanted, *self._hosted_alive()}
            while self._idle and not self._fits(alive):
                idle, _ = self._idle.popitem(last=False)
                alive.discard(idle)
                idle.shut_down()

    def _begin(self, job: PendingOrder) -> None:
        hellos = [guest.connection.hello for guest in job.bots if guest.connection is not None]
        for seat, hello in enumerate(hellos):
            if not plays(hello, job.order.game, job.order.variant):
                offered = ", ".join(offer.game for offer in hello.games)
                reason = f"{job.order.seats[seat].bot} does not play {job.order.game} ({job.order.variant}): it offers {offered}"
                self._done(job, Postponed(job.order.match, seat, reason))
                return
        session = self._session(job, tuple(hello.talks for hello in hellos))
        if session is None:
            return
        table = LiveMatch(
            session,
            job.bots,
            self._timekeeper,
            finished=lambda record, incident: self._done(job, _finished(job, record, incident)),
            failed=lambda reason: self._fail(job, reason),
        )
        for guest in job.bots:
            guest.running.add(job)
        job.printed = tuple(guest.printed() for guest in job.bots)
        job.report_start(table)
        table.begin()

    def _session(self, job: PendingOrder, talks: tuple[bool, ...]) -> Session | None:
        order = job.order
        talks = talks if job.game.has_talk else (False,) * len(order.seats)
        try:
            return Session(
                job.game,
                job.game.setup(len(order.seats), variant=order.variant, options=order.options, talks=talks),
                match=order.match,
                seed=order.seed,
                participants=[
                    Participant(seat.bot, seat.version, speaks)
                    for seat, speaks in zip(order.seats, talks, strict=True)
                ],
                time=order.time,
            )
        except Exception as error:  # noqa: BLE001 - a slip in a game ends its match, not the referee
            self._fail(job, f"{type(error).__name__}: {error}")
            return None

    # --- from guests ----------------------------------------------------------------------------------------

    def on_connected(self, guest: BotHandle) -> None:
        """Take note that a bot is there."""
        self._drain(guest)

    def on_missing(self, guest: BotHandle, reason: str) -> None:
        """Postpone all that waits for a bot."""
        while guest.queue:
            job = guest.queue.popleft()
            self._done(job, Postponed(job.order.match, job.bots.index(guest), reason))

    def on_start_failed(self, guest: BotHandle, kind: FaultKind, message: str) -> None:
        """Charge the first match that waits for a hosted bot, and start it again for the next."""
        if guest.queue:
            job = guest.queue.popleft()
            session = self._session(job, (False,) * len(job.bots))
            if session is not None:
                job.call.report(_started(session))
                record = forfeit(session, SeatFault(job.bots.index(guest), kind, message))
                job.printed = tuple(
                    guest.printed(all_of_it=True) if each is guest else None for each in job.bots
                )
                self._done(job, _finished(job, record, new_incident()))
        if guest.queue:
            guest.request_start()

    def on_unavailable(self, guest: BotHandle, reason: str) -> None:
        """Fail all that waits for a bot that the platform cannot bring."""
        while guest.queue:
            self._fail(guest.queue.popleft(), reason)

    # --- the end of an order --------------------------------------------------------------------------------

    def _done(self, job: PendingOrder, report: Report) -> None:
        del self._jobs[job.order.match]
        job.report_end(report)
        self._clear(job)

    def _fail(self, job: PendingOrder, reason: str) -> None:
        self._retire(job)
        self._done(job, Failed(job.order.match, reason))

    def _drop(self, job: PendingOrder) -> None:
        """Forget an order whose call has ended."""
        if job.match is not None:
            job.match.cancel()
            self._retire(job)
        for guest in job.bots:
            if job in guest.queue:
                guest.queue.remove(job)
        pinned = job not in self._lobby
        if not pinned:
            self._lobby.remove(job)
        del self._jobs[job.order.match]
        job.call.jobs.discard(job)
        if pinned:
            self._clear(job)

    def _retire(self, job: PendingOrder) -> None:
        """End the processes that have seen a deal which will be dealt again, as soon as they are idle."""
        if job.match is not None:
            for guest in job.bots:
                if isinstance(guest, HostedBot):
                    guest.is_retiring = True

    def _clear(self, job: PendingOrder) -> None:
        """Free what an order held, and let others have it in the loop's next turn."""
        loop = asyncio.get_running_loop()
        job.match = None  # which refers back to it
        for guest in set(job.bots):
            guest.running.discard(job)
            guest.on_match_over()
            loop.call_soon(self._drain, guest)
            if isinstance(guest, HostedBot):
                guest.reservations -= 1
                if not guest.reservations:
                    self._pinned.discard(guest)
                    self._idle[guest] = None
                    loop.call_soon(self._open_lobby)
        while len(self._idle) > self._limits.idle_processes:
            self._idle.popitem(last=False)[0].shut_down()

    def _drain(self, guest: BotHandle) -> None:
        while guest.queue and guest.is_free:
            self._admit(guest.queue.popleft())

    def _patrol(self, now_ms: float) -> None:
        for guest in self._guests.values():
            if guest.connection is not None:
                guest.connection.patrol(now_ms)
                guest.on_tick(now_ms)


def _finished(job: PendingOrder, record: Record, incident: str) -> Finished:
    return Finished(record.match, to_json(record), job.outputs(), incident)


def _started(session: Session) -> Started:
    return Started(session.match, session.commitment)
