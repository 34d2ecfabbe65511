"""What is computed from results is kept until there are other results: each value with the mark of what it was computed from.

A mark is read in the transaction in which the value is computed, so a value that is given is never older than its asking.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from arena.storage import Store

MOST = 400
"""Values of a store; what was not asked for the longest is given up."""

Value = TypeVar("Value")


@dataclass(slots=True)
class _Place:
    """The place of one value.  The thread that holds `computing` makes it; others that want the same wait for that."""

    computing: Lock = field(default_factory=Lock)
    mark: Hashable = None
    value: Any = None


@dataclass(slots=True)
class _Kept:
    lock: Lock = field(default_factory=Lock)
    places: OrderedDict[Hashable, _Place] = field(default_factory=OrderedDict)


_stores: WeakKeyDictionary[Store, _Kept] = WeakKeyDictionary()


def cached(store: Store, key: Hashable, version: Hashable, compute: Callable[[], Value]) -> Value:
    """Compute something, unless it is kept from the same mark; `mark` is anything but None.

    Of several threads that want the same one computes it.
    """
    kept = _stores.setdefault(store, _Kept())
    with kept.lock:
        place = kept.places.setdefault(key, _Place())
        kept.places.move_to_end(key)
        while len(kept.places) > MOST:
            kept.places.popitem(last=False)
    with place.computing:
        if place.mark != version:
            place.value, place.mark = compute(), version
        value: Value = place.value
        return value
