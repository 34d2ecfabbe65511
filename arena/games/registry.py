"""The games of this arena: the only list of them.

A game is its folder; what stands for it is the constant in its `rules.py` that has its name in capitals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from arena.core.errors import UsageError
from arena.games.kernel import Game

AnyGame = Game[Any, Any]

_NAMES = (
    "lost_cities",
    "land_unter",
    "bottle_imp",
    "lifeboats",
    "teotlatolli",
)


class _Games(Mapping[str, AnyGame]):
    """All games by their ids.  One is loaded when it is first asked for: a bot plays one, and should start quickly."""

    def __getitem__(self, name: str) -> AnyGame:
        if name not in _NAMES:
            raise KeyError(name)
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


@cache
def _load(name: str) -> AnyGame:
    game: AnyGame = getattr(import_module(f"arena.games.{name}.rules"), name.upper())
    return game


GAMES: Mapping[str, AnyGame] = _Games()


def find(game: str) -> AnyGame:
    """Find a game by its id.  Raises UsageError naming the games there are."""
    try:
        return GAMES[game]
    except KeyError:
        raise UsageError(f"game {game!r}: this arena has {', '.join(GAMES)}") from None
