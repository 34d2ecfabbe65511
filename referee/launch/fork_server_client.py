"""The referee's side of the fork server: starts it, asks it for processes, and starts it again if it dies."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from arena.games import registry
from referee.launch.launcher import LaunchError

PROGRAM = Path(__file__).with_name("fork_server.py")
INSIDE = Path(__file__).parents[1] / "sandbox" / "inside.py"
"""The module that the fork server imports, by its folder: it turns a process into a bot."""

_HUNG_S = 5.0
"""Seconds that a fork may take: one takes milliseconds."""
AGAIN_S = 10.0
"""The pause before a server that died is started again; meanwhile bots are started without it."""
_MAX_BYTES = 65536

_log = logging.getLogger(__name__)


def modules() -> list[str]:
    """List what a fork server imports: the SDK with what its bots need of it, and the games."""
    return [
        "arena.sdk.dial_in",
        "arena.sdk.socket_call",
        "uvloop",
        *(package.module for package in registry.PACKAGES.values()),
    ]


class ForkedChild:
    """A process that the fork server made, and collects."""

    was_forked = True

    def __init__(self, pid: int, output: IO[bytes]) -> None:
        self.pid = pid
        self.output = output
        self._code: int | None = None
        self._report: Callable[[int], None] | None = None

    def on_end(self, report: Callable[[int], None]) -> None:
        """Report its exit code once it has ended and is collected; negative for a signal."""
        self._report = report
        if self._code is not None:
            asyncio.get_running_loop().call_soon(report, self._code)

    def end(self, code: int) -> None:
        """Record that it has ended."""
        self._code = code
        if self._report is not None:
            self._report(code)


class ForkServer:
    """A running fork server, or one that died and is started again a little later.  Make it inside a running event loop."""

    def __init__(
        self,
        command: Callable[[int], Sequence[str]],
        environment: Mapping[str, str],
        *,
        inherited: Sequence[int] = (),
    ) -> None:
        """Start it; `command` makes the command line, with the number of the socket that it inherits in addition to `inherited`."""
        self._command = command
        self._inherited = tuple(inherited)
        self._environment = environment
        self._loop = asyncio.get_running_loop()
        self._children: dict[int, ForkedChild] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._started_s = 0.0
        self._closed = False
        self.modules: frozenset[str] = frozenset()
        """The top-level modules that it has imported; none until it is ready."""
        self._start()

    @property
    def is_ready(self) -> bool:
        """Whether it forks."""
        return bool(self.modules)

    async def wait_until_ready(self) -> bool:
        """Wait until it forks; return whether it does, or has died."""
        return await asyncio.shield(self._ready)

    def fork(
        self,
        order: Mapping[str, Any],
        *,
        ready: int | None = None,
        admit: Callable[[int], None] = lambda _pid: None,
    ) -> ForkedChild:
        """Make a process for an order, which begins after `admit` was called with its number.  Raises LaunchError.

        When the bot's own program begins, it writes to `ready`.
        """
        described = os.memfd_create("order")
        read, output = os.pipe()
        begin, go = os.pipe()
        try:
            os.write(described, json.dumps(order).encode())
            socket.send_fds(
                self._control, [b"fork"], [described, output, output if ready is None else ready, begin]
            )
            child = ForkedChild(self._forked(), os.fdopen(read, "rb", buffering=0))
        except OSError as error:
            os.close(read)
            self._fail("hangs")
            raise LaunchError(f"the fork server: {error}") from error
        else:
            self._children[child.pid] = child
            admit(child.pid)
            os.write(go, b"g")
        finally:
            for descriptor in (described, output, begin, go):
                os.close(descriptor)
        return child

    def check(self) -> None:
        """Start it again if it has died; to be called once a second."""
        if self._process is None and not self._closed and time.monotonic() - self._started_s > AGAIN_S:
            self._start()

    def retire(self) -> None:
        """Fork no more, and end with the last process that it made."""
        self._closed = True
        self.modules = frozenset()
        self._end_if_retired()

    def close(self) -> None:
        """End it, and with it all processes that it made."""
        self._closed = True
        self._fail("")

    def _end_if_retired(self) -> None:
        if self._closed and not self._children:
            self._fail("")

    def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._started_s = time.monotonic()
        self._ready: asyncio.Future[bool] = self._loop.create_future()
        self._control = ours
        try:
            self._process = subprocess.Popen(
                self._command(theirs.fileno()),
                env=dict(self._environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(), *self._inherited),
                start_new_session=True,
            )
        except OSError as error:
            _log.warning("the fork server cannot be started: %s", error)
            ours.close()
            self._ready.set_result(False)
            return
        finally:
            theirs.close()
        os.set_blocking(ours.fileno(), False)
        self._loop.add_reader(ours.fileno(), self._read)

    def _read(self) -> None:
        with suppress(BlockingIOError):
            self._hear()

    def _hear(self) -> int:
        """Read a message.  Return the number of a new process if it announces one, otherwise 0.  Raises BlockingIOError."""
        message = self._control.recv(_MAX_BYTES).decode()
        match message.split():
            case ["ready", *names]:
                self.modules = frozenset(names)
                self._ready.set_result(True)
            case ["forked", pid]:
                return int(pid)
            case ["ended", pid, code]:
                if (child := self._children.pop(int(pid), None)) is not None:
                    child.end(int(code))
                    self._end_if_retired()
            case _:
                self._fail("has died")
        return 0

    def _forked(self) -> int:
        """Wait for the number of the process that was asked for.  Raises TimeoutError."""
        until_s = time.monotonic() + _HUNG_S
        while (
            self._process is not None
            and select.select([self._control], [], [], max(0.0, until_s - time.monotonic()))[0]
        ):
            if pid := self._hear():
                return pid
        raise TimeoutError("it made no process")

    def _fail(self, how: str) -> None:
        """End it with its processes, for a reason that is none of theirs."""
        process, self._process = self._process, None
        if process is None:
            return
        if how:
            _log.warning("the fork server of hosted bots %s: it is started again", how)
        self.modules = frozenset()
        self._loop.remove_reader(self._control.fileno())
        self._control.close()
        process.kill()
        process.wait()
        if not self._ready.done():
            self._ready.set_result(False)
        for child in self._children.values():
            child.end(-signal.SIGKILL)
        self._children.clear()
