"""What a referee has in its environment: nothing of the store, of Redis, or of browsers' sessions, which it never uses."""

from __future__ import annotations

import os
import sys

from arena.core import child_process


def drop_private() -> None:
    """Begin again without the private variables, if there are any: /proc/PID/environ shows what a program was started with."""
    kept = child_process.without_private(os.environ)
    if len(kept) < len(os.environ):
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], kept)  # noqa: S606 - this program again
