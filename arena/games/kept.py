"""Results that are kept, for what is asked for over and over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

MAX_KEPT = 1 << 12
"""Values cached of each kind; when there are more, all are dropped.  Hundreds of matches at a time need as many."""

MAX_KEPT_IN_REPLAYS = 1 << 8
"""For processes that show single positions, or replay one match after the other: from each position to the next nearly all is the same."""

Key = TypeVar("Key")
Value = TypeVar("Value")


def keep_at_most(count: int) -> None:
    """Cache at most `count` values of each kind in this process: where few positions occur, reaching MAX_KEPT would take hours."""
    global MAX_KEPT  # noqa: PLW0603 - one bound for the tables of all games, which are made at import
    MAX_KEPT = count


class Kept(dict[Key, Value]):
    """Cache of a function's values by key; mutable."""

    def __init__(self, make: Callable[[Key], Value]) -> None:
        self._make = make

    def __missing__(self, key: Key) -> Value:
        if len(self) >= MAX_KEPT:
            self.clear()
        value = self[key] = self._make(key)
        return value
