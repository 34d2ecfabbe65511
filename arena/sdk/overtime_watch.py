"""Shows where a bot is when its time runs out: the stack of the thread that chooses, on stderr, once a match.

A thread of its own looks: a bot that thinks too long does nothing else.  It looks twenty times a second while decisions are
open, and sleeps without a timer when none has been for a while; opening and closing a decision costs two assignments.
"""

from __future__ import annotations

import sys
import threading
from time import monotonic
from traceback import StackSummary, format_list, walk_stack

_LOOKS_EVERY_S = 0.05
_SLEEPS_AFTER = 20
"""Looks without an open decision, after which the thread sleeps."""
_BEFORE_S = 0.1
"""The stack is shown this long before the time is up: the arena stops reading the output of a match when it is over."""
_SHARE = 0.9
"""Of a time that is shorter than a second, the stack is shown when this share has passed."""
_MAX_FRAMES = 30
_MAX_CHARS = 4000
_STACK_BYTES = 256 << 10
_SDK = "arena.sdk."


class OvertimeWatch:
    """Watches the decisions of one bot; they are made in the thread that opens them, one after the other.  Mutable."""

    def __init__(self) -> None:
        self._open: tuple[float, float, str, int] | None = None
        """When the open decision's stack is due, when its time began, its match and its number."""
        self._shown: str = ""
        """The match in which a stack was shown last."""
        self._thread_id = 0
        self._wake = threading.Event()
        self._sleeps = False

    def open(self, match: str, decision: int, began: float, limit_ms: int) -> None:
        """Watch a decision whose time began at `began`, by the monotonic clock."""
        if not self._thread_id:
            self._start()
        limit_s = limit_ms / 1000
        self._open = (began + max(limit_s - _BEFORE_S, limit_s * _SHARE), began, match, decision)
        if self._sleeps:
            self._wake.set()

    def close(self) -> None:
        """Stop watching: the decision has been made."""
        self._open = None

    def _start(self) -> None:
        self._thread_id = threading.get_ident()
        before = threading.stack_size(_STACK_BYTES)
        try:
            threading.Thread(target=self._watch, name="overtime", daemon=True).start()
        except RuntimeError:  # the bot has used up the threads that it may have
            pass
        finally:
            threading.stack_size(before)

    def _watch(self) -> None:
        idle = 0
        while True:
            watched = self._open
            idle = 0 if watched else idle + 1
            if watched is not None and monotonic() >= watched[0] and watched[2] != self._shown:
                self._shown = watched[2]
                self._show(watched)
            if idle < _SLEEPS_AFTER:
                self._wake.wait(_LOOKS_EVERY_S)
                continue
            self._sleeps = True
            if self._open is None:
                self._wake.wait()
            self._sleeps, idle = False, 0
            self._wake.clear()

    def _show(self, watched: tuple[float, float, str, int]) -> None:
        _, began, match, decision = watched
        frame = sys._current_frames().get(self._thread_id)  # noqa: SLF001 - documented, for debugging
        if frame is None or self._open is not watched:
            return
        stack = StackSummary.extract(walk_stack(frame), limit=_MAX_FRAMES, lookup_lines=False)
        own = []
        for (each, _), summary in zip(walk_stack(frame), stack, strict=False):
            if each.f_globals.get("__name__", "").startswith(_SDK):
                break
            own.append(summary)
        where = "".join(format_list(own[::-1]))[-_MAX_CHARS:]
        took_s = monotonic() - began
        text = f"match {match}, decision {decision}: no answer after {took_s:.2f} s, its time is nearly up; the bot is here:\n{where}"
        print(text, end="", file=sys.stderr, flush=True)  # noqa: T201
