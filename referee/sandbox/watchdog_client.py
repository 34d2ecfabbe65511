"""The referee's side of the watchdog."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from referee.launch.process_exit import Cause, ProcessExit
from referee.limits.sandbox_bounds import Bounds
from referee.sandbox import kernel_memory
from referee.sandbox.oom import OomLog, is_shared

_WATCHDOG = "referee.sandbox.watchdog"
_PACKAGES = Path(__file__).parents[2]
_HUNG_S = 30
"""Seconds without a heartbeat of the watchdog, which sends one a second, after which it is restarted."""

_log = logging.getLogger(__name__)


class Watch:
    """A running watchdog; it outlives the referee just long enough to end what is left."""

    def __init__(self, bounds: Bounds) -> None:
        before = kernel_memory.held()
        self._memory_bytes = bounds.memory_bytes
        self._numbers = (
            *(bounds.memory_bytes, bounds.cores, bounds.burst_s, bounds.kernel_bytes),
            *(before.bytes, before.tasks),
        )
        self._watched: set[int] = set()
        self._ended: dict[int, ProcessExit] = {}
        self._closed = False
        self._oom_log = OomLog()
        self._start()

    def add(self, pid: int) -> None:
        """Watch the sandbox whose outermost process this is."""
        self._watched.add(pid)
        self._tell(f"+{pid}\n")

    def remove(self, pid: int) -> ProcessExit | None:
        """Stop watching a sandbox; if the watchdog ended it, return why."""
        self._watched.discard(pid)
        self._tell(f"-{pid}\n")
        self._listen()
        return self._ended.pop(pid, None)

    def was_machine_out_of_memory(self, pid: int) -> bool:
        """Return whether the kernel ended this process since the machine had no memory left, though it was within its limit.

        Only what the kernel says of this very process counts: that the machine ran out of memory at about the time proves
        nothing, since a bot could end itself at such a moment.
        """
        victim = self._oom_log.take(pid)
        return victim is not None and is_shared(victim.group) and victim.used_bytes <= self._memory_bytes

    def check(self) -> None:
        """Restart the watchdog if it has ended or hangs; to be called once a second."""
        if self._closed:
            return
        if self._process.poll() is not None:
            _log.warning("the watchdog of the sandboxes has ended: it is started again")
            self._start_again()
            return
        self._silent_s += 1
        self._listen()
        if self._silent_s >= _HUNG_S:
            _log.warning("the watchdog of the sandboxes hangs: it is ended and started again")
            self._start_again()

    def close(self) -> None:
        """End the watchdog, and with it all sandboxes that it still watches."""
        assert self._process.stdin is not None  # noqa: S101 - it was started with pipes
        self._closed = True
        self._process.stdin.close()
        self._process.wait()
        self._oom_log.close()

    def _start(self) -> None:
        # In a session of its own, so that nothing that ends the referee's whole group ends it too.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-B", "-s", "-S", "-m", _WATCHDOG, *map(str, self._numbers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": str(_PACKAGES)},
            bufsize=0,
            start_new_session=True,
        )
        assert self._process.stdout is not None  # noqa: S101 - it was started with pipes
        os.set_blocking(self._process.stdout.fileno(), False)
        self._pending = b""
        self._silent_s = 0

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None  # noqa: S101 - it was started with pipes
        if self._closed:
            return
        try:
            self._process.stdin.write(line.encode())
        except BrokenPipeError:  # it was killed
            self._start_again()

    def _start_again(self) -> None:
        self._process.kill()
        self._process.wait()
        self._listen()  # what it said before is lost with its pipe
        self._start()
        assert self._process.stdin is not None  # noqa: S101 - it was started with pipes
        for pid in self._watched:
            with suppress(BrokenPipeError):
                self._process.stdin.write(f"+{pid}\n".encode())

    def _listen(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - it was started with pipes
        read = self._process.stdout.read(65536) or b""  # unbuffered: None where there is nothing
        *lines, self._pending = (self._pending + read).split(b"\n")
        for line in lines:
            pid, *said = line.decode().split(" ", 2)
            match said:
                case ["own", sentence]:
                    self._ended[int(pid)] = ProcessExit(f"it was ended: {sentence}")
                case ["kernel", sentence]:
                    words = f"it was ended: {sentence}"
                    self._ended[int(pid)] = ProcessExit(words, signal.SIGKILL, Cause.MACHINE_MEMORY)
                case ["log", sentence]:
                    _log.warning("the watchdog of the sandboxes: %s", sentence)
        if lines:
            self._silent_s = 0
