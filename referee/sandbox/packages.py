"""The installed packages that a sandbox shows: those of the SDK, and those that the bot requires."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, entry_points
from importlib.util import find_spec
from pathlib import Path

from arena.games import registry

_SDK = ("grpcio", "h2", "protobuf", "uvloop")
_OURS = ("arena", "bots")
_ARENA = "bot-arena"
"""The name under which our own packages are installed; a game needs it, and a sandbox shows `ours` of it."""


def ours(*, house: bool) -> dict[str, Path]:
    """Return the packages that a bot may import, by name: the arena's, and those that bring games.

    Uploads do not get the code of the house bots: neither `bots`, nor the folders of `house_bots`.
    """
    return {name: _folder(name) for name in (_OURS if house else _OURS[:1])} | _games_from_outside()


def house_bots() -> tuple[str, ...]:
    """Return the folders of the house bots, relative to where `ours` are shown."""
    return tuple(
        f"{package.module.replace('.', '/')}/house_bots"
        for package in registry.PACKAGES.values()
        if (package.folder / "house_bots").is_dir()
    )


@cache
def _games_from_outside() -> dict[str, Path]:
    """Return the packages that bring games, by name, with what says so (`*.dist-info`) and what they need."""
    shown: dict[str, Path] = {}
    for entry in entry_points(group=registry.GROUP):
        top = entry.module.partition(".")[0]
        shown |= {top: _folder(top)} | (installed((entry.dist.name,)) if entry.dist else {})
    return shown


def sdk() -> dict[str, Path]:
    """Return what the SDK is made of: the files and folders to show, by name."""
    return installed(_SDK)


def folder() -> Path:
    """Return the folder of installed packages, where those are that a bot may require."""
    return Path(str(distribution("grpcio").locate_file("")))


@cache
def installed(names: tuple[str, ...]) -> dict[str, Path]:
    """Return the files and folders of packages and of all they need, by name.  One that is not installed is left out."""
    shown: dict[str, Path] = {}
    known = {_ARENA}
    waiting = list(names)
    while waiting:
        name = _normal(waiting.pop())
        if name in known:
            continue
        known.add(name)
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue
        shown |= _tops(found)
        waiting += [need for need in found.requires or () if "extra ==" not in need]
    return shown


def _tops(found: Distribution) -> dict[str, Path]:
    folder = Path(str(found.locate_file("")))
    names = {path.parts[0] for path in found.files or ()} - {"..", "__pycache__", "/"}
    return {name: folder / name for name in names if not name.endswith(".pth") and (folder / name).exists()}


def _normal(requirement: str) -> str:
    """Return a requirement's bare name as packages are found by it (PEP 503)."""
    bare = re.match(r"[A-Za-z0-9._-]+", requirement)
    return re.sub(r"[-_.]+", "-", bare.group()).lower() if bare else ""


def _folder(name: str) -> Path:
    spec = find_spec(name)
    assert spec is not None  # noqa: S101 - it is ours
    assert spec.origin is not None  # noqa: S101 - it is a folder with an __init__.py
    return Path(spec.origin).parent
