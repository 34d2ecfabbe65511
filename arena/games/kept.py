"""Results that are kept, for what is asked for over and over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

MAX_KEPT = 1 << 12
"""So many are kept of each kind; then they are forgotten, all at once.  It is what hundreds of matches at a time need."""

MAX_KEPT_IN_REPLAYS = 1 << 8
"""For processes that show single positions, or replay one match after the other: from each position to the next nearly all is the same."""

Key = TypeVar("Key")
Value = TypeVar("Value")


def keep_at_most(count: int) -> None:
    """Keep so many of each kind in this process: where few positions are seen, it would take hours until there are MAX_KEPT."""
    global MAX_KEPT  # noqa: PLW0603 - one bound for the tables of all games, which are made at import
    MAX_KEPT = count


class Kept(dict[Key, Value]):
    """What a function makes of each key, made once and kept; mutable."""

    def __init__(self, make: Callable[[Key], Value]) -> None:
        self._make = make

    def __missing__(self, key: Key) -> Value:
        if len(self) >= MAX_KEPT:
            self.clear()
        value = self[key] = self._make(key)
        return value
