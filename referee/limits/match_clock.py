"""The referee's clock: it stops while the event loop is late, so that no bot pays for the referee's load.

A tick is due every 10 ms.  While a tick is overdue, the clock stops at the time when it was due; once the
tick comes, its delay is left out for good.  So the clock never goes back, and a referee that was stopped for a minute
charges no bot for it.  The deadlines of all matches share one heap and one timer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush
from math import inf
from time import monotonic
from typing import Protocol

TICK_S = 0.010
_MAX_JITTER_S = 0.002
"""A tick that is late by no more than this is on time: timers are no more precise."""

_TICKS_PER_CALL = 10
"""Ticks from one call of the `on_tick` functions to the next: a tenth of a second."""


class Alarm:
    """An entry of the heap; `timed` is None once it is obsolete, since it stays in the heap until it is due."""

    __slots__ = ("due_ms", "timed")

    def __init__(self, due_ms: float, timed: Timed) -> None:
        self.due_ms = due_ms
        self.timed: Timed | None = timed


class Timed(Protocol):
    """An owner of deadlines: a match."""

    alarm: Alarm | None
    """Its entry in the heap; set by the clock only."""

    def next_deadline(self) -> float:
        """Return the time at which `expire` is due, in ms; infinity if there is no deadline."""
        ...

    def expire(self, at_ms: float) -> None:
        """Handle the deadlines up to `at_ms`."""
        ...


class StallAwareClock:
    """The clock of a referee, in milliseconds since an arbitrary moment.  Mutable."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._late_s = 0.0
        self._frozen_at_s = inf
        self._heap: list[tuple[float, int, Alarm]] = []
        self._pushed = 0
        self._callbacks: list[Callable[[float], None]] = []
        self._ticks = 0
        self._timer: asyncio.TimerHandle | None = None

    def now_ms(self) -> float:
        """Return the time, in milliseconds."""
        return (min(monotonic(), self._frozen_at_s) - self._late_s) * 1000

    def start(self) -> None:
        """Start ticking."""
        if self._timer is None:
            self._frozen_at_s = monotonic() + TICK_S + _MAX_JITTER_S
            self._timer = self._loop.call_later(TICK_S, self._tick)

    def stop(self) -> None:
        """Stop for good."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._frozen_at_s = inf

    def on_tick(self, callback: Callable[[float], None]) -> None:
        """Register a function to be called with the time, ten times a second."""
        self._callbacks.append(callback)

    def schedule(self, timed: Timed) -> None:
        """Schedule a call of `expire` once the next deadline has passed; cheap if it is scheduled already."""
        due_ms = timed.next_deadline()
        if due_ms < (inf if timed.alarm is None else timed.alarm.due_ms):
            self.forget(timed)
            timed.alarm = Alarm(due_ms, timed)
            self._pushed += 1
            heappush(self._heap, (due_ms, self._pushed, timed.alarm))

    def forget(self, timed: Timed) -> None:
        """Unschedule what has no deadlines any more, and drop the reference to it."""
        if timed.alarm is not None:
            timed.alarm.timed = None
            timed.alarm = None

    def _tick(self) -> None:
        now_s = monotonic()
        self._late_s += max(0.0, now_s - self._frozen_at_s)
        self._frozen_at_s = now_s + TICK_S + _MAX_JITTER_S
        self._timer = self._loop.call_later(TICK_S, self._tick)
        now_ms = (now_s - self._late_s) * 1000
        while self._heap and self._heap[0][0] <= now_ms:
            timed = heappop(self._heap)[2].timed
            if timed is not None:
                timed.alarm = None
                if timed.next_deadline() <= now_ms:
                    timed.expire(now_ms)
                self.schedule(timed)
        self._ticks += 1
        if self._ticks % _TICKS_PER_CALL == 0:
            for callback in self._callbacks:
                callback(now_ms)
