"""Places for uploads: how many bodies of one kind are read at a time, in all and of one account.

    all places taken ──▶ of the accounts with the most places, the slowest upload gives way to the new one

A slow upload holds its place only as long as no other upload needs it.  One whose body has come is never interrupted.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, TypeVar

from fastapi import Depends

from arena.core.errors import RefusalKind
from arena.core.translatable import say
from arena.web.http.app_services import service
from arena.web.http.rate_limits import TryAgain

if TYPE_CHECKING:
    from arena.accounts.actors import Actor
    from arena.web.http.web_limits import Limits

Made = TypeVar("Made")

_THREADS = 2
"""Uploads that are unpacked and stored at a time: each takes up to four times its size of memory."""
RETRY_S = 15


class UploadPlace:
    """The place of one upload whose body is being read."""

    def __init__(self, user_id: int) -> None:
        self.user_id = user_id
        self._began = time.monotonic()
        self._bytes = 0
        self._reading = True
        self._gives_way = False
        self._wait: asyncio.Timeout | None = None

    def can_give_way(self, grace_s: float) -> bool:
        """Return whether the body is still being read, and has been for long enough to judge its speed."""
        return self._reading and not self._gives_way and time.monotonic() - self._began >= grace_s

    def speed(self) -> float:
        """Return the bytes a second that have come so far."""
        return self._bytes / (time.monotonic() - self._began)

    def give_way(self) -> None:
        """End the upload: its reader raises TryAgain instead of waiting for more."""
        self._gives_way = True
        if self._wait is not None:
            self._wait.reschedule(asyncio.get_running_loop().time())

    async def read(self, body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Read a body to its end.  Raises TryAgain when the upload gives way to another.

        Only waiting for the sender is interrupted, never what is done with a chunk.
        """
        while True:
            try:
                async with asyncio.timeout(0 if self._gives_way else None) as self._wait:
                    chunk = await anext(body)
            except StopAsyncIteration:
                self._reading = False
                return
            except TimeoutError:
                raise TryAgain(
                    "upload_gave_way",
                    say(
                        "upload: was the slowest in progress and gave its place to another; try again in a moment"
                    ),
                    field="upload",
                    kind=RefusalKind.UNAVAILABLE,
                    retry_s=RETRY_S,
                ) from None
            finally:
                self._wait = None
            self._bytes += len(chunk)
            yield chunk


class UploadPlaces:
    """The places of one kind of uploads in this process.  Mutable, for one event loop."""

    def __init__(self, most: int, most_per_account: int, grace_s: float) -> None:
        self._most = most
        self._most_per_account = most_per_account
        self._grace_s = grace_s
        self._taken: set[UploadPlace] = set()

    @contextmanager
    def take(self, actor: Actor) -> Iterator[UploadPlace]:
        """Take a place for as long as the block lasts; the slowest upload may have to give way.  Raises TryAgain."""
        count = Counter(place.user_id for place in self._taken)
        if count[actor.user_id] >= self._most_per_account:
            raise TryAgain(
                "uploads_busy",
                say(
                    "upload: {number} of yours are in progress, the maximum at once; wait until one is done",
                    number=self._most_per_account,
                ),
                field="upload",
                kind=RefusalKind.TOO_MANY,
                retry_s=RETRY_S,
            )
        if len(self._taken) >= self._most:
            self._make_room(count)
        place = UploadPlace(actor.user_id)
        self._taken.add(place)
        try:
            yield place
        finally:
            self._taken.discard(place)

    def _make_room(self, count: Counter[int]) -> None:
        """Have an upload give way.  Raises TryAgain if all of them have just begun, or have come already."""
        slow = [place for place in self._taken if place.can_give_way(self._grace_s)]
        if not slow:
            raise TryAgain(
                "uploads_busy",
                say(
                    "upload: {number} are in progress, the maximum at once; try again in a moment",
                    number=self._most,
                ),
                field="upload",
                kind=RefusalKind.UNAVAILABLE,
                retry_s=RETRY_S,
            )
        slowest = min(slow, key=lambda place: (-count[place.user_id], place.speed()))
        slowest.give_way()
        self._taken.remove(slowest)


class Uploads:
    """The uploads that are under way in this process: bots, and parts of weights."""

    def __init__(self, limits: Limits) -> None:
        def places() -> UploadPlaces:
            return UploadPlaces(limits.max_uploads, limits.max_uploads_per_account, limits.upload_grace_s)

        self.bots = places()
        self.weights = places()
        self.max_part_bytes = limits.max_part_bytes
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="uploads")

    async def run(self, work: Callable[[], Made]) -> Made:
        """Unpack, check and store an upload when it is its turn."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


TheUploads = Annotated[Uploads, Depends(service(Uploads))]
