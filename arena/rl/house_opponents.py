"""Opponents of this process: house bots by name, bots in files, and bots that are there already."""

from __future__ import annotations

import inspect
import sys
from importlib import import_module, util
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.core.errors import UsageError
from arena.games import registry
from arena.sdk.bot import Bot


def load_bot(game: str, name: str) -> Bot[Any]:
    """Make a bot of this process: a house bot by its name, or the one in a Python file.  Raises UsageError."""
    house = registry.package(game).house_bots
    if name in house:
        return _bot_of(import_module(registry.package(game).house_module(name)), name)
    file = Path(name)
    if file.suffix != ".py" or not file.is_file():
        raise UsageError(
            f"bot {name!r}: must be a house bot for {game} ({', '.join(house)}), or a file such as my_bot.py"
        )
    return _bot_of(_load(file.resolve()), name)


def _load(file: Path) -> ModuleType:
    """Run a file as a module, which finds what lies beside it."""
    spec = util.spec_from_file_location(f"bot_of_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise UsageError(f"bot {str(file)!r}: is no Python file")
    module = util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look for it there
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    spec.loader.exec_module(module)
    return module


def _bot_of(module: ModuleType, name: str) -> Bot[Any]:
    kinds = [
        kind
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if issubclass(kind, Bot) and kind.__module__ == module.__name__ and not inspect.isabstract(kind)
    ]
    if len(kinds) != 1:
        raise UsageError(
            f"bot {name!r}: its file must define one bot, a class over arena.sdk.Bot; it defines {len(kinds)}"
        )
    bot: Bot[Any] = kinds[0]()
    return bot
