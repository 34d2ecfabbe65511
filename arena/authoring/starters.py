"""New projects: a bot that plays at once, to be made better from there."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from arena.errors import UsageError
from arena.games import registry
from arena.games.registry import AnyGame

_ENTRIES = {"python": "bot.py"}
LANGUAGES = tuple(_ENTRIES)

_STARTERS = Path(__file__).parent / "starters"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
"""As the arena has it for all bots (arena/services/bots.py)."""


@dataclass(frozen=True, slots=True)
class Started:
    """A project that was just written."""

    entry: str
    files: tuple[str, ...]
    rivals: int
    """How many bots have to sit down with it, at least."""


def write_project(folder: Path, game: str, language: str = "python") -> Started:
    """Write a new project into a folder that is not there yet, or empty; the bot gets the folder's name.

    Raises UsageError.
    """
    rules = registry.find(game)
    name = folder.name
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"name {name!r}: must be 1 to 40 of a-z, 0-9, - and _, and begin with a letter or digit"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"name {name!r}: {folder} is there already; give another name, or move it away")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = _fill(folder, _STARTERS / language, _words(name, rules))
    except OSError as error:
        raise UsageError(f"name {name!r}: {folder} cannot be written: {error.strerror}") from error
    return Started(_ENTRIES[language], files, _rivals(rules))


def _fill(folder: Path, starter: Path, words: Mapping[str, str]) -> tuple[str, ...]:
    """Fill in a starter's files; gives their names."""
    files = sorted(starter.glob("*.txt"))
    for file in files:
        text = Template(file.read_text(encoding="utf-8")).substitute(words)
        (folder / file.stem).write_text(text, encoding="utf-8")
    return tuple(file.stem for file in files)


def _words(name: str, rules: AnyGame) -> dict[str, str]:
    state, _ = rules.new(rules.setup(_rivals(rules) + 1), bytes(32))
    view = type(rules.view(state, 0))
    class_name = "".join(part.capitalize() for part in re.split("[-_]", name))
    return {
        "name": name,
        "class_name": class_name if class_name.isidentifier() else f"Bot{class_name}",
        "game": rules.id,
        "title": rules.title,
        "view": view.__name__,
        "fields": textwrap.fill(
            ", ".join(view._fields) + ".", 100, initial_indent=" " * 8, subsequent_indent=" " * 8
        ),
        "rivals": " ".join(["greedy", *["random"] * (_rivals(rules) - 1)]),
    }


def _rivals(rules: AnyGame) -> int:
    return next(iter(rules.variants.values()))[0] - 1
