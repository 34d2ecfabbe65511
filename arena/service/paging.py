"""Lists in pages: an operation that lists returns its first page, and iterating over that reads the pages after it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from arena.core.errors import Refusal

DEFAULT_LIMIT = 50
MAX_LIMIT = 200

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A page of a list."""

    # pydantic reads the metadata, so that the client need not import it.
    items: tuple[T, ...] = field(metadata={"description": "The items of this page."})
    next: str | None = field(
        metadata={
            "description": "Send it as `cursor` to get the next page; null on the last.",
            "examples": ["50"],
        }
    )


class Pages(Generic[T]):
    """A list that is read page by page; iterating yields the items of its first page and of those after it."""

    def __init__(self, read: Callable[[str | None], Page[T]], cursor: str | None = None) -> None:
        """`read` returns the page at a cursor."""
        self._read = read
        self.first = read(cursor)

    def pages(self) -> Iterator[Page[T]]:
        """Yield page after page."""
        page = self.first
        yield page
        while page.next is not None:
            page = self._read(page.next)
            yield page

    def __iter__(self) -> Iterator[T]:
        return (item for page in self.pages() for item in page.items)


class AsyncPages(Generic[T]):
    """A list that is read page by page, for asyncio: `async for` yields its items."""

    def __init__(self, read: Callable[[str | None], Awaitable[Page[T]]], cursor: str | None = None) -> None:
        """`read` returns the page at a cursor."""
        self._read = read
        self._cursor = cursor

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Yield page after page."""
        page = await self._read(self._cursor)
        yield page
        while page.next is not None:
            page = await self._read(page.next)
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item


def listed(rows: Sequence[T], *, limit: int = DEFAULT_LIMIT, cursor: str | None = None) -> Pages[T]:
    """Return rows that are all known, in pages; their cursors are positions.  Raises Refusal for an unknown cursor."""

    def read(at: str | None) -> Page[T]:
        first = number_of(at)
        end = first + limit
        return Page(tuple(rows[first:end]), str(end) if end < len(rows) else None)

    return Pages(read, cursor)


def keyed(
    read: Callable[[str | None, int], Page[T]], *, limit: int = DEFAULT_LIMIT, cursor: str | None = None
) -> Pages[T]:
    """Return a list in pages that `read` returns by their cursor and limit."""
    return Pages(lambda at: read(at, limit), cursor)


def newest_first(
    read: Callable[[int | None, int], Sequence[T]],
    number: Callable[[T], int],
    *,
    limit: int = DEFAULT_LIMIT,
    cursor: str | None = None,
) -> Pages[T]:
    """Return numbered rows in pages; `read` returns at most so many before a number.  Raises Refusal for an unknown cursor."""

    def page(at: str | None, limit: int) -> Page[T]:
        rows = read(None if at is None else number_of(at), limit + 1)
        return Page(tuple(rows[:limit]), str(number(rows[limit - 1])) if len(rows) > limit else None)

    return keyed(page, limit=limit, cursor=cursor)


def number_of(cursor: str | None) -> int:
    """Return the number that a cursor is, 0 for the first page.  Raises Refusal."""
    if cursor is None:
        return 0
    if not cursor.isdecimal() or len(cursor) > 10:
        raise unknown_cursor(cursor)
    return int(cursor)


def unknown_cursor(cursor: str) -> Refusal:
    """Return the refusal of a cursor that no page has given."""
    return Refusal(
        "cursor_unknown",
        f"cursor {cursor!r}: is none of this list; send `next` of the page before",
        field="cursor",
    )
