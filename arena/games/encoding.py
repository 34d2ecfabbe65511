"""Encoding of a game for learners: its actions by number, and a seat's view as a row of numbers of fixed length.

A game that has an encoding defines it in `encoding.py` of its folder:

    ACTIONS               every action that there can be, in any variant and with any number of seats
    PARTS                 the parts of the row: name → count of numbers, in order
    encode(view, seat, seats)    the row; all numbers are from −1 to 1

The row is made from the view alone, so that it cannot show what the seat may not know.  It is joined from parts, which are
bytes, so that those which many views share, such as of a pile or a boat, can be kept (`arena.games.kept`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from arena.games.kernel import Action


class Encoding(Protocol):
    """Encoding of one game in numbers: the module `encoding.py` of its folder."""

    ACTIONS: tuple[Action, ...]
    """The number of an action is its place here."""

    PARTS: Mapping[str, int]
    """Parts of the row, in order: name → count of numbers."""

    def encode(self, view: Any, seat: int, seats: int) -> array[float]:  # noqa: ANN401 - each game has its own view
        """Put the view of a seat, of `seats`, into a new row."""
        ...


def flags(members: Iterable[int], length: int) -> bytes:
    """Return a part of a row, of that length: 1 at each member, else 0."""
    part = array("f", bytes(4 * length))
    for member in members:
        part[member] = 1.0
    return part.tobytes()


def counts(members: Iterable[int], length: int, most: int) -> bytes:
    """Return a part of a row, of that length: how often each member is there, as a share of `most`."""
    part = [0.0] * length
    share = 1 / most
    for member in members:
        part[member] += share
    return array("f", part).tobytes()


def numbers(values: Iterable[float]) -> bytes:
    """Return a part of a row; numbers out of range become −1 or 1."""
    return array("f", [min(max(value, -1.0), 1.0) for value in values]).tobytes()


def zeros(length: int) -> bytes:
    """Return a part of a row, of that length, that is 0 everywhere."""
    return bytes(4 * length)


def join(parts: Iterable[bytes]) -> array[float]:
    """Return the row that consists of these parts."""
    return array("f", b"".join(parts))
