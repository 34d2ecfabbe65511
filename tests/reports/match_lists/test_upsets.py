"""Upsets: a clearly weaker bot has beaten a stronger one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from arena.reports.match_details import MatchRow, SeatRow
from arena.reports.match_lists import upsets


@dataclass(frozen=True)
class Rated:
    """A row of a table."""

    bot: str
    elo: float | None
    error: float | None
    version: str = "1"


def seat(number: int, name: str, place: int) -> SeatRow:
    return SeatRow(number, name, name, "1", verified=True, place=place, score=None)


def match(first: int, second: int) -> MatchRow:
    seats = (seat(0, "weak", first), seat(1, "strong", second))
    return MatchRow(1, "Cup", "lost_cities", 0, 0, "m", "finished", "completed", seats, 0.0, None)


TABLE = [Rated("weak", 1400, 30), Rated("strong", 1600, 30)]


def test_weaker_bot_that_wins_is_an_upset() -> None:
    assert upsets.among([match(1, 2)], TABLE) == {"m"}


@pytest.mark.parametrize(
    "row",
    [match(2, 1), match(1, 1), replace(match(1, 2), end="fault"), replace(match(1, 2), state="hidden")],
    ids=["favourite", "shared", "fault", "hidden"],
)
def test_other_results_are_none(row: MatchRow) -> None:
    assert upsets.among([row], TABLE) == frozenset()


@pytest.mark.parametrize("error", [300.0, None])
def test_nothing_is_an_upset_while_ratings_are_unsure(error: float | None) -> None:
    assert upsets.among([match(1, 2)], [TABLE[0], replace(TABLE[1], error=error)]) == frozenset()
