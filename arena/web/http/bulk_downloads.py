"""Downloads of much data at once: few at a time, each computed while it is sent.

    route ──▶ BulkDownload ──▶ a place, or 429 or 503 ──▶ the body is made, and sent ──▶ the place is free

Packing records takes a core for seconds, so that a client with many connections would keep all others waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from arena.core.errors import RefusalKind
from arena.core.translatable import say
from arena.web.http.app_services import service_of
from arena.web.http.client_places import ClientPlaces
from arena.web.http.rate_limits import TryAgain
from arena.web.http.reverse_proxies import counted_client

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from arena.web.http.web_limits import Limits

_RETRY_S = 10


class Downloads:
    """The downloads that are under way in this process."""

    def __init__(self, limits: Limits, is_proxy: Callable[[str], bool]) -> None:
        self._limits = limits
        self._is_proxy = is_proxy
        self.places = ClientPlaces(limits.max_downloads, limits.max_downloads_per_address, self._refusal)

    def client_of(self, scope: Scope) -> str | None:
        """Return what the client of a request is counted by; None if it is not counted."""
        return counted_client(scope, self._is_proxy)

    def _refusal(self, of_client: bool) -> TryAgain:  # noqa: FBT001 - as ClientPlaces calls it
        return TryAgain(
            "too_many_downloads",
            say(
                "{what}: {most} are under way, the maximum at once; wait {retry_s} s",
                what=say("downloads of this address") if of_client else say("downloads"),
                most=self._limits.max_downloads_per_address if of_client else self._limits.max_downloads,
                retry_s=_RETRY_S,
            ),
            kind=RefusalKind.TOO_MANY if of_client else RefusalKind.UNAVAILABLE,
            retry_s=_RETRY_S,
        )


class BulkDownload(Response):
    """Sends a file whose body is made in a thread once there is a place for it; `make` may raise as a route does."""

    def __init__(self, make: Callable[[], Iterator[bytes]], *, media_type: str, filename: str) -> None:
        headers = {"Content-Disposition": f'attachment; filename="{filename}"'}
        super().__init__(media_type=media_type, headers=headers)
        del self.headers["content-length"]
        self._make = make

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it.  Raises TryAgain."""
        downloads = service_of(scope["app"], Downloads)
        with downloads.places.taken(downloads.client_of(scope)):
            body = await run_in_threadpool(self._make)
            await StreamingResponse(body, headers=dict(self.headers))(scope, receive, send)
