"""Slots: how many hosted bots may think at the same time.  First come, first served."""

from __future__ import annotations

from collections import deque
from typing import Protocol


class Thinker(Protocol):
    """What thinks in a slot: a connection of a hosted bot."""

    def granted(self) -> None:
        """Take note that a slot that was waited for is there."""
        ...


class Slots:
    """A number of slots, and who waits for one."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._queue: deque[Thinker] = deque()

    @property
    def wanted(self) -> bool:
        """Whether somebody waits."""
        return bool(self._queue)

    def acquire(self, thinker: Thinker) -> bool:
        """Take a slot, or stand in line for one: `granted` will be called."""
        if self._free:
            self._free -= 1
            return True
        self._queue.append(thinker)
        return False

    def release(self) -> None:
        """Return a slot back; it goes to the first in line."""
        if self._queue:
            self._queue.popleft().granted()
        else:
            self._free += 1

    def forget(self, thinker: Thinker) -> None:
        """Take one out of the line."""
        if thinker in self._queue:
            self._queue.remove(thinker)
