"""What a learner is given of a game: its actions by number, and a seat's view as a row of numbers of fixed length.

A game that has an encoding says it in `encoding.py` of its folder:

    ACTIONS               every action that there can be, in any variant and with any number of seats
    PARTS                 what the row consists of: name → count of numbers, in order
    encode(view, seat, seats)    the row; all numbers are from −1 to 1

The row is made from the view alone, so that it cannot show what the seat may not know.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from arena.games.kernel import Action


class Encoding(Protocol):
    """How one game is put into numbers: the module `encoding.py` of its folder."""

    ACTIONS: tuple[Action, ...]
    """The number of an action is its place here."""

    PARTS: Mapping[str, int]
    """What the row consists of, in order: name → count of numbers."""

    def encode(self, view: Any, seat: int, seats: int) -> array[float]:  # noqa: ANN401 - each game has its own view
        """Put the view of a seat, of `seats`, into a new row."""
        ...


class Row:
    """A row that is being filled, part after part; what is not filled is 0."""

    __slots__ = ("at", "numbers")

    def __init__(self, length: int) -> None:
        self.numbers = array("f", bytes(4 * length))
        self.at = 0
        """Where the next part begins."""

    def put(self, values: Iterable[float]) -> None:
        """Fill the next part with these numbers; those out of range become −1 or 1."""
        numbers, at = self.numbers, self.at
        for value in values:
            numbers[at] = value if -1 <= value <= 1 else 1 if value > 0 else -1
            at += 1
        self.at = at

    def flag(self, members: Iterable[int], length: int) -> None:
        """Fill the next part, of that length: 1 at each member."""
        numbers, at = self.numbers, self.at
        for member in members:
            numbers[at + member] = 1.0
        self.at = at + length

    def count(self, members: Iterable[int], length: int, most: int) -> None:
        """Fill the next part, of that length, with how often each member is there, as a share of `most`."""
        numbers, at, share = self.numbers, self.at, 1 / most
        for member in members:
            numbers[at + member] += share
        self.at = at + length
