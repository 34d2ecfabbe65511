"""The components that all pages are made of, each in its states: empty, one, many, long names, an error.

Who changes a component looks here, and `tests/web/admin/test_design_page.py` does: in light and dark, on a phone and on a desk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from arena.rankings.standings import CrosstableCell
from arena.web.admin.admin_frame import Admin
from arena.web.ui.data_table import Column, Table, arrange
from arena.web.ui.form_state import Refused
from arena.web.ui.languages import mark
from arena.web.ui.templating import render

LONG = "W" * 40
"""The widest name that a bot can have."""

_ROWS = 60
_SETS = 40

router = APIRouter(prefix="/design", include_in_schema=False)


@dataclass(frozen=True, slots=True)
class SampleBot:
    """A bot that exists on this page only."""

    rank: int
    bot: str
    version: int
    elo: float | None
    error: float
    matches: int
    faults: int
    verified: bool = True


@dataclass(frozen=True, slots=True)
class SampleLine:
    """What somebody did in a step, as a line of a replay."""

    by: str
    kind: str
    seat: int
    words: str
    notation: str


_COLUMNS: dict[str, Column[SampleBot]] = {
    "rank": Column(lambda row: row.rank, falls=False),
    "bot": Column(lambda row: row.bot, falls=False),
    "elo": Column(lambda row: row.elo),
    "matches": Column(lambda row: row.matches),
}

STATES = (
    ("empty", mark("Empty"), ()),
    ("one", mark("One"), ("greedy",)),
    ("many", mark("Many"), tuple(f"bot_{number}" for number in range(1, _ROWS + 1))),
    ("long", mark("Long names"), (LONG, f"{LONG[:-1]}M", "i")),
)
"""States of what shows bots: its name in addresses, its words, the names of the bots."""


@router.get("")
def show(request: Request, _: Admin) -> Response:
    """Show every component."""
    return render(
        request,
        "admin/design.html",
        long=LONG,
        states=[(state, words, _table(request, state, names)) for state, words, names in STATES],
        names=[
            ("one", ("greedy", "random")),
            ("long", (LONG,) * 6),
            ("many", ("a", "b", "c", "d", "e", "f")),
        ],
        crossed=[_bots(STATES[2][2][:9]), _bots((LONG,) * 6)],
        cells=_cells,
        lines=[
            SampleLine("seat", "act", 0, "played a yellow 7", "play Y7"),
            SampleLine("seat", "say", 5, f"{LONG} promises a lot", "say …"),
            SampleLine("dummy", "act", 2, "showed 12", "show 12"),
        ],
        refused=Refused(
            "sample", "name", f"name {LONG!r}: must be 1 to 40 lower-case letters", 422, None, {"name": LONG}
        ),
        errors={"seats": "seats: must be 2 to 6"},
    )


@router.get("/chart")
def chart(state: Annotated[str, Query(pattern="^(empty|one|many|long)$")], _: Admin) -> Response:
    """Return what a chart of shares draws in one of its states."""
    names = next(names for name, _words, names in STATES if name == state)[:8]
    lines = [
        {"bot": name, "version": 1, "shares": [0.5 + (at - 3) / (8 + number) for number in range(_SETS)]}
        for at, name in enumerate(names)
    ]
    return JSONResponse({"sets": list(range(1, _SETS + 1)) if lines else [], "lines": lines})


def _table(request: Request, state: str, names: tuple[str, ...]) -> Table[SampleBot]:
    return arrange(request, state, _bots(names), _COLUMNS, sort="rank", words=lambda row: row.bot, size=8)


def _bots(names: tuple[str, ...]) -> list[SampleBot]:
    return [
        SampleBot(
            at + 1,
            name,
            1 + at,
            1700 - 12 * at if at != 2 else None,
            20 + 400 * (at == 1),
            12345 * at,
            at % 3,
        )
        for at, name in enumerate(names)
    ]


def _cells(rows: list[SampleBot]) -> list[list[CrosstableCell | None]]:
    """Return a crosstable's cells; some have not met."""
    return [
        [None if i == j or (i + j) % 7 == 0 else CrosstableCell(j, 1, i) for j in range(len(rows))]
        for i in range(len(rows))
    ]
