"""The house bots: those of each game in its folder `house_bots`, one bot a file, and in this folder those that play any game."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from arena.games import registry
from arena.sdk import Bot


def house_bots(game: str) -> tuple[str, ...]:
    """Name the house bots for a game, by the alphabet; none for a game that there is not."""
    return registry.package(game).house_bots if game in registry.PACKAGES else ()


def house_bot(game: str, name: str) -> Bot[Any]:
    """Make a house bot, to be played in this process.  Raises LookupError for one that does not exist."""
    module = import_module(registry.package(game).house_module(name))
    (bot,) = (
        each
        for _, each in inspect.getmembers(module, inspect.isclass)
        if issubclass(each, Bot) and each.__module__ == module.__name__
    )
    made: Bot[Any] = bot()
    return made
