"""A clock that is not the database's: leases and other deadlines that machines share go by that one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from arena.core.translatable import mark, say
from arena.storage import Store
from arena.storage.database_clock import read_time

MAX_S = 2.0
_READINGS = 3

AHEAD = mark(
    "this machine's clock is {seconds} s ahead of the database's; set both by NTP, such as `timedatectl set-ntp true`"
)
BEHIND = mark(
    "this machine's clock is {seconds} s behind the database's; set both by NTP, such as `timedatectl set-ntp true`"
)


@dataclass(frozen=True, slots=True)
class ClockOffset:
    """Seconds by which this machine's clock is ahead of the database's, and the error of that measurement."""

    ahead_s: float
    error_s: float = 0.0


def measure(store: Store) -> ClockOffset:
    """Ask the database for its time, several times, and return the reading that took the shortest.  Raises SQLAlchemyError."""
    return min((_read(store) for _ in range(_READINGS)), key=lambda reading: reading.error_s)


def check_offset(offset: ClockOffset) -> Iterator[str]:
    """Yield a warning if the clocks certainly differ by more than two seconds."""
    if abs(offset.ahead_s) - offset.error_s > MAX_S:
        yield say(AHEAD if offset.ahead_s > 0 else BEHIND, seconds=round(abs(offset.ahead_s), 1))


def _read(store: Store) -> ClockOffset:
    with store.read() as session:
        session.connection()  # opening a connection takes longer than the question
        before, started = time.time(), time.monotonic()
        there = read_time(session)
        took_s = time.monotonic() - started
    return ClockOffset(before + took_s / 2 - there, took_s / 2)
