"""A cache of what is computed from the store: each value with the version of what it was computed from.

A cache version is a value that is another one whenever the inputs are: a revision, a count of results, a hash of them, a moment.  It is read
in the transaction in which the value is computed, so a value that is returned is never older than the request for it.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, NamedTuple, TypeVar

MAX_VALUES = 400
IDLE_S = 600.0
"""Seconds after which unused values are dropped, so memory follows current use."""

Value = TypeVar("Value")


class Cached(NamedTuple):
    """A value and the version of what it was computed from."""

    version: Hashable
    value: Any


@dataclass(slots=True)
class _Slot:
    """The place of a key.  A thread that computes the value holds `computing`, so that others that want it wait for it."""

    computing: Lock = field(default_factory=Lock)
    cached: Cached | None = None
    weight: int = 1
    used_at: float = field(default_factory=time.monotonic)


def _one(_value: object) -> int:
    return 1


class VersionedCache:
    """Values by key, one version of each; threads may share it.

    All values together weigh at most `max_weight`, as `weigh` counts it: the least recently used are dropped.  Without these, there are at
    most MAX_VALUES of them.  Whenever a value is added, those are dropped that were not asked for in the last `idle_s` seconds.
    """

    def __init__(
        self, max_weight: int = MAX_VALUES, weigh: Callable[[Any], int] = _one, idle_s: float = IDLE_S
    ) -> None:
        self._idle_s = idle_s
        self._max_weight = max_weight
        self._weigh = weigh
        self._lock = Lock()
        self._slots: OrderedDict[Hashable, _Slot] = OrderedDict()
        self._weight = 0

    def get(self, key: Hashable, version: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the value of this version, computed if it is not there; of several threads that want it, one computes it."""
        with self._lock:
            slot = self._slots.get(key)
            if slot is None:
                slot = self._add(key, _Slot())
            self._use(key, slot)
        with slot.computing:
            cached = slot.cached
            if cached is None or cached.version != version:
                cached = self._compute(key, slot, version, compute)
            value: Value = cached.value
            return value

    def find(self, key: Hashable) -> Cached | None:
        """Return the stored value with its version; None if there is none."""
        with self._lock:
            slot = self._slots.get(key)
            if slot is None:
                return None
            self._use(key, slot)
            return slot.cached

    def put(self, key: Hashable, version: Hashable, value: object) -> None:
        """Keep a value, in place of what was there."""
        slot = _Slot(cached=Cached(version, value), weight=self._weigh(value))
        with self._lock:
            self._drop(key)
            self._add(key, slot)

    def drop(self, key: Hashable) -> None:
        """Drop a value; one that is being computed is not kept."""
        with self._lock:
            self._drop(key)

    def _use(self, key: Hashable, slot: _Slot) -> None:
        self._slots.move_to_end(key)
        slot.used_at = time.monotonic()

    def _add(self, key: Hashable, slot: _Slot) -> _Slot:
        self._slots[key] = slot
        self._weight += slot.weight
        self._trim()
        return slot

    def _compute(
        self, key: Hashable, slot: _Slot, version: Hashable, compute: Callable[[], object]
    ) -> Cached:
        try:
            cached = Cached(version, compute())
        except BaseException:
            if slot.cached is None:
                self._remove(key, slot)
            raise
        with self._lock:
            slot.cached = cached
            if self._slots.get(key) is slot:  # else it was dropped while the value was computed
                weight = self._weigh(cached.value)
                self._weight += weight - slot.weight
                slot.weight = weight
                self._trim()
        return cached

    def _remove(self, key: Hashable, slot: _Slot) -> None:
        with self._lock:
            if self._slots.get(key) is slot:
                self._drop(key)

    def _drop(self, key: Hashable) -> None:
        slot = self._slots.pop(key, None)
        self._weight -= 0 if slot is None else slot.weight

    def _trim(self) -> None:
        idle_since = time.monotonic() - self._idle_s
        while self._slots:
            key, oldest = next(iter(self._slots.items()))
            if self._weight <= self._max_weight and oldest.used_at >= idle_since:
                break
            self._drop(key)
