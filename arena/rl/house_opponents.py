"""Opponents of this process: house bots by name, bots in files, and bots that are there already."""

from __future__ import annotations

import inspect
import sys
from hashlib import sha256
from importlib import import_module, util
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.core.errors import UsageError
from arena.games import registry
from arena.sdk.bot import Bot

_neighbours: dict[str, dict[str, ModuleType]] = {}
"""Modules that bots imported from their own folders, by folder and name: two versions of a bot have helpers of the same names."""


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
    """Run a file as a module that imports its neighbours from its own folder, even if other bots' folders have the same names."""
    name = f"bot_of_{file.stem}_{sha256(str(file).encode()).hexdigest()[:8]}"
    spec = util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"bot {str(file)!r}: is no Python file")
    module = util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look for it there
    folder = str(file.parent)
    if sys.path[0] != folder:
        sys.path[:] = [folder, *[each for each in sys.path if each != folder]]
    _neighbours.setdefault(folder, {})
    for other, neighbours in _neighbours.items():
        for each in neighbours:
            if other != folder:
                sys.modules.pop(each, None)
    sys.modules.update(_neighbours[folder])
    before = set(sys.modules)
    spec.loader.exec_module(module)
    for each in set(sys.modules) - before:
        found = getattr(sys.modules[each], "__file__", None)
        if found and Path(found).is_relative_to(folder) and "site-packages" not in Path(found).parts:
            _neighbours[folder][each] = sys.modules[each]
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
