"""Tables of the commands: nothing is cut, and what there is no room for is named."""

from __future__ import annotations

from io import StringIO

import pytest

from arena.cli.support.fitted_table import FittedTable, name, number, text
from arena.cli.support.output import PlainConsole

LONG = "w" * 40
TALK = "a promise, a threat and a lie about who drowns"


def drawn(width: int) -> list[str]:
    """Draw a table with a long name and a long text."""
    columns = (number("#"), name("bot"), number("Elo ±"), number("matches", spare=2), text("says", spare=1))
    table = FittedTable("Title", columns, ("a note",))
    table.add("1", LONG, "1500 ± 123", "80", TALK)
    console = PlainConsole()
    console.file, console.width = StringIO(), width
    console.print(table)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    assert max(map(len, drawn(width))) <= width


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_text_is_cut(width: int) -> None:
    assert "…" not in "".join(drawn(width))


@pytest.mark.parametrize("width", [60, 80, 200])
def test_a_name_stays_on_one_line(width: int) -> None:
    assert any(LONG in line and "1500 ± 123" in line for line in drawn(width))


def test_a_name_wider_than_the_terminal_goes_on_in_the_next_line() -> None:
    assert sum(line.count("w") for line in drawn(30)) == len(LONG)


def test_the_columns_that_can_be_spared_leave_in_their_order() -> None:
    assert "No room for: matches" in drawn(80)
    assert "No room for: matches, says" in drawn(60)


def test_nothing_is_left_out_where_there_is_room() -> None:
    assert not any("No room" in line for line in drawn(200))


def test_a_text_wraps_at_its_words() -> None:
    words = {word for line in drawn(80) for word in line.split()}
    assert set(TALK.split()) <= words
