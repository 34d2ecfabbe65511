"""Long tables: sorted, filtered and cut as an address asks."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import Request

from arena.core.errors import Refusal
from arena.web.ui.data_table import Column, Table, arrange

ROWS = [("ant", 3), ("Bee", None), ("cat", 5), ("doe", 5), ("elk", 1)]
COLUMNS: dict[str, Column[Any]] = {
    "name": Column(lambda row: row[0].casefold(), falls=False),
    "size": Column(lambda row: row[1]),
}


def table(query: str = "") -> Table[tuple[str, int | None]]:
    request = Request(
        {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": query.encode()}
    )
    return arrange(request, "t", ROWS, COLUMNS, sort="name", words=lambda row: row[0], size=2)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["ant", "Bee"]),
        ("t.page=3", ["elk"]),
        ("t.page=99", ["elk"]),
        ("t.sort=-size", ["cat", "doe"]),
        ("t.sort=size&t.page=3", ["Bee"]),
        ("t.sort=-size&t.page=3", ["Bee"]),
        ("t.find=E&t.page=2", ["elk"]),
        ("t.find=zebra", []),
        ("other.page=7", ["ant", "Bee"]),
    ],
)
def test_a_page_is_what_the_address_asks_for(query: str, names: list[str]) -> None:
    assert [row[0] for row in table(query).rows] == names


@pytest.mark.parametrize(
    "query", ["t.sort=weight", "t.page=0", "t.page=-1", "t.page=x", "t.page=" + "9" * 5000]
)
def test_what_cannot_be_asked_for_is_refused_by_name(query: str) -> None:
    with pytest.raises(Refusal, match=query[:6]):
        table(query)


def test_links_keep_what_other_tables_show_and_begin_at_the_first_page() -> None:
    asked = table("u.page=2&t.sort=-size&t.find=e&t.page=2")
    assert asked.sort_link("size") == "?u.page=2&t.find=e&t.sort=size#t"
    assert asked.sort_link("name") == "?u.page=2&t.find=e&t.sort=name#t"
    assert asked.link(page=1) == "?u.page=2&t.sort=-size&t.find=e#t"
    assert asked.others == (("u.page", "2"), ("t.sort", "-size"))
    assert (asked.order("size"), asked.order("name")) == ("descending", None)


def test_the_ends_and_the_neighbours_of_a_page_can_be_reached() -> None:
    assert table("t.page=2").near == (1, 2, 3)
    assert table().near == (1, 2, 3)
