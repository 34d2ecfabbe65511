"""The installed packages that a sandbox shows: those of the SDK, and those that the bot requires."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

_SDK = ("grpcio", "protobuf", "uvloop")
_OURS = ("arena", "bots")


def ours(*, house: bool) -> dict[str, Path]:
    """Return the arena's packages that a bot may import, by name; uploads do not get the code of the house bots."""
    return {name: _folder(name) for name in (_OURS if house else _OURS[:1])}


def sdk() -> dict[str, Path]:
    """Return what the SDK is made of: the files and folders to show, by name."""
    return installed(_SDK)


@cache
def installed(names: tuple[str, ...]) -> dict[str, Path]:
    """Return the files and folders of packages and of all they need, by name.  One that is not installed is left out."""
    shown: dict[str, Path] = {}
    known: set[str] = set()
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
