"""The environment of a referee: without the secrets of the store, Redis and browser sessions, which it never uses."""

from __future__ import annotations

import os
import sys

from arena.core import child_process


def drop_private() -> None:
    """Execute the program again without the private variables, if there are any: /proc/PID/environ keeps showing them."""
    kept = child_process.without_private(os.environ)
    if len(kept) < len(os.environ):
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], kept)  # noqa: S606 - this program again
