"""Results that are kept, for what is asked for over and over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

MAX_KEPT = 1 << 12
"""So many are kept; then they are forgotten, all at once."""

Key = TypeVar("Key")
Value = TypeVar("Value")


class Kept(dict[Key, Value]):
    """What a function makes of each key, made once and kept; mutable."""

    def __init__(self, make: Callable[[Key], Value]) -> None:
        self._make = make

    def __missing__(self, key: Key) -> Value:
        if len(self) >= MAX_KEPT:
            self.clear()
        value = self[key] = self._make(key)
        return value
