import asyncio
import time
import weakref
from math import inf

from referee.limits.match_clock import Alarm, StallAwareClock


class Bell:
    def __init__(self, due_ms: float) -> None:
        self.alarm: Alarm | None = None
        self.due_ms = due_ms
        self.rung: list[float] = []

    def next_deadline(self) -> float:
        return self.due_ms

    def expire(self, at_ms: float) -> None:
        self.rung.append(at_ms)
        self.due_ms = inf


async def test_deadline_is_told_soon_after_it_has_passed() -> None:
    timekeeper = StallAwareClock(asyncio.get_running_loop())
    timekeeper.start()
    due_ms = timekeeper.now_ms() + 50
    alarm = Bell(due_ms)
    timekeeper.schedule(alarm)
    await asyncio.sleep(0.2)
    timekeeper.stop()
    (rung_ms,) = alarm.rung
    assert rung_ms >= due_ms


async def test_deadline_that_was_put_off_is_told_at_its_new_time() -> None:
    timekeeper = StallAwareClock(asyncio.get_running_loop())
    timekeeper.start()
    alarm = Bell(timekeeper.now_ms() + 30)
    timekeeper.schedule(alarm)
    alarm.due_ms += 60
    later_ms = alarm.due_ms
    await asyncio.sleep(0.3)
    timekeeper.stop()
    (rung_ms,) = alarm.rung
    assert rung_ms >= later_ms


async def test_time_stands_still_while_the_loop_is_late() -> None:
    timekeeper = StallAwareClock(asyncio.get_running_loop())
    timekeeper.start()
    await asyncio.sleep(0.05)
    before_ms = timekeeper.now_ms()
    time.sleep(0.5)  # noqa: ASYNC251 - the loop is to be late
    assert timekeeper.now_ms() - before_ms < 100
    await asyncio.sleep(0.03)
    assert timekeeper.now_ms() - before_ms < 200
    timekeeper.stop()


async def test_time_never_goes_back() -> None:
    timekeeper = StallAwareClock(asyncio.get_running_loop())
    timekeeper.start()
    seen = []
    for number in range(60):
        if number % 20 == 0:
            time.sleep(0.05)  # noqa: ASYNC251 - the loop is to be late
        seen.append(timekeeper.now_ms())
        await asyncio.sleep(0.003)
    timekeeper.stop()
    assert seen == sorted(seen)


async def test_what_was_forgotten_is_not_told_and_not_kept() -> None:
    timekeeper = StallAwareClock(asyncio.get_running_loop())
    timekeeper.start()
    bell = Bell(timekeeper.now_ms() + 30)
    timekeeper.schedule(bell)
    timekeeper.forget(bell)
    kept, rung = weakref.ref(bell), bell.rung
    del bell
    assert kept() is None
    await asyncio.sleep(0.1)
    timekeeper.stop()
    assert not rung
