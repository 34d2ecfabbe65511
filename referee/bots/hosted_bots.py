"""Hosted bots: one process for each program and lane, started when it is needed and kept while there is room."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress
from math import inf
from typing import Any

from arena.bundle_format.bundle import sha256_of
from arena.core.errors import UsageError
from arena.match.faults import FaultKind
from arena.referee_client.orders import Hosted
from arena.referee_client.programs import NOT_RUN
from referee.bots.bot_handle import BotHandle, BotListener
from referee.launch.bot_process import Printed, Process
from referee.launch.bundle_cache import Bundles
from referee.launch.launcher import Launcher, LaunchError
from referee.launch.process_exit import Cause, ProcessExit, new_incident
from referee.limits.match_clock import StallAwareClock
from referee.limits.referee_limits import RefereeLimits
from referee.limits.scheduling_delay import SchedulingDelayMeter
from referee.metrics.tally import Tally
from referee.wire.bot_connection import BotConnection
from referee.wire.bot_tokens import BotTokens

_log = logging.getLogger(__name__)

_HOUSE = "house:"
_EXTERNAL_SIGNALS = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
"""Signals that end a process and that house bots never send to themselves."""

_MIN_WAIT_S = 0.02
"""A process that waited for a core for less gets no more time to exit."""

_TICKS_PER_SAMPLE = 10
"""Ticks, ten a second, from one sample of a process's scheduling delay to the next."""


