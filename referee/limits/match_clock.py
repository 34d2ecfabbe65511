"""The referee's clock: it stands still while the event loop is late, so that no bot pays for the referee's load.

A tick is due every 10 ms.  While a tick is overdue the time stays where the tick should have been; once the tick
comes, its delay is left out for good.  So the clock never goes back, and a referee that was stopped for a minute
charges nobody for it.  All deadlines of all matches hang on the tick: there is one heap and one timer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush
from math import inf
from time import monotonic
from typing import Protocol

TICK_S = 0.010
_PUNCTUAL_S = 0.002
"""A tick that is late by no more is on time: timers are no finer."""

_PATROL_TICKS = 10


class Alarm:
    """An entry of the heap; emptied when it has lost its purpose, for it may lie there for a while."""

    __slots__ = ("due_ms", "timed")

    def __init__(self, due_ms: float, timed: Timed) -> None:
        self.due_ms = due_ms
        self.timed: Timed | None = timed


class Timed(Protocol):
    """What has deadlines: a table."""

    alarm: Alarm | None
    """Its entry in the heap; the timekeeper's own note."""

    def next_deadline(self) -> float:
        """Return the time at which `expire` is due, infinity if nothing is."""
        ...

    def expire(self, at_ms: float) -> None:
        """Take note that the time has come to `at_ms`."""
        ...


class StallAwareClock:
    """One per referee; runs while there is something to time."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._late_s = 0.0
        self._frozen_at_s = inf
        self._heap: list[tuple[float, int, Alarm]] = []
        self._pushed = 0
        self._patrols: list[Callable[[float], None]] = []
        self._ticks = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def late_ms(self) -> float:
        """All the lateness so far."""
        return self._late_s * 1000

    def now_ms(self) -> float:
        """Return the time, in milliseconds since some moment."""
        return (min(monotonic(), self._frozen_at_s) - self._late_s) * 1000

    def start(self) -> None:
        """Start ticking."""
        if self._timer is None:
            self._frozen_at_s = monotonic() + TICK_S + _PUNCTUAL_S
            self._timer = self._loop.call_later(TICK_S, self._tick)

    def stop(self) -> None:
        """Stop for good."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._frozen_at_s = inf

    def on_tick(self, walk: Callable[[float], None]) -> None:
        """Have a function called with the time, ten times a second."""
        self._patrols.append(walk)

    def schedule(self, timed: Timed) -> None:
        """See to it that `expire` is called once its deadline has passed; cheap if that is so already."""
        due_ms = timed.next_deadline()
        if due_ms < (inf if timed.alarm is None else timed.alarm.due_ms):
            self.forget(timed)
            timed.alarm = Alarm(due_ms, timed)
            self._pushed += 1
            heappush(self._heap, (due_ms, self._pushed, timed.alarm))

    def forget(self, timed: Timed) -> None:
        """Hold on no longer to what has no deadlines any more."""
        if timed.alarm is not None:
            timed.alarm.timed = None
            timed.alarm = None

    def _tick(self) -> None:
        now_s = monotonic()
        self._late_s += max(0.0, now_s - self._frozen_at_s)
        self._frozen_at_s = now_s + TICK_S + _PUNCTUAL_S
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
        if self._ticks % _PATROL_TICKS == 0:
            for walk in self._patrols:
                walk(now_ms)
