"""The files that the bots of a command line consist of, and when one of them has been saved."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from arena.core.errors import UsageError
from arena.devtools.project import own_files

Result = TypeVar("Result")

_PAUSE_S = 0.3
"""Seconds between two looks at the files' times: for some files that costs nothing, and needs no further library."""
_CODE = frozenset({".py", ".ts", ".js", ".mjs", ".cjs", ".toml", ".proto"})
"""Files that are watched in a project's folder: a bot may write other files there while it plays."""


class WatchedBots:
    """The files of the bots that are on this machine.  Mutable: it remembers how they were."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Watch those that are files or folders, as the command line names them.  Raises UsageError where none is."""
        self._places = [Path(text) for text in texts if Path(text).exists()]
        if not self._places:
            raise UsageError("watch: none of the bots is a file or a project's folder, which may change")
        self._seen = self._look()

    async def changed(self) -> None:
        """Wait until a file is saved, comes or goes, and all are left alone for a moment: editors write in steps."""
        before = self._seen
        while True:
            await asyncio.sleep(_PAUSE_S)
            found = self._look()
            if found == before != self._seen:
                self._seen = found
                return
            before = found

    async def unless_changed(self, work: Coroutine[Any, Any, Result]) -> Result | None:
        """Return the result of some work; None, and the work is cancelled, if a file is saved meanwhile."""
        working = asyncio.create_task(work)
        changing = asyncio.create_task(self.changed())
        try:
            await asyncio.wait({working, changing}, return_when=asyncio.FIRST_COMPLETED)
            return working.result() if working.done() else None
        finally:
            working.cancel()
            changing.cancel()
            await asyncio.wait({working, changing})

    def _look(self) -> dict[Path, tuple[int, int]]:
        found = {}
        for path in self._files():
            try:
                state = path.stat()
            except OSError:  # it has just gone
                continue
            found[path] = (state.st_mtime_ns, state.st_size)
        return found

    def _files(self) -> Iterator[Path]:
        for place in self._places:
            if place.is_dir():
                yield from (each for each in own_files(place) if each.suffix in _CODE)
            else:
                yield place
