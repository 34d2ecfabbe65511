"""Litter: files among a bot's own that its author did not write, and that no bot needs.

Operating systems put their marks into folders and archives; Python and Git have theirs; a virtual environment is for one machine.
"""

from __future__ import annotations

from collections.abc import Collection

_NAMES = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", "__pycache__", ".git"})
_APPLE_DOUBLE = "._"
"""Prefix of macOS's files with the attributes of another file, on disks and in archives that have none."""
ENVIRONMENT = "pyvenv.cfg"
"""The file in the folder of a virtual environment (PEP 405)."""


def is_litter(name: str) -> bool:
    """Return whether a file or folder of this name is litter, wherever it is."""
    return name in _NAMES or name.startswith(_APPLE_DOUBLE)


def environments(paths: Collection[str], marker: str) -> tuple[str, ...]:
    """Return the folders of virtual environments, each with a slash at its end; a project that is one itself (it has `marker`) is none of them."""
    folders = (path.removesuffix(ENVIRONMENT) for path in paths if path.endswith(f"/{ENVIRONMENT}"))
    return tuple(folder for folder in folders if not marker or f"{folder}{marker}" not in paths)
