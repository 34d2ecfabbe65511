"""Tables in the terminal, all in one style: nothing in them is cut.

Numbers keep to one line, and so do names while there is room; texts wrap at words.  Where the terminal is too narrow, the columns that
can be spared are left out, and a line below names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from arena.core.foreign_text import clean

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

_GAP = 2
_TEXT_WIDTH = 16
"""Columns that a text gets before others are left out for it."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column; of those with `spare` the highest is left out first, those with 0 never are."""

    heading: str
    kind: Literal["name", "number", "text"]
    spare: int = 0


def name(heading: str, *, spare: int = 0) -> Column:
    """Return a column of names, dates, ids: each on one line while there is room."""
    return Column(heading, "name", spare)


def number(heading: str, *, spare: int = 0) -> Column:
    """Return a column of numbers, aligned right."""
    return Column(heading, "number", spare)


def text(heading: str, *, spare: int = 0) -> Column:
    """Return a column of texts, which wrap at words."""
    return Column(heading, "text", spare)


class FittedTable:
    """A table that is drawn as wide as it needs, at most as wide as the terminal.  Mutable."""

    def __init__(self, title: str, columns: Iterable[Column], notes: Sequence[str] = ()) -> None:
        """Begin a table without rows; `notes` are lines below it."""
        self._title = title
        self._columns = tuple(columns)
        self._notes = tuple(notes)
        self._rows: list[tuple[str, ...]] = []

    def add(self, *cells: str) -> None:
        """Add a row, with a cell for each column."""
        self._rows.append(tuple(clean(cell) for cell in cells))

    def needs(self) -> int:
        """Return the width at which no column is left out and no name wraps."""
        return self._least(range(len(self._columns)))

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it for a console."""
        shown = self._fitting(options.max_width)
        if self._title:
            yield Text(clean(self._title), style="bold")
        yield self._drawn(shown, wraps_names=self._least(shown) > options.max_width)
        gone = [column.heading for at, column in enumerate(self._columns) if at not in shown]
        left_out = (f"No room for: {', '.join(gone)}",) if gone else ()
        for note in (*self._notes, *left_out):
            yield Text(clean(note), style="dim")
        yield Text()

    def _drawn(self, shown: Sequence[int], *, wraps_names: bool) -> Table:
        drawn = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, _GAP - 1, 0, 0))
        for at in shown:
            column = self._columns[at]
            one_line = column.kind == "number" or (column.kind == "name" and not wraps_names)
            justify: Literal["left", "right"] = "right" if column.kind == "number" else "left"
            drawn.add_column(
                Text(clean(column.heading)),
                justify=justify,
                no_wrap=one_line,
                overflow="fold",
                min_width=0 if one_line else min(self._natural(at), _TEXT_WIDTH),
            )
        for row in self._rows:
            drawn.add_row(*(Text(row[at]) for at in shown))
        return drawn

    def _fitting(self, width: int) -> list[int]:
        """Return the columns that there is room for."""
        shown = list(range(len(self._columns)))
        for at in sorted(shown, key=lambda each: -self._columns[each].spare):
            if not self._columns[at].spare or self._least(shown) <= width:
                break
            shown.remove(at)
        return shown

    def _least(self, shown: Iterable[int]) -> int:
        widths = [self._narrowest(at) for at in shown]
        return sum(widths) + _GAP * (len(widths) - 1)

    def _narrowest(self, at: int) -> int:
        """Return the width at which a column is still as it should be."""
        if self._columns[at].kind != "text":
            return self._natural(at)
        words = (cell_len(word) for cell in self._cells(at) for word in cell.split())
        return max(min(self._natural(at), _TEXT_WIDTH), *words, 0)

    def _natural(self, at: int) -> int:
        return max(cell_len(cell) for cell in self._cells(at))

    def _cells(self, at: int) -> Iterator[str]:
        yield self._columns[at].heading
        yield from (row[at] for row in self._rows)
