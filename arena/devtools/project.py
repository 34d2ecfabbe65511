"""A bot's project: a folder whose `bot.toml` says what the bot is called, what it plays, and which file it starts with.

name = "my-bot"
games = ["lost_cities"]
entry = "bot.py"
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from arena.bundle_format import named_weights
from arena.bundle_format.litter import ENVIRONMENT, is_litter
from arena.bundle_format.manifest_fields import Problems, read_tables
from arena.bundle_format.named_weights import WeightsFile
from arena.core import foreign_text
from arena.core.errors import UsageError
from arena.core.foreign_text import UnreadableText
from arena.declarations.declared_tables import DeclaredTables, declared
from arena.games import registry

MANIFEST = "bot.toml"
_PACKAGES = "node_modules"


@dataclass(frozen=True, slots=True)
class Project:
    """A bot's project, as its manifest describes it."""

    folder: Path
    name: str
    games: tuple[str, ...]
    entry: Path
    """The file that is started."""
    weights: tuple[WeightsFile, ...] = ()
    """Large files in its folder `weights`."""
    variants: tuple[str, ...] = ()
    seat_counts: tuple[int, ...] = ()

    def tables(self, game: str) -> DeclaredTables:
        """Return the tables of one of its games that it declares to play."""
        return declared(game, [(self.variants, self.seat_counts)])

    @property
    def version(self) -> str:
        """Eight hex digits that change with every change to the author's files; bot.toml has those of the weights."""
        digest = sha256()
        weights = {self.folder / named_weights.FOLDER / each.name for each in self.weights}
        for path in sorted(own_files(self.folder)):
            if path.is_file() and path not in weights:
                inside = path.relative_to(self.folder)
                digest.update(f"{inside}\0{path.stat().st_size}\0".encode() + path.read_bytes())
        return digest.hexdigest()[:8]


def own_files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that its author has written: no hidden ones, no packages, nothing compiled; links too, also those to folders."""
    for place, folders, names in os.walk(folder):
        folders[:] = [
            each for each in folders if _is_own(each) and not Path(place, each, ENVIRONMENT).exists()
        ]
        links = (each for each in folders if Path(place, each).is_symlink())
        yield from (Path(place, name) for name in (*names, *links) if _is_own(name))


def _is_own(name: str) -> bool:
    return name[0] != "." and name != _PACKAGES and not is_litter(name)


def is_project(folder: Path) -> bool:
    """Return whether a folder is a bot's project."""
    return (folder / MANIFEST).is_file()


def read_project(folder: Path) -> Project:
    """Read a project's manifest.  Raises UsageError naming all keys that are wrong."""
    file = folder / MANIFEST
    try:
        manifest = tomllib.loads(foreign_text.read(file))
    except FileNotFoundError:
        raise UsageError(
            f"bot {str(folder)!r}: the folder has no {MANIFEST}; `arena bot new` writes one"
        ) from None
    except (OSError, ValueError, UnreadableText) as error:
        raise UsageError(f"{file}: cannot be read: {error}; it must be a TOML file in UTF-8") from error
    problems = Problems()
    name = problems.read("", _read_name, manifest.get("name"))
    games = problems.read(
        (), _read_games, [manifest["game"]] if "game" in manifest else manifest.get("games")
    )
    entry = problems.read(folder, _read_entry, folder, manifest.get("entry"))
    weights = problems.read((), named_weights.read, manifest.get("weights", {}))
    declared_here = manifest.get("variants", ()), manifest.get("seat_counts", ())
    variants, seat_counts = problems.read(((), ()), read_tables, games, *declared_here)
    try:
        problems.check()
    except UsageError as error:
        raise UsageError(f"{file}: {error}") from None
    return Project(folder.resolve(), name, games, entry, weights, variants, seat_counts)


def _read_name(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise UsageError(f'name {name!r}: must be the bot\'s name, such as name = "my-bot"')
    return name


def _read_games(games: object) -> tuple[str, ...]:
    if not isinstance(games, list) or not games or not all(isinstance(game, str) for game in games):
        raise UsageError(f'games {games!r}: must list what it plays, such as games = ["lost_cities"]')
    for game in games:
        registry.find(game)
    return tuple(games)


def _read_entry(folder: Path, entry: object) -> Path:
    if not isinstance(entry, str) or not entry:
        raise UsageError(f'entry {entry!r}: must be the file to start, such as entry = "bot.py"')
    folder = folder.resolve()
    path = (folder / entry).resolve()
    if not path.is_relative_to(folder) or not path.is_file():
        raise UsageError(f"entry {entry!r}: there is no such file in the project's folder")
    return path
