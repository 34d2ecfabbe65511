"""Long work that Ctrl-C or SIGTERM may break off: the command shows what is done so far, and how to go on."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn, TypeVar

from arena.cli.support.output import echo

Result = TypeVar("Result")


class Interruption:
    """The signal that has broken off a command, if one has.  Mutable."""

    def __init__(self) -> None:
        self.came: signal.Signals | None = None
        self._running: asyncio.Task[Any] | None = None

    @contextmanager
    def catching(self) -> Iterator[None]:
        """Leave the block at Ctrl-C or SIGTERM, and note it; the code after it shows what is done.

        A second signal ends the process at once, also after the block.  A signal that the process was started to ignore (`nohup`) stays ignored.
        """
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, self._receive)
        try:
            yield
        except KeyboardInterrupt:
            self.came = self.came or signal.SIGINT
        finally:
            if self.came is None:
                for number, handler in before.items():
                    signal.signal(number, handler)

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine in an event loop; within `catching`, a signal cancels it, so that it stops what it has started."""
        try:
            return asyncio.run(self._note(work))
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None

    def end(self, done: str, again: str) -> None:
        """End the command with the signal's exit code if one came; say how much is done, and which command does it again."""
        if self.came is not None:
            echo(f"arena: interrupted: {done}; again, from the start: {again}", err=True)
            sys.exit(128 + self.came)

    async def _note(self, work: Coroutine[Any, Any, Result]) -> Result:
        self._running = asyncio.current_task()
        try:
            return await work
        finally:
            self._running = None

    def _receive(self, number: int, _frame: FrameType | None) -> None:
        if self.came is not None:
            _end_at_once(number)
        self.came = signal.Signals(number)
        if self._running is None:
            raise KeyboardInterrupt
        self._running.cancel()
        self._running.get_loop().call_soon_threadsafe(lambda: None)  # it wakes up where it waits


def _end_at_once(number: int) -> NoReturn:
    """End without any cleaning up: the kernel ends the child processes, which die with this one."""
    with suppress(OSError):
        os.write(sys.stderr.fileno(), b"arena: interrupted\n")
    os._exit(128 + number)


def same_command(seed: bytes | None = None) -> str:
    """Return this command as a shell takes it, with the seed that was drawn if it had none."""
    arguments = sys.argv[1:]
    given = any(each == "--seed" or each.startswith("--seed=") for each in arguments)
    return shlex.join(
        ["arena", *arguments, *(["--seed", seed.hex()] if seed is not None and not given else [])]
    )
