"""Tuples with one part changed: what positions are made of."""

from __future__ import annotations

from typing import TypeVar

Item = TypeVar("Item")


def put(items: tuple[Item, ...], at: int, item: Item) -> tuple[Item, ...]:
    """Return the items with another in one place."""
    changed = list(items)
    changed[at] = item
    return tuple(changed)


def append(items: tuple[Item, ...], item: Item) -> tuple[Item, ...]:
    """Return the items with one more at the end."""
    last: tuple[Item, ...] = (item,)
    return items + last


def drop(items: tuple[Item, ...], at: int) -> tuple[Item, ...]:
    """Return the items without the one in a place."""
    return items[:at] + items[at + 1 :]


def find(numbers: tuple[int, ...], number: int) -> int:
    """Return the first place of a number, −1 for none."""
    for at, other in enumerate(numbers):
        if other == number:
            return at
    return -1


def without(items: tuple[Item, ...], item: Item) -> tuple[Item, ...]:
    """Return the items without the first that equals one.  Raises ValueError where there is none."""
    left = list(items)
    left.remove(item)
    return tuple(left)


def insert(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Return numbers, ascending, with one more in its place."""
    at = 0
    for other in numbers:
        if other >= number:
            break
        at += 1
    here: tuple[int, ...] = (number,)
    return numbers[:at] + here + numbers[at:]
