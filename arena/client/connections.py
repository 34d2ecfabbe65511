"""Connections to one arena, blocking and for asyncio: they send requests and decode answers, and raise what the arena refuses."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Self, TypeVar, Unpack

import httpx

from arena.client.answers import (
    API,
    Event,
    EventReader,
    Sent,
    check,
    check_url,
    client_options,
    decode,
    decode_page,
    keep_session,
    reaching,
    request_options,
)
from arena.service.paging import AsyncPages, Page, Pages

T = TypeVar("T")


class Connection:
    """A connection to the arena at a URL, such as `https://arena.example.org`; use it in a `with` block.

    Everything raises Refused or ArenaUnreachable.
    """

    def __init__(self, url: str, token: str | None = None, *, roots: str = "") -> None:
        """Trust the certificates of a file of roots as well as the system's.  Raises UsageError."""
        self.url = check_url(url)
        self._http = httpx.Client(**client_options(self.url, token, roots))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def ask(self, kind: type[T], method: str, path: str, **sent: Unpack[Sent]) -> T:
        """Return an answer as an object."""
        return decode(self.url, kind, self.send(method, path, **sent))

    def ask_maybe(self, kind: type[T], method: str, path: str, **sent: Unpack[Sent]) -> T | None:
        """Return an answer as an object where there may be none."""
        answer = self.send(method, path, **sent)
        return None if answer.content == b"null" else decode(self.url, kind, answer)

    def ask_rows(self, kind: type[T], method: str, path: str, **sent: Unpack[Sent]) -> tuple[T, ...]:
        """Return the items of an answer that is a list, whole."""
        return decode_page(self.url, kind, self.send(method, path, **sent), "items").items

    def ask_pages(
        self,
        kind: type[T],
        path: str,
        *,
        items: str,
        limit: int,
        cursor: str | None,
        params: Mapping[str, Any] = MappingProxyType({}),
    ) -> Pages[T]:
        """Return a list in pages, whose items are in the field `items`."""

        def read(at: str | None) -> Page[T]:
            answer = self.send("GET", path, params={**params, "limit": limit, "cursor": at or ""})
            return decode_page(self.url, kind, answer, items)

        return Pages(read, cursor)

    def ask_bytes(self, method: str, path: str, **sent: Unpack[Sent]) -> bytes:
        """Return the bytes of a file."""
        return self.send(method, path, **sent).content

    def send(self, method: str, path: str, **sent: Unpack[Sent]) -> httpx.Response:
        """Send a request and return its answer, checked."""
        with reaching(self.url):
            answer = self._http.request(method, API + path, **request_options(sent))
        check(self.url, answer)
        keep_session(self._http.headers, path, answer)
        return answer

    def stream(self, path: str, **sent: Unpack[Sent]) -> Iterator[Event]:
        """Follow a stream of events to its end."""
        options = request_options(sent)
        with (
            reaching(self.url),
            self._http.stream("GET", API + path, **options, timeout=None) as answer,
        ):
            if not answer.is_success:
                answer.read()
                check(self.url, answer)
            reader = EventReader()
            yield from filter(None, map(reader.read, answer.iter_lines()))


class AsyncConnection:
    """A connection for asyncio to the arena at a URL; use it in an `async with` block.

    Everything raises Refused or ArenaUnreachable.
    """

    def __init__(self, url: str, token: str | None = None, *, roots: str = "") -> None:
        """Trust the certificates of a file of roots as well as the system's.  Raises UsageError."""
        self.url = check_url(url)
        self._http = httpx.AsyncClient(**client_options(self.url, token, roots))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def ask(self, kind: type[T], method: str, path: str, **sent: Unpack[Sent]) -> T:
        """Return an answer as an object."""
        return decode(self.url, kind, await self.send(method, path, **sent))

    async def ask_maybe(self, kind: type[T], method: str, path: str, **sent: Unpack[Sent]) -> T | None:
        """Return an answer as an object where there may be none."""
        answer = await self.send(method, path, **sent)
        return None if answer.content == b"null" else decode(self.url, kind, answer)

    async def ask_rows(self, kind: type[T], method: str, path: str, **sent: Unpack[Sent]) -> tuple[T, ...]:
        """Return the items of an answer that is a list, whole."""
        return decode_page(self.url, kind, await self.send(method, path, **sent), "items").items

    def ask_pages(
        self,
        kind: type[T],
        path: str,
        *,
        items: str,
        limit: int,
        cursor: str | None,
        params: Mapping[str, Any] = MappingProxyType({}),
    ) -> AsyncPages[T]:
        """Return a list in pages, whose items are in the field `items`."""

        async def read(at: str | None) -> Page[T]:
            answer = await self.send("GET", path, params={**params, "limit": limit, "cursor": at or ""})
            return decode_page(self.url, kind, answer, items)

        return AsyncPages(read, cursor)

    async def ask_bytes(self, method: str, path: str, **sent: Unpack[Sent]) -> bytes:
        """Return the bytes of a file."""
        return (await self.send(method, path, **sent)).content

    async def send(self, method: str, path: str, **sent: Unpack[Sent]) -> httpx.Response:
        """Send a request and return its answer, checked."""
        with reaching(self.url):
            answer = await self._http.request(method, API + path, **request_options(sent))
        check(self.url, answer)
        keep_session(self._http.headers, path, answer)
        return answer

    async def stream(self, path: str, **sent: Unpack[Sent]) -> AsyncIterator[Event]:
        """Follow a stream of events to its end."""
        options = request_options(sent)
        with reaching(self.url):
            async with self._http.stream("GET", API + path, **options, timeout=None) as answer:
                if not answer.is_success:
                    await answer.aread()
                    check(self.url, answer)
                reader = EventReader()
                async for line in answer.aiter_lines():
                    if (event := reader.read(line)) is not None:
                        yield event
