"""The end of a bot's process: with what it printed, without a word of grpc's threads, and when it is asked to."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from contextlib import suppress
from functools import partial
from types import FrameType

_CODES = {signal.SIGTERM: 0, signal.SIGINT: 130}
_STACK_BYTES = 256 << 10
"""A stack counts as memory of the bot's, used or not: the standard one is 8 MiB."""


def end(code: int) -> None:
    """End the process at once, even in the middle of a bot's thought."""
    for stream in (sys.stdout, sys.stderr):
        # Nobody reads it; it is closed; a signal came amid a write.
        with suppress(OSError, ValueError, RuntimeError):
            stream.flush()
    os._exit(code)


def end_on_signals() -> None:
    """End the process from now on at SIGTERM (0) and SIGINT (130)."""
    for number, code in _CODES.items():
        signal.signal(number, partial(_end_quietly, code))


def notice_signals_amid_thoughts() -> None:
    """Have the main thread notice signals that another thread got; to be called there, in the running event loop.

    Python runs handlers in the main thread.  Where the kernel gives a signal to one of grpc's threads, Python 3.11 does
    not notify the main thread, which looks only when it gives up the interpreter's lock and takes it again
    (COMPUTE_EVAL_BREAKER in Python/ceval_gil.c): a bot that thinks for ever never does.  A thread that reads the wakeup
    descriptor makes it, for it takes that lock; it wakes the loop, and what the main thread sleeps in.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    loop = asyncio.get_running_loop()
    before = threading.stack_size(_STACK_BYTES)
    threading.Thread(target=_pass_on, args=(reader, loop), name="signals", daemon=True).start()
    threading.stack_size(before)


def _pass_on(reader: int, loop: asyncio.AbstractEventLoop) -> None:
    while number := os.read(reader, 1):
        handler = signal.getsignal(number[0])
        # Not if a debugger or the like has taken the signal over.
        ours = isinstance(handler, partial) and handler.func is _end_quietly
        if ours:
            signal.pthread_kill(threading.main_thread().ident or 0, number[0])
        with suppress(RuntimeError):  # the loop is closed: the process ends
            loop.call_soon_threadsafe(_look)
        if ours:
            return


def _look() -> None:
    """Do nothing, in Python: the interpreter looks for signals before."""


def _end_quietly(code: int, _signal: int, _frame: FrameType | None) -> None:
    end(code)
