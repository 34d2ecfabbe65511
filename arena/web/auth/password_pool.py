"""Work on passwords: off the event loop and off the threads that serve pages, two at a time (64 MiB each)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, TypeVar

from fastapi import Depends

from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.web.http.app_services import service

Made = TypeVar("Made")

_THREADS = 2
_MAX_WAITING = 64
"""Some 2 s of work; requests beyond it are asked to try again, so that no queue piles up."""


class PasswordPool:
    """A few threads for what takes 50 ms of a core."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="passwords")
        self._waiting = 0

    async def run(self, work: Callable[[], Made]) -> Made:
        """Run a function when its turn comes.  Raises Refusal where too many wait."""
        if self._waiting >= _MAX_WAITING:
            raise Refusal(
                "busy",
                say("logins: too many right now; try again in a few seconds"),
                kind=RefusalKind.UNAVAILABLE,
            )
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


TheHashing = Annotated[PasswordPool, Depends(service(PasswordPool))]
