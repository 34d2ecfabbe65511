"""Hosted bots: each program and lane a process, started when it is needed and kept while there is room."""

from __future__ import annotations

import asyncio
import logging
import signal
from math import inf
from typing import Any

from arena.bundle_format.bundle import sha256_of
from arena.core.errors import UsageError
from arena.match.faults import FaultKind
from arena.referee_client.orders import Hosted
from referee.bots.bot_handle import BotHandle, BotListener
from referee.launch.bot_process import Printed, Process
from referee.launch.bundle_cache import Bundles
from referee.launch.plain_launcher import Launcher, LaunchError
from referee.launch.process_exit import Cause, ProcessExit, new_incident
from referee.limits.match_clock import StallAwareClock
from referee.limits.referee_limits import RefereeLimits
from referee.limits.scheduling_delay import SchedulingDelayMeter
from referee.wire.bot_connection import BotConnection
from referee.wire.bot_tokens import BotTokens

_log = logging.getLogger(__name__)

_HOUSE = "house:"
_SENT_BY_OTHERS = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
"""Signals that end a process and that no house bot sends to itself."""

_NOTE_EVERY = 10
"""Patrols, ten a second, from one note of a process's waits to the next."""


class HostedBot(BotHandle):
    """A program that the referee starts."""

    def __init__(
        self,
        source: Hosted,
        host: BotListener,
        *,
        launcher: Launcher,
        bundles: Bundles,
        tokens: BotTokens,
        address: str,
        limits: RefereeLimits,
        timekeeper: StallAwareClock,
    ) -> None:
        super().__init__(source, host)
        self._program = source.program
        self._launcher = launcher
        self._bundles = bundles
        self._tokens = tokens
        self._address = address
        self._limits = limits
        self._timekeeper = timekeeper
        self._excuses: SchedulingDelayMeter | None = None
        self._patrols = 0
        self._process: Process | None = None
        self._latest: Process | None = None
        self._started_ms = 0.0
        self._life: asyncio.Task[None] | None = None
        self._arrived: asyncio.Future[None] | None = None
        self._refused = ""
        self._excused_ms = -inf
        """When a death for want of the machine's memory was last excused."""

    @property
    def alive(self) -> bool:
        """Whether it has a process, or is about to."""
        return self._life is not None

    def request_start(self) -> None:
        """Start the process, unless it is starting."""
        if self._life is None:
            self._life = asyncio.create_task(self._start())

    def accept(self, connection: BotConnection) -> None:
        """Take note that the process has said Hello."""
        self.connection = connection
        if self._arrived is not None and not self._arrived.done():
            self._arrived.set_result(None)

    def refuse(self, reason: str) -> None:
        """Take note that what the process said first was no Hello."""
        self._refused = reason
        if self._process is not None:
            self._process.kill()

    def on_disconnected(self, connection: BotConnection) -> None:
        """Take note that the stream has ended: so must the process, and its matches."""
        if self.connection is not connection:
            return
        self.connection = None
        at_ms = self._timekeeper.now_ms()
        for chair in self.seats():
            chair.match.detach(chair)
            chair.match.freeze()
        self._life = asyncio.create_task(self._bury(at_ms, connection))

    def excuse_ms(self, since_ms: float, at_ms: float) -> float:
        """Return how long since then its process, or the referee's, was ready to run and got no core."""
        return 0.0 if self._excuses is None else self._excuses.excuse_ms(since_ms, at_ms)

    def on_tick(self, now_ms: float) -> None:
        """Note, now and then, what its process has waited: looking costs about as much as a decision."""
        self._patrols += 1
        if self._excuses is not None and self._patrols % _NOTE_EVERY == 0:
            self._excuses.note(now_ms)

    def on_match_over(self) -> None:
        """End the process after its last match if it must not begin another; a new one takes its place in time."""
        if self._timekeeper.now_ms() - self._started_ms > self._limits.process_life_s * 1000:
            self.is_retiring = True
        if self.is_retiring and not self.running:
            self.shut_down()

    def printed(self, *, all_of_it: bool = False) -> Printed | None:
        """Return what its process, or the last one it had, prints from now on, or from its start."""
        process = self._latest
        if process is None:
            return None
        return Printed(process, 0 if all_of_it else process.mark())

    def retire(self) -> None:
        """Begin no other match with this process."""
        self.is_retiring = True
        self.on_match_over()

    def shut_down(self) -> None:
        """End the process; it is started anew when it is needed again."""
        if self._life is not None:
            self._life.cancel()
            self._life = None
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.depart("no longer needed", come_back=False)
        self._end_process()
        if self.queue:
            self.request_start()

    async def _start(self) -> None:
        self._arrived = asyncio.get_running_loop().create_future()
        self._refused = ""
        try:
            await self._bundles.prepare(self._program)
            token = self._tokens.new_one_time(self)
            self._process = self._launcher.start(self._program, referee=self._address, token=token)
            self._latest = self._process
            self._started_ms = self._timekeeper.now_ms()
            self._excuses = SchedulingDelayMeter(self._process.pid, self._started_ms)
        except (LaunchError, UsageError) as error:
            self._life = None
            self.listener.on_unavailable(self, str(error))
            return
        ended = asyncio.create_task(self._process.wait())
        try:
            first: set[asyncio.Future[Any]] = {ended, self._arrived}
            await asyncio.wait(first, timeout=self._limits.launch_s, return_when=asyncio.FIRST_COMPLETED)
            if self._arrived.done():
                self.listener.on_connected(self)
                return
            no_hello = ProcessExit(f"it said no Hello within {self._limits.launch_s:g} s")
            end = ended.result() if ended.done() else no_hello
        finally:
            ended.cancel()
        if not self._process.began:
            words = self._process.last_words()
            _log.error("%s could not be started: %s; %s", self._program, end.words, words)
            self._end_process()
            self._life = None
            self.listener.on_unavailable(self, f"{self._program} could not be started: {end.words}; {words}")
            return
        if not self._refused and self._is_excused(end):
            _log.warning("%s: before it could play, %s; nobody is charged", self._program, end.words)
            self._end_process()
            self._life = None
            self.listener.on_unavailable(self, f"{self._program}: before it could play, {end.words}")
            return
        if self._refused:
            kind, message = FaultKind.PROTOCOL, self._refused
        else:
            message = self._with_words(f"before it could play, {end.words}", self._process)
            kind = FaultKind.CRASH
        self._end_process()
        self._life = None
        self.listener.on_start_failed(self, kind, message)

    async def _bury(self, at_ms: float, connection: BotConnection) -> None:
        process = self._process
        end = ProcessExit("it closed its stream")
        if process is not None:
            if connection.blamed and connection.closed is not None:
                end = ProcessExit(f"its stream was closed: {connection.closed[1]}")
                process.kill()
            try:
                end = await asyncio.wait_for(process.wait(), self._limits.exit_s)
            except TimeoutError:
                process.kill()
        # First, since what comes next may already start another process.
        self._end_process()
        self._life = None
        if not connection.blamed and self._is_excused(end):
            _log.warning("%s: %s; nobody is charged, its matches are played again", self._program, end.words)
            self.abort_matches(f"{self._program}: {end.words}")
        else:
            how = end.words if process is None else self._with_words(end.words, process)
            _log.info("%s: %s", self._program, how)
            self.charge_crash(how, at_ms, connection.incident or new_incident())
        if self.queue:
            self.request_start()

    def _is_excused(self, end: ProcessExit) -> bool:
        """Return whether it is certain that the bot did not end its process itself.

        House bots are the arena's own code, which never signals itself.  A death for want of the machine's memory is excused
        only now and then: the bot may use up to its bounds, and so could have brought it about where they are too wide for the machine.
        """
        if end.cause is Cause.OUTSIDE:
            return True
        if self._program.startswith(_HOUSE) and end.signal in _SENT_BY_OTHERS:
            return True
        if end.cause is not Cause.MACHINE_MEMORY:
            return False
        now_ms = self._timekeeper.now_ms()
        excused = now_ms - self._excused_ms >= self._limits.excuse_memory_s * 1000
        if excused:
            self._excused_ms = now_ms
        return excused

    def _end_process(self) -> None:
        self._tokens.forget_one_time(self)
        self.is_retiring = False
        if self._process is not None:
            self._process.kill()
            self._process = None
            self._excuses = None

    def _with_words(self, how: str, process: Process) -> str:
        """Add a bot's last words; those of an upload are its author's alone, who finds them in its logs."""
        words = "" if sha256_of(self._program) else process.last_words()
        return f"{how}; its last words: {words}" if words else how
