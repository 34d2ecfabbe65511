"""The games of this arena: the only list of them.

A game is its folder; what stands for it is the constant in its `rules.py` that has its name in capitals.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from arena.errors import UsageError
from arena.games.kernel import Game

AnyGame = Game[Any, Any]

_NAMES = (
    "lost_cities",
    "land_unter",
    "bottle_imp",
    "lifeboats",
    "teotlatolli",
)

GAMES: dict[str, AnyGame] = {
    name: getattr(import_module(f"arena.games.{name}.rules"), name.upper()) for name in _NAMES
}


def find(game: str) -> AnyGame:
    """Find a game by its id.  Raises UsageError naming the games there are."""
    if game not in GAMES:
        raise UsageError(f"game {game!r}: this arena has {', '.join(GAMES)}")
    return GAMES[game]
