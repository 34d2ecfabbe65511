"""Keeping what was computed from results until there are others: a page is asked for more often than results come in."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from arena.store import Store

MOST_KEPT = 1000

Value = TypeVar("Value")

_kept: WeakKeyDictionary[Store, dict[Hashable, tuple[Hashable, Any]]] = WeakKeyDictionary()


def keep(store: Store, name: Hashable, mark: Hashable, compute: Callable[[], Value]) -> Value:
    """Compute something, unless it is kept with the same mark; what was not asked for the longest is given up.

    A mark changes whenever the results do that the value is computed from.
    """
    kept = _kept.setdefault(store, {})
    found = kept.pop(name, None)
    if found is None or found[0] != mark:
        found = (mark, compute())
    kept[name] = found
    if len(kept) > MOST_KEPT:
        for old in list(kept)[: MOST_KEPT // 10]:
            kept.pop(old, None)
    return cast("Value", found[1])
