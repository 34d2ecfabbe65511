"""New projects: a bot that plays at once, to be made better from there."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from pathlib import Path
from string import Template
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from arena.core.errors import UsageError
from arena.devtools import sdk_wheel
from arena.devtools.project import MANIFEST
from arena.games import registry
from arena.games.registry import AnyGame

_ENTRIES = {"python": "bot.py", "typescript": "bot.ts", "c": "bot.c", "go": "bot.go"}
_BUILT = frozenset({"c", "go"})
LANGUAGES = tuple(_ENTRIES)

_EPOCH = (1980, 1, 1, 0, 0, 0)
_STARTERS = Path(__file__).parent / "starters"
_WORKFLOW = ".github/workflows/arena.yml"
"""Where GitHub, Gitea and Forgejo look for what is run on a push."""
_MESSAGES = Path("arena", "v1")
"""Where a bot in Go has the messages, as the protos' `go_package` says; `make protos` generates them."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
"""As the arena has it for all bots (arena/bot_registry/bots.py)."""


@dataclass(frozen=True, slots=True)
class Started:
    """A project that was just written."""

    entry: str
    files: tuple[str, ...]
    then: str
    """Remaining steps before it can play; empty if there are none."""
    rivals: int
    """Number of opponents that a match needs, at least."""


def write_project(folder: Path, game: str, language: str = "python") -> Started:
    """Write a new project into a folder that is not there yet, or empty; the bot gets the folder's name.

    Raises UsageError.
    """
    rules = registry.find(game)
    name = _checked(folder.name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"name {name!r}: {folder} is there already; give another name, or move it away")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _fill(folder, _STARTERS / language, _words(name, rules))
        _copy_workflow(folder)
        if language == "typescript":
            _copy_example(folder, name, rules.id)
        if language == "go":
            shutil.copytree(_STARTERS / language / _MESSAGES, folder / _MESSAGES)
    except OSError as error:
        raise UsageError(f"name {name!r}: {folder} cannot be written: {error.strerror}") from error
    files = tuple(sorted(path.name for path in folder.iterdir() if path.name[0] != "."))
    then = f"make -C {folder}" if language in _BUILT else ""
    return Started(_ENTRIES[language], files, then, _rivals(rules))


def packed(name: str, game: str) -> bytes:
    """Pack a new project in Python as a zip, ready to be submitted.  Raises UsageError."""
    words = _words(_checked(name), registry.find(game))
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for path, text in _filled(_STARTERS / "python", words):
            archive.writestr(ZipInfo(path, _EPOCH), text, ZIP_DEFLATED)
    return buffer.getvalue()


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"name {name!r}: must be 1 to 40 of a-z, 0-9, - and _, and begin with a letter or digit"
        )
    return name


def _fill(folder: Path, starter: Path, words: Mapping[str, str]) -> None:
    for path, text in _filled(starter, words):
        (folder / path).write_text(text, encoding="utf-8")


def _filled(starter: Path, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for file in sorted(starter.glob("*.txt")):
        yield file.stem, Template(file.read_text(encoding="utf-8")).substitute(words)


def _copy_workflow(folder: Path) -> None:
    """Copy the workflow as it is: dollar signs in it are GitHub's."""
    file = folder / _WORKFLOW
    file.parent.mkdir(parents=True)
    shutil.copyfile(_STARTERS / "workflow" / f"{file.name}.txt", file)


def _copy_example(folder: Path, name: str, game: str) -> None:
    """Copy the arena's own bot in TypeScript under another name, with the protos."""
    example = _example()
    for path in sorted(example.iterdir()):
        if path.is_file() and path.name != MANIFEST:
            text = path.read_text(encoding="utf-8").replace('"typescript"', f'"{name}"')
            (folder / path.name).write_text(text.replace('["lost_cities"]', f'["{game}"]'), encoding="utf-8")
    with ZipFile(BytesIO(sdk_wheel.protos().data)) as protos:
        protos.extractall(folder / "protos")


def _example() -> Path:
    """Find the bot in TypeScript: it is in the folder of the house bots, outside of this package."""
    return Path(import_module("bots").__path__[0]) / "typescript"


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
