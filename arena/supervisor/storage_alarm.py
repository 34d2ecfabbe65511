"""Telling the terminal when nothing can be stored, and when it can again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.operations.write_probe import Probe

if TYPE_CHECKING:
    from pathlib import Path

    from arena.storage import Store


class Storage:
    """Probes of the store and the data directory.  Mutable: the last message."""

    def __init__(self, store: Store, data: Path) -> None:
        self._probe = Probe(store, data)
        self._told = ""

    def look(self) -> list[str]:
        """Return what a person should know; call this often, it never waits."""
        problem = self._probe.verdict(wait_s=0).problem
        if bool(problem) == bool(self._told):  # reported already, perhaps with a shorter time
            return []
        self._told = problem
        return [
            f"Results cannot be stored: {problem}"
            if problem
            else "The store can be written again; play goes on"
        ]
