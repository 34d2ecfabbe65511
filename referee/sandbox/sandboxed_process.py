"""The process of a sandboxed bot."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from referee.launch.bot_process import Child, ChildProcess
from referee.launch.process_exit import Cause, ProcessExit, ended_by_signal, name_signal, signal_words

if TYPE_CHECKING:
    from referee.sandbox.cgroups import Cgroups, Group
    from referee.sandbox.watchdog_client import Watch

_SIGNALLED = 128
"""The number that bubblewrap, and `inside.py`, add to a signal's number to make it an exit code."""


class SandboxedProcess(ChildProcess):
    """A sandbox with all its processes: they end together.

    The outermost process only waits, outside the namespaces, where no bot can signal it.  So if a signal ended it,
    the signal came from outside.  It ends with an exit code when the bot's process, or the first process inside, has ended.
    The bot can end its own process in many ways, by any signal, so the bot is charged unless the kernel says that
    the machine caused it.  The death of the first process inside looks the same, since it also dies when a bot's process
    leaves children behind.
    """

    def __init__(
        self,
        child: Child,
        ready: int,
        watch: Watch,
        groups: Cgroups | None = None,
        group: Group | None = None,
    ) -> None:
        super().__init__(child)
        self._groups = groups
        self._group = group
        self._ready = ready
        self._began = False
        self._watch = watch
        self._bot = 0
        """The bot's own process, or 0 until it is known."""
        os.set_blocking(ready, False)
        self._loop.add_reader(ready, self._begin)
        watch.add(self.pid)

    @property
    def began(self) -> bool:
        """Whether the bot's own program has begun."""
        if not self._began and self._ready >= 0:
            with suppress(BlockingIOError):
                self._began = bool(os.read(self._ready, 1))
        return self._began

    def _begin(self) -> None:
        """Record the bot's own process as soon as its program begins."""
        self._loop.remove_reader(self._ready)
        if self.began:
            with suppress(OSError, ValueError):
                self._bot = _only_child(_only_child(self.pid))

    def _exit(self, code: int) -> ProcessExit:
        _ = self.began  # the last chance to know
        self._loop.remove_reader(self._ready)
        os.close(self._ready)
        self._ready = -1
        ended = self._watch.remove(self.pid)
        out_of_memory = False
        if self._groups is not None and self._group is not None:
            if ended is None and (exceeded := self._group.exceeded()):
                ended = ProcessExit(f"it was ended: {exceeded}")
            out_of_memory = self._group.was_machine_out_of_memory()
            self._groups.remove(self._group)
        if ended is not None:
            return ended
        if self._killed:
            return super()._exit(code)
        if code < 0 and not out_of_memory:
            words = f"its sandbox was ended from outside by {signal_words(-code)}"
            return ProcessExit(words, name_signal(-code), Cause.OUTSIDE)
        # With a control group the kernel ends all of its processes together, the outermost among them.
        number = -code if code < 0 else code - _SIGNALLED
        if number <= 0 or (found := name_signal(number)) is None:
            return super()._exit(code)
        words = ended_by_signal(number)
        if found is signal.SIGKILL and (out_of_memory or self._watch.was_machine_out_of_memory(self._bot)):
            words += ": the machine had no memory left, the bot used no more than it may"
            return ProcessExit(words, found, Cause.MACHINE_MEMORY)
        return ProcessExit(words, found)


def _only_child(pid: int) -> int:
    """Return the one child that a process has."""
    (child,) = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return child
