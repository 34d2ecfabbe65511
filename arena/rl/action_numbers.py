"""A game's actions by number: the same for every variant, seat count, environment and data set."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from arena.core.errors import UsageError
from arena.games import registry
from arena.games.encoding import Encoding
from arena.games.kernel import Action

Mask = NDArray[np.int8]


def encoding(game: str) -> Encoding:
    """Find how a game is put into numbers.  Raises UsageError for a game that is not, or not known."""
    found = registry.package(game).encoding
    if found is None:
        raise UsageError(f"game {game!r}: its package has no encoding.py, which learners need")
    return found


class ActionNumbers:
    """Actions of a game and their numbers; after the last one comes the number of waiting."""

    def __init__(self, actions: tuple[Action, ...]) -> None:
        self.actions = actions
        self.numbers = {action: number for number, action in enumerate(actions)}
        self._names: dict[int | None, Action] = dict(enumerate(actions))
        self.wait = len(actions)
        """Action of a seat that has nothing to choose while all seats act at once."""
        self.count = len(actions) + 1

    def name(self, number: int | None) -> Action:
        """Return the action of a number, empty where there is none: that is never legal."""
        return self._names.get(number, "")

    def mask(self, legal: Iterable[Action]) -> Mask:
        """Return a new mask: 1 for what is legal; if nothing is, for waiting."""
        mask = bytearray(self.count)  # so the array can be changed by who gets it
        number = self.wait
        for action in legal:
            number = self.numbers[action]
            mask[number] = 1
        mask[number] = 1
        return np.frombuffer(mask, np.int8)


@cache
def action_numbers(game: str) -> ActionNumbers:
    """Return the numbers of a game's actions.  Raises UsageError."""
    return ActionNumbers(encoding(game).ACTIONS)
