"""Answers of routes that list: a page if the request asks for one, otherwise the bare array that release 0.2 answered with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeAlias, TypeVar

from fastapi import Depends, Query

from arena.service.paging import DEFAULT_LIMIT, MAX_LIMIT, Page, Pages

_ALL = 2**31 - 1
USE_LIMIT = "Use `limit`."
Before = Annotated[
    int | None, Query(ge=1, le=_ALL, deprecated=True, description="Use `cursor`, whose value is the same.")
]

T = TypeVar("T")
Listed: TypeAlias = Page[T] | tuple[T, ...]


class Paging:
    """The page that a request asks for, by `limit` or `cursor`."""

    def __init__(
        self,
        limit: Annotated[
            int | None,
            Query(
                ge=1, le=MAX_LIMIT, description=f"Items of a page; {DEFAULT_LIMIT} if only `cursor` is given."
            ),
        ] = None,
        cursor: Annotated[
            str | None, Query(max_length=80, description="`next` of the page before; empty for the first.")
        ] = None,
    ) -> None:
        self.limit = limit
        self.cursor = cursor

    @property
    def is_asked(self) -> bool:
        """Whether the answer is a page."""
        return self.limit is not None or self.cursor is not None

    def answer(
        self, read: Callable[..., Pages[T]], *, most: int | None = None, after: object = None
    ) -> Listed[T]:
        """Return the page that is asked for; without one, at most `most` items after a cursor, or all."""
        if self.is_asked:
            return read(limit=self.limit or DEFAULT_LIMIT, cursor=self.cursor or None).first
        return read(limit=most or _ALL, cursor=None if after is None else str(after)).first.items


class PagingByCursor(Paging):
    """The page that a request asks for by `cursor`; in release 0.2 the list had a `limit` already, and was an array."""

    @property
    def is_asked(self) -> bool:
        """Whether the answer is a page."""
        return self.cursor is not None


ThePaging = Annotated[Paging, Depends()]
ThePagingByCursor = Annotated[PagingByCursor, Depends()]
