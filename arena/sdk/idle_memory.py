"""The memory of a bot that waits: what its last matches took is given back to the machine.

Many bots wait most of the time.  Matches that are played at the same time leave 8 MB behind that the C library keeps:
freed, but among memory that is in use.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

AFTER_S = 1.0
"""Between two blocks of a tournament a bot waits for less."""


class IdleMemory:
    """Gives memory back once there has been no match for a second.  Mutable; made in a running event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def note(self, *, idle: bool) -> None:
        """Note after each reading whether there are no matches."""
        if idle and self._timer is None:
            self._timer = self._loop.call_later(AFTER_S, give_back)
        elif not idle and self._timer is not None:
            self.close()

    def close(self) -> None:
        """Give nothing back any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def give_back() -> None:
    """Return what is free to the machine, where the C library can: glibc's malloc_trim(3) does."""
    import ctypes  # noqa: PLC0415 - a bot that begins does without; a forked one has it

    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
