"""The house bots: what stands in the folders beside this file, one bot a file."""

from __future__ import annotations

import inspect
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from arena.sdk import Bot


@lru_cache
def house_bots(game: str) -> tuple[str, ...]:
    """Name the house bots for a game, by the alphabet; none for a game without.  `_…` is what they share."""
    folder = Path(__file__).parent / game
    return tuple(sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")))


def house_bot(game: str, name: str) -> Bot[Any]:
    """Make a house bot, to be played in this process.  Raises LookupError for one that does not exist."""
    if name not in house_bots(game):
        raise LookupError(f"bot {name!r}: the house bots for {game} are {', '.join(house_bots(game))}")
    module = import_module(f"bots.{game}.{name}")
    (bot,) = (
        each
        for _, each in inspect.getmembers(module, inspect.isclass)
        if issubclass(each, Bot) and each.__module__ == module.__name__
    )
    made: Bot[Any] = bot()
    return made