class HostedBot(BotHandle):
    """A program that the referee starts."""

    def __init__(
        self,
        source: Hosted,
        listener: BotListener,
        *,
        launcher: Launcher,
        bundles: Bundles,
        tokens: BotTokens[HostedBot],
        address: str,
        limits: RefereeLimits,
        clock: StallAwareClock,
        tally: Tally,
    ) -> None:
        super().__init__(source, listener)
        self._program = source.program
        self._launcher = launcher
        self._bundles = bundles
        self._tokens = tokens
        self._address = address
        self._limits = limits
        self._clock = clock
        self._tally = tally
        self._delay_meter: SchedulingDelayMeter | None = None
        self._ticks = 0
        self._process: Process | None = None
        self._latest: Process | None = None
        """The last process that was started, even if it has ended."""
        self._started_ms = 0.0
        self._lifecycle: asyncio.Task[None] | None = None
        self._connected: asyncio.Future[None] | None = None
        self._rejection = ""
        self._oom_excused_ms = -inf
        """When a death caused by the machine's lack of memory was last not charged."""

    @property
    def is_alive(self) -> bool:
        """Whether it has a process, or one is being started or ended."""
        return self._lifecycle is not None

    @property
    def is_forgettable(self) -> bool:
        """Whether a new handle would serve as well: it has no process and no recently excused death."""
        excused_s = (self._clock.now_ms() - self._oom_excused_ms) / 1000
        return not self.is_alive and excused_s >= self._limits.memory_excuse_s

    def request_start(self) -> None:
        """Start the process, unless that is going on."""
        if self._lifecycle is None:
            self._lifecycle = asyncio.create_task(self._start())

    def accept(self, connection: BotConnection) -> None:
        """Accept the connection of the process, which has sent its Hello."""
        self.connection = connection
        if self._connected is not None and not self._connected.done():
            self._connected.set_result(None)

    def on_handshake_rejected(self, reason: str) -> None:
        """End a process whose first message was no valid Hello."""
        self._rejection = reason
        if self._process is not None:
            self._process.kill()

    async def on_hello_missed(self, reason: str) -> None:
        """Give a process whose stream ended before a Hello time to exit, which says more; one that lives on is ended."""
        process = self._process
        if process is None:
            return
        if await self._exit_of(process) is None and process is self._process:
            self.on_handshake_rejected(reason)

    def on_disconnected(self, connection: BotConnection) -> None:
        """End the process and its matches."""
        if self.connection is not connection:
            return
        self.connection = None
        at_ms = self._clock.now_ms()
        for seat in self.seats():
            seat.detach()
            seat.freeze()
        self._lifecycle = asyncio.create_task(self._end_life(at_ms, connection))

    def scheduling_delay_ms(self, since_ms: float, at_ms: float) -> float:
        """Return how much of the time from `since_ms` to `at_ms` its process, or the referee's, waited for a core."""
        return 0.0 if self._delay_meter is None else self._delay_meter.delay_ms(since_ms, at_ms)

    def on_tick(self, now_ms: float) -> None:
        """Sample the scheduling delay of its process once a second: a sample costs about as much as a decision."""
        self._ticks += 1
        if self._delay_meter is not None and self.running and self._ticks % _TICKS_PER_SAMPLE == 0:
            self._delay_meter.sample(now_ms)

    def on_match_begun(self) -> None:
        """Sample the scheduling delay of a process that had no match: nothing was sampled meanwhile."""
        if self._delay_meter is not None and not self.running:
            self._delay_meter.sample(self._clock.now_ms())

    def on_match_over(self) -> None:
        """End the process after its last match if it must not begin another; a new one is started when needed."""
        if self._clock.now_ms() - self._started_ms > self._limits.process_life_s * 1000:
            self.is_retiring = True
        if self.is_retiring and not self.running:
            self.shut_down()

    def printed(self, *, all_of_it: bool = False) -> Printed | None:
        """Return what its process, or the last one that it had, prints from now on, or from its start; None if it never had one."""
        process = self._latest
        if process is None:
            return None
        if all_of_it:
            return Printed(process, 0)
        return Printed(process, process.mark(), process.output_wait_s())

    def shut_down(self) -> None:
        """End the process; another one is started when it is needed again."""
        if self._lifecycle is not None:
            self._lifecycle.cancel()
            self._lifecycle = None
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.say_goodbye("no longer needed", come_back=False)
        self._end_process()
        if self.listener.has_orders_for(self):
            self.request_start()

    async def _start(self) -> None:
        """Start a process, wait for its Hello, and report the outcome to the listener."""
        self._connected = asyncio.get_running_loop().create_future()
        self._rejection = ""
        try:
            await self._bundles.fetch(self._program)
            await self._launcher.prepare(self._program, referee=self._address)
            token = self._tokens.new_one_time(self)
            self._process = self._launcher.start(self._program, referee=self._address, token=token)
            self._latest = self._process
            self._started_ms = self._clock.now_ms()
            self._delay_meter = SchedulingDelayMeter(self._process.pid, self._started_ms)
            how = "fork" if self._process.was_forked else "program"
            self._tally.bot_starts[how] += 1
        except (LaunchError, UsageError, OSError) as error:
            self._end_process()
            self._lifecycle = None
            self.listener.on_unavailable(self, str(error))
            return
        ended = asyncio.create_task(self._process.wait())
        try:
            first: set[asyncio.Future[Any]] = {ended, self._connected}
            await asyncio.wait(first, timeout=self._limits.launch_s, return_when=asyncio.FIRST_COMPLETED)
            if self._connected.done():
                self._tally.start_times[how].add(self._clock.now_ms() - self._started_ms)
                self.listener.on_connected(self)
                return
            no_hello = ProcessExit(f"it said no Hello within {self._limits.launch_s:g} s")
            end = ended.result() if ended.done() else no_hello
        finally:
            ended.cancel()
        if not self._process.began:
            words = self._process.last_words()
            _log.error(
                "%s could not be started: %s; %s",
                self._program,
                end.words,
                words,
                extra={"bot": self._program},
            )
            self._end_process()
            self._lifecycle = None
            self.listener.on_unavailable(self, f"{self._program} could not be started: {end.words}; {words}")
            return
        if not self._rejection and self._is_excused(end):
            _log.warning(
                "%s: before it could play, %s; the bot is not charged",
                self._program,
                end.words,
                extra={"bot": self._program},
            )
            self._end_process()
            self._lifecycle = None
            self.listener.on_unavailable(self, f"{self._program}: before it could play, {end.words}")
            return
        if self._rejection:
            kind, message = FaultKind.PROTOCOL, self._rejection
        else:
            how = f"before it could play, {end.words}"
            message = self._with_words(f"{how}; {NOT_RUN}" if end.is_success else how, self._process)
            kind = FaultKind.CRASH
        self._end_process()
        self._lifecycle = None
        self.listener.on_start_failed(self, kind, message)

    async def _end_life(self, at_ms: float, connection: BotConnection) -> None:
        """Wait for the process to exit, find out why, and end its matches."""
        process = self._process
        end = ProcessExit("it closed its stream")
        if process is not None:
            if connection.has_bot_fault and connection.closed is not None:
                end = ProcessExit(f"its stream was closed: {connection.closed[1]}")
                process.kill()
            end = await self._exit_of(process) or end
        # Before the matches are ended, since that may start another process.
        self._end_process()
        self._lifecycle = None
        if not connection.has_bot_fault and self._is_excused(end):
            _log.warning(
                "%s: %s; the bot is not charged, its matches are played again",
                self._program,
                end.words,
                extra={"bot": self._program},
            )
            self.abort_matches(f"{self._program}: {end.words}")
        else:
            how = end.words if process is None else self._with_words(end.words, process)
            _log.info("%s: %s", self._program, how, extra={"bot": self._program})
            self.charge_crash(how, at_ms, connection.incident or new_incident())
        if self.listener.has_orders_for(self):
            self.request_start()

    async def _exit_of(self, process: Process) -> ProcessExit | None:
        """Wait for the exit of a process whose stream has ended; return how it ended, None if it does not exit in time.

        The time in which it was ready to run and had no core is added to its time: it may still be ending.
        """
        now_s = asyncio.get_running_loop().time
        meter = SchedulingDelayMeter(process.pid, now_s() * 1000)
        wait_s, left_s = self._limits.exit_s, self._limits.launch_s
        while min(wait_s, left_s) > _MIN_WAIT_S:
            since_s = now_s()
            with suppress(TimeoutError):
                return await asyncio.wait_for(process.wait(), min(wait_s, left_s))
            left_s -= now_s() - since_s
            wait_s = meter.delay_ms(since_s * 1000, now_s() * 1000) / 1000
        return None

    def _is_excused(self, end: ProcessExit) -> bool:
        """Return whether the bot certainly did not cause the end of its process.

        House bots are the arena's own code, which never signals itself.  A death caused by the machine's lack of
        memory is excused once in `memory_excuse_s` only: the bot may use up to its bounds, and so could have caused it where these are too wide for the machine.
        """
        if end.cause is Cause.OUTSIDE:
            return True
        if self._program.startswith(_HOUSE) and end.signal in _EXTERNAL_SIGNALS:
            return True
        if end.cause is not Cause.MACHINE_MEMORY:
            return False
        now_ms = self._clock.now_ms()
        excused = now_ms - self._oom_excused_ms >= self._limits.memory_excuse_s * 1000
        if excused:
            self._oom_excused_ms = now_ms
        return excused

    def _end_process(self) -> None:
        self._tokens.forget_one_time(self)
        self.is_retiring = False
        if self._process is not None:
            self._process.kill()
            self._process = None
            self._delay_meter = None

    def _with_words(self, how: str, process: Process) -> str:
        """Append a bot's last output; that of an upload is left out, since only its author may read it."""
        words = "" if sha256_of(self._program) else process.last_words()
        return f"{how}; its last words: {words}" if words else how
