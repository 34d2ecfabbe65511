"""The games of this arena.  No list names them: they are found.

A game of ours is a folder of `arena/games`; one from outside is an installed package with an entry point in the group
`arena.games`, named by the game's id, whose value is the game's `PACKAGE`:

    [project.entry-points."arena.games"]
    tichu = "arena_game_tichu:PACKAGE"

Our own are found by their folders and not by entry points, so that a checkout, a worktree, a wheel and the sandbox of a
hosted bot have the same games, independent of what is installed.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from arena.core import foreign_text
from arena.core.errors import UsageError
from arena.core.translatable import say
from arena.games.kernel import AnyGame
from arena.games.package import GamePackage

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["GAMES", "GROUP", "PACKAGES", "AnyGame", "add_project", "find", "is_known", "names", "package"]

GROUP = "arena.games"
"""The group of entry points by which games from outside are found."""

_FOLDER = Path(__file__).parent


class _Packages(Mapping[str, GamePackage]):
    """All games with all that belongs to them, by id.  One is loaded when it is first asked for: a bot plays one, and should start quickly."""

    def __getitem__(self, name: str) -> GamePackage:
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_in_order())

    def __len__(self) -> int:
        return len(_in_order())


class _Games(Mapping[str, AnyGame]):
    """The rules of all games, by id."""

    def __getitem__(self, name: str) -> AnyGame:
        return _load(name).game

    def __iter__(self) -> Iterator[str]:
        return iter(_in_order())

    def __len__(self) -> int:
        return len(_in_order())


@cache
def _load(name: str) -> GamePackage:
    """Load a game by its id.  Raises KeyError if there is none, UsageError if it is not what it says."""
    if _is_ours(name):
        where = f"arena.games.{name}"
        found = getattr(import_module(where), "PACKAGE", None)
    elif name in _from_outside():
        entry = _from_outside()[name]
        where = entry.value
        try:
            found = entry.load()
        except (ImportError, AttributeError) as error:
            raise UsageError(f"game {name!r}: {where} cannot be loaded: {error}") from error
    else:
        raise KeyError(name)
    if not isinstance(found, GamePackage):
        raise UsageError(f"game {name!r}: {where} must be a GamePackage (arena/games/package.py)")
    if found.game.id != name:
        raise UsageError(f"game {name!r}: {where} calls itself {found.game.id!r}")
    return found


def is_known(game: str) -> bool:
    """Return whether there is a game of that id; it is not loaded."""
    return _is_ours(game) or game in _from_outside()


def names() -> tuple[str, ...]:
    """Return the ids of all games; none is loaded.  Raises UsageError where two have the same id."""
    return (
        *(module.name for module in pkgutil.iter_modules([str(_FOLDER)]) if module.ispkg),
        *_from_outside(),
    )


def _is_ours(name: str) -> bool:
    return name.isidentifier() and (_FOLDER / name / "__init__.py").is_file()


@cache
def _from_outside() -> Mapping[str, EntryPoint]:
    """Find the games that other packages bring, by id.  Raises UsageError where two have the same id."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import, and a bot of one of our games does without

    found: dict[str, EntryPoint] = {}
    for entry in (*entry_points(group=GROUP), *_ADDED):
        other = found.setdefault(entry.name, entry)
        if other.value != entry.value or (_FOLDER / entry.name).is_dir():
            mine = "arena" if other is entry else other.value
            raise UsageError(f"game {entry.name!r}: {mine} and {entry.value} both bring a game of that id")
    return found


_ADDED: list[EntryPoint] = []
"""Games of projects that are not installed."""


def add_project(folder: Path) -> tuple[str, ...]:
    """Make the games of a project known that is not installed, to this process: what its pyproject.toml says; their ids.

    For the tools of a game's author; call it before pages are imported.  Raises UsageError for a folder that is no such project.
    """
    import tomllib  # noqa: PLC0415 - as above
    from importlib.metadata import EntryPoint  # noqa: PLC0415

    try:
        document = tomllib.loads(foreign_text.read(folder / "pyproject.toml"))
        games: dict[str, str] = document["project"]["entry-points"][GROUP]
    except (OSError, KeyError, ValueError, foreign_text.UnreadableText) as error:
        raise UsageError(
            f"project {str(folder)!r}: must have a pyproject.toml with entry points in the group {GROUP}: {error!r}"
        ) from error
    sys.path.insert(0, str(folder.resolve()))
    known = _from_outside()
    _ADDED.extend(EntryPoint(name, value, GROUP) for name, value in games.items() if name not in known)
    for cached in (_load, _from_outside, _in_order):
        cached.cache_clear()
    return tuple(games)


@cache
def _in_order() -> tuple[str, ...]:
    """Name all games, the lightest first."""
    packages = [_load(name) for name in names()]
    return tuple(
        each.game.id for each in sorted(packages, key=lambda each: (each.complexity, each.game.title))
    )


GAMES: Mapping[str, AnyGame] = _Games()
PACKAGES: Mapping[str, GamePackage] = _Packages()


def find(game: str) -> AnyGame:
    """Find a game by its id.  Raises UsageError naming the games there are."""
    return package(game).game


def package(game: str) -> GamePackage:
    """Find a game with all that belongs to it, by its id.  Raises UsageError naming the games there are."""
    try:
        return _load(game)
    except KeyError:
        raise UsageError(
            say("game {game!r}: this arena has {games}", game=game, games=", ".join(GAMES))
        ) from None
