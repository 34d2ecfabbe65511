"""Which of our modules run compiled: all those that `make setup` compiled (deploy/compile_modules.py), or none.

They belong together, since each knows how the others' objects lie in memory.  None runs compiled where one of their
sources is newer, so that what runs is what the sources say, or where ARENA_COMPILED is 0.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    FileFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.importlib import PathEntryFinderProtocol as PathEntryFinder

_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))  # noqa: PTH120 - pathlib takes 5 ms to import
_OURS = (f"{_PACKAGES}/arena/", f"{_PACKAGES}/referee/")
LIBRARY = f"{_PACKAGES}/arena/compiled__mypyc{EXTENSION_SUFFIXES[0]}"
"""The machine code of all of them; a stub next to each source finds its part in this file."""

SOURCES = f"{_PACKAGES}/arena/compiled_modules.txt"
"""Names their sources in a checkout, one a line; an installed wheel has no such file, and its sources do not change."""


def are_in_use() -> bool:
    """Return whether modules run compiled in this process."""
    return _plain not in sys.path_hooks and os.path.exists(LIBRARY)  # noqa: PTH110


def choose() -> None:
    """Decide whether they run compiled: before any of them is imported."""
    if os.environ.get("ARENA_COMPILED") == "0" or _are_stale():
        sys.path_hooks.insert(0, _plain)


def _are_stale() -> bool:
    try:
        made = os.stat(LIBRARY).st_mtime_ns  # noqa: PTH116
        with open(SOURCES, encoding="utf-8") as sources:  # noqa: PTH123
            return any(os.stat(f"{_PACKAGES}/{name.rstrip()}").st_mtime_ns > made for name in sources)  # noqa: PTH116
    except FileNotFoundError:  # nothing is compiled, or all was installed as it is, or a source is gone
        return os.path.exists(SOURCES)  # noqa: PTH110


_finder = FileFinder.path_hook((SourceFileLoader, SOURCE_SUFFIXES), (SourcelessFileLoader, BYTECODE_SUFFIXES))


def _plain(path: str) -> PathEntryFinder:
    """Find modules in a folder of ours, whether they are compiled or not, by their sources.  Raises ImportError for others."""
    if not f"{path}/".startswith(_OURS):
        raise ImportError(path)
    return _finder(path)
