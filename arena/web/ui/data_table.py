"""Long tables: one page of them, sorted and filtered as an address asks, so that they work without a script.

    ?elo.sort=-matches&elo.find=gre&elo.page=2      table `elo`: most matches first, names with "gre", second page

`static/tables.js` follows the same links without leaving the page, and keeps the rest of the page as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from fastapi import Request

from arena.core.errors import Refusal
from arena.core.translatable import say

PAGE = 50
"""Rows of a page, if a table has no wish of its own."""

_MAX_QUERY_CHARS = 100
_DIGITS = 10

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column that can be sorted by; `falls` says whether the first press shows the largest first."""

    key: Callable[[Row], Any]
    falls: bool = True


@dataclass(frozen=True, slots=True)
class Table(Generic[Row]):
    """A page of a table; `total` counts the rows that were found, `all` those there are, pages count from 1."""

    id: str
    rows: tuple[Row, ...]
    first: int
    """The number of the first row, counted from 1."""

    total: int
    all: int
    page: int
    pages: int
    sort: str
    falls: bool
    find: str
    columns: Mapping[str, Column[Row]]
    parameters: tuple[tuple[str, str], ...]
    """All that the address asks for, of other tables too."""

    at: str = ""
    """Where the page is, if it is not where the request went."""

    def link(self, **changes: object) -> str:
        """Address the same page with changes: `sort`, `find` or `page`."""
        changed = {f"{self.id}.{name}": value for name, value in changes.items()}
        kept = [(name, value) for name, value in self.parameters if name not in changed]
        if "page" not in changes:
            kept = [(name, value) for name, value in kept if name != f"{self.id}.page"]
        kept += [(name, str(value)) for name, value in changed.items() if value not in {None, "", 1}]
        return f"{self.at}?{urlencode(kept)}#{self.id}"

    def with_parameter(self, name: str, value: str, fragment: str) -> str:
        """Address the same page with another value, or none, of a parameter that is no table's."""
        kept = [pair for pair in self.parameters if pair[0] not in {name, f"{fragment}.page"}]
        return f"{self.at}?{urlencode([*kept, (name, value)] if value else kept)}#{fragment}"

    def sort_link(self, column: str) -> str:
        """Address this table sorted by a column; by the one it is sorted by, the other way round."""
        falls = not self.falls if column == self.sort else self.columns[column].falls
        return self.link(sort=f"-{column}" if falls else column)

    def order(self, column: str) -> str | None:
        """Return a column's aria-sort value; None if the table is not sorted by it."""
        if column != self.sort:
            return None
        return "descending" if self.falls else "ascending"

    @property
    def near(self) -> tuple[int | None, ...]:
        """Number the pages that a reader can go to at once: the ends, and those near; None marks a gap."""
        shown = sorted({1, self.pages, *range(max(1, self.page - 1), min(self.pages, self.page + 1) + 1)})
        numbers: list[int | None] = []
        for number in shown:
            if numbers and numbers[-1] is not None and number > numbers[-1] + 1:
                numbers.append(None)
            numbers.append(number)
        return tuple(numbers)

    @property
    def others(self) -> tuple[tuple[str, str], ...]:
        """Return what a filter's form must send on besides its own field."""
        mine = {f"{self.id}.find", f"{self.id}.page"}
        return tuple((name, value) for name, value in self.parameters if name not in mine)


def arrange(
    request: Request,
    id: str,  # noqa: A002 - as in HTML
    rows: Sequence[Row],
    columns: Mapping[str, Column[Row]],
    *,
    sort: str,
    words: Callable[[Row], str] | None = None,
    size: int = PAGE,
    at: str = "",
) -> Table[Row]:
    """Sort, filter and cut rows as the request asks; `rows` come sorted by `sort`, `-name` if it falls.

    `words` gives the text in which a filter's text is looked for.  A page beyond the last is the last.
    Raises Refusal for what cannot be asked for.
    """
    asked = request.query_params
    order = asked.get(f"{id}.sort", sort)
    name = order.removeprefix("-")
    if name not in columns:
        raise Refusal(
            "sort_invalid",
            say(
                "{id}.sort {order!r}: must be one of {columns}; with a - before it the largest comes first",
                id=id,
                order=order[:40],
                columns=", ".join(columns),
            ),
            field=f"{id}.sort",
        )
    find = asked.get(f"{id}.find", "").strip()[:_MAX_QUERY_CHARS]
    found = list(rows)
    if find and words is not None:
        wanted = find.casefold()
        found = [row for row in found if wanted in words(row).casefold()]
    if order != sort:
        found = _sorted(found, columns[name].key, falls=order.startswith("-"))
    return cut(
        request,
        id,
        total=len(found),
        all_rows=len(rows),
        take=lambda first, end: found[first:end],
        size=size,
        columns=columns,
        order=order,
        find=find,
        at=at,
    )


def cut(
    request: Request,
    id: str,  # noqa: A002 - as in HTML
    *,
    total: int,
    take: Callable[[int, int], Sequence[Row]],
    all_rows: int | None = None,
    size: int = PAGE,
    start: int = 1,
    columns: Mapping[str, Column[Row]] | None = None,
    order: str = "",
    find: str = "",
    at: str = "",
) -> Table[Row]:
    """Cut a page out of `total` rows that are taken by their numbers; `start` is the page if none is asked for."""
    pages = max(1, -(-total // size))
    page = min(_page(request, f"{id}.page", start), pages)
    first = (page - 1) * size
    return Table(
        id=id,
        rows=tuple(take(first, min(first + size, total))),
        first=first + 1,
        total=total,
        all=total if all_rows is None else all_rows,
        page=page,
        pages=pages,
        sort=order.removeprefix("-"),
        falls=order.startswith("-"),
        find=find,
        columns=columns or {},
        parameters=tuple(request.query_params.multi_items()),
        at=at,
    )


def _page(request: Request, field: str, start: int) -> int:
    asked = request.query_params.get(field, str(start))
    if not (asked.isascii() and asked.isdecimal() and len(asked) < _DIGITS and int(asked)):
        raise Refusal(
            "page_invalid",
            say("{field} {asked!r}: must be a page's number, counted from 1", field=field, asked=asked[:40]),
            field=field,
        )
    return int(asked)


def _sorted(rows: list[Row], key: Callable[[Row], Any], *, falls: bool) -> list[Row]:
    """Sort rows; those without a value come last either way, equal ones keep their order."""
    keyed = [(key(row), row) for row in rows]
    there = [(value, row) for value, row in keyed if value is not None]
    there.sort(key=lambda pair: pair[0], reverse=falls)
    return [row for _, row in there] + [row for value, row in keyed if value is None]
