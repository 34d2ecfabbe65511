"""CPU slots: how many hosted bots may think at the same time.  First come, first served."""

from __future__ import annotations

from collections import deque
from typing import Protocol


class SlotUser(Protocol):
    """A user of a slot: the connection of a hosted bot."""

    def on_slot_granted(self) -> None:
        """Use the slot that was queued for."""
        ...


class Slots:
    """A number of slots, and the queue for them.  Mutable."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._free = count
        self._queue: deque[SlotUser] = deque()

    @property
    def is_contended(self) -> bool:
        """Whether the queue is not empty."""
        return bool(self._queue)

    @property
    def in_use(self) -> int:
        """The number of slots that are taken."""
        return self.count - self._free

    def acquire(self, user: SlotUser) -> bool:
        """Take a slot and return True; without a free one, queue for it: `on_slot_granted` will be called."""
        if self._free:
            self._free -= 1
            return True
        self._queue.append(user)
        return False

    def release(self) -> None:
        """Release a slot; the first of the queue gets it."""
        if self._queue:
            self._queue.popleft().on_slot_granted()
        else:
            self._free += 1

    def forget(self, user: SlotUser) -> None:
        """Remove a user from the queue."""
        if user in self._queue:
            self._queue.remove(user)
