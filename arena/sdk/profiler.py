"""Sampling what a bot does while it thinks, for `arena match --profile`: its slowest decisions, with the calls that they were spent in.

    {"program": "…/my_bot.py", "decisions": [{"match": …, "seat": 0, "call": 7, "ms": 81.2, "seen": 80.9, "calls": [[["choose (my_bot.py:9)", …], 80.0], …]}]}

`call` counts how often the seat was asked in the match, from 1; the calls of a stack come outermost first, with their milliseconds.
`seen` are the milliseconds until the last sample: what came after it counts to the calls of that sample.

A timer's signal (SIGALRM) interrupts the bot itself, which needs no other thread to get a processor and Python's lock.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections import Counter, defaultdict
from contextlib import suppress
from functools import partial
from heapq import heappush, heappushpop
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from arena.sdk.bot import Bot, Decision

KEPT = 20
"""Decisions of each process that are kept."""
_PAUSE_S = (0.0002, 0.002)
"""Between two samples, at least and at most."""
_PAUSE_SHARE = 0.05
"""Of a decision so far: quick ones need samples that are close together, slow ones would gain nothing by them."""
_WRITE_EVERY_S = 0.2
"""A process is ended without a word: what it has sampled has to be in the file before."""
_DEEPEST = 200
"""Calls that are kept of a stack, from the outermost on."""

_Stack = tuple[CodeType, ...]


class _Thought:
    """A decision that is being made.  Mutable and private to this module."""

    __slots__ = ("began", "call", "calls", "last", "match", "ms", "seat", "seen")

    def __init__(self, method: Any, decision: Decision[Any], call: int) -> None:  # noqa: ANN401 - either method
        self.match, self.seat, self.call = decision.match, decision.seat, call
        self.calls: defaultdict[_Stack, float] = defaultdict(float)
        code = getattr(method, "__code__", None)
        self.last: _Stack = () if code is None else (code,)
        self.ms = 0.0
        self.began = self.seen = time.perf_counter()

    def add(self, stack: _Stack, now: float) -> None:
        """Count the time since the last sample to the calls that are on the stack now."""
        self.calls[stack] += 1000 * (now - self.seen)
        self.last, self.seen = stack, now

    def leave_out(self, seconds: float) -> None:
        """Leave out time that was not the bot's."""
        self.began += seconds
        self.seen += seconds

    def to_document(self) -> dict[str, Any]:
        seen_ms = 1000 * (self.seen - self.began)
        ms = self.ms or seen_ms
        calls = self.calls.copy()
        calls[self.last] += max(0.0, ms - seen_ms)
        return {
            "match": self.match,
            "seat": self.seat,
            "call": self.call,
            "ms": round(ms, 3),
            "seen": round(min(ms, seen_ms), 3),
            "calls": [[_names(stack), round(spent, 3)] for stack, spent in calls.items()],
        }


class _Profiler:
    """Samples the main thread, in which bots think, whenever a timer interrupts it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._asked: Counter[tuple[str, int]] = Counter()
        self._slowest: list[tuple[float, int, _Thought]] = []
        self._thought: _Thought | None = None
        self._has_more = False
        self._count = 0
        self._written = time.perf_counter()
        signal.signal(signal.SIGALRM, self._sample)

    def ask(self, method: Any, decision: Decision[Any]) -> Any:  # noqa: ANN401 - an action, or a line of talk
        """Ask the bot, and keep the decision if it is among the slowest."""
        seat = decision.match, decision.seat
        self._asked[seat] += 1
        thought = _Thought(method, decision, self._asked[seat])
        # A bot that has an alarm of its own keeps it, and is not sampled.
        if (
            threading.current_thread() is not threading.main_thread()
            or signal.getsignal(signal.SIGALRM) != self._sample
        ):
            return self._time(method, decision, thought)
        # Samples would wake the thread that waits for signals to end the bot by; at each of them Python looks for such signals.
        wakeup = signal.set_wakeup_fd(-1)
        self._thought = thought
        signal.setitimer(signal.ITIMER_REAL, _PAUSE_S[0])
        try:
            return self._time(method, decision, thought)
        finally:
            self._thought = None
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)

    def end(self, method: Any, *arguments: Any) -> None:  # noqa: ANN401 - as the bot's
        """Tell the bot that a match is over, and write what was sampled."""
        method(*arguments)
        if self._has_more:
            self._write()

    def _time(self, method: Any, decision: Decision[Any], thought: _Thought) -> Any:  # noqa: ANN401 - as in ask
        try:
            return method(decision)
        finally:
            thought.ms = 1000 * (time.perf_counter() - thought.began)
            self._keep(thought)

    def _keep(self, thought: _Thought) -> None:
        self._thought = None
        self._count += 1
        entry = (thought.ms, self._count, thought)
        if len(self._slowest) < KEPT:
            heappush(self._slowest, entry)
            self._has_more = True
        elif thought.ms > self._slowest[0][0]:
            heappushpop(self._slowest, entry)
            self._has_more = True
        if self._has_more and time.perf_counter() - self._written > _WRITE_EVERY_S:
            self._write()

    def _sample(self, _signal: int, frame: FrameType | None) -> None:
        thought = self._thought
        if thought is None:
            return
        now = time.perf_counter()
        stack = _stack(frame)
        if stack:
            thought.add(stack, now)
        if now - max(self._written, thought.began) > _WRITE_EVERY_S:
            self._write()
        thought.leave_out(time.perf_counter() - now)
        least, most = _PAUSE_S
        signal.setitimer(signal.ITIMER_REAL, max(least, min(most, _PAUSE_SHARE * (now - thought.began))))

    def _write(self) -> None:
        self._has_more = False
        thoughts = [thought for _, _, thought in self._slowest]
        if self._thought is not None:
            thoughts.append(self._thought)
        document = {
            "program": str(Path(sys.argv[0]).resolve()),
            "decisions": [each.to_document() for each in thoughts],
        }
        draft = self._file.with_suffix(".draft")
        with suppress(OSError):  # a full disk is no fault of the bot's
            draft.write_text(json.dumps(document), encoding="utf-8")
            draft.replace(self._file)
        self._written = time.perf_counter()


def profile(bot: Bot[Any], folder: Path) -> None:
    """Sample a bot from now on, and write its slowest decisions into a file of the folder."""
    profiler = _Profiler(folder / f"{os.getpid()}.json")
    for name in ("choose", "say"):
        setattr(bot, name, partial(profiler.ask, getattr(bot, name)))
    bot.on_end = partial(profiler.end, bot.on_end)  # type: ignore[method-assign]


def _stack(frame: FrameType | None) -> _Stack:
    """Return the calls from the bot's method on; nothing if it is not in one."""
    calls: list[CodeType] = []
    while frame is not None:
        code = frame.f_code
        if code is _Profiler._time.__code__:  # noqa: SLF001 - it calls the bot's method
            return tuple(calls[: -_DEEPEST - 1 : -1])
        calls.append(code)
        if code is _Profiler._sample.__code__:  # noqa: SLF001 - the timer was quicker than the sample before
            calls.clear()
        frame = frame.f_back
    return ()


def _names(stack: _Stack) -> list[str]:
    calls = [f"{code.co_qualname} ({Path(code.co_filename).name}:{code.co_firstlineno})" for code in stack]
    return calls or ["unknown"]
