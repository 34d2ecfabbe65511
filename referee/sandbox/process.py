"""The process of a sandboxed bot."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

from referee.hosted_process import ChildProcess

if TYPE_CHECKING:
    from referee.sandbox.cgroups import Cgroups, Group
    from referee.sandbox.watching import Watch

_SIGNALLED = 128
"""What bubblewrap adds to a signal's number to make it an exit code."""


class SandboxedProcess(ChildProcess):
    """A bubblewrap with all that runs in it: they end together."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        ready: int,
        watch: Watch,
        groups: Cgroups | None = None,
        group: Group | None = None,
    ) -> None:
        super().__init__(popen)
        self._groups = groups
        self._group = group
        self._ready = ready
        self._began = False
        self._watch = watch
        os.set_blocking(ready, False)
        watch.add(self.pid)

    @property
    def began(self) -> bool:
        """Whether the bot's own program has begun."""
        if not self._began and self._ready >= 0:
            with suppress(BlockingIOError):
                self._began = bool(os.read(self._ready, 1))
        return self._began

    def _how(self, code: int) -> str:
        _ = self.began  # the last chance to know
        os.close(self._ready)
        self._ready = -1
        exceeded = self._watch.remove(self.pid)
        if self._groups is not None and self._group is not None:
            exceeded = exceeded or self._group.exceeded()
            self._groups.remove(self._group)
        if exceeded:
            return f"it was ended: {exceeded}"
        if code > _SIGNALLED:
            with suppress(ValueError):
                return f"its process ended with signal {signal.Signals(code - _SIGNALLED).name}"
        return super()._how(code)
