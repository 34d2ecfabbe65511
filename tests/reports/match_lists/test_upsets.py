"""Upsets: a bot has beaten one against which it had a chance under 20 %."""

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


TABLE = [Rated("weak", 1300, 30), Rated("strong", 1600, 30)]


def test_weaker_bot_that_wins_is_an_upset() -> None:
    assert upsets.among([match(1, 2)], TABLE) == {"m"}


@pytest.mark.parametrize(
    "row",
    [match(2, 1), match(1, 1), replace(match(1, 2), end="fault"), replace(match(1, 2), state="hidden")],
    ids=["favourite", "shared", "fault", "hidden"],
)
def test_other_results_are_none(row: MatchRow) -> None:
    assert upsets.among([row], TABLE) == frozenset()


@pytest.mark.parametrize("error", [500.0, None])
def test_nothing_is_an_upset_while_ratings_are_unsure(error: float | None) -> None:
    assert upsets.among([match(1, 2)], [TABLE[0], replace(TABLE[1], error=error)]) == frozenset()


@pytest.mark.parametrize(("ahead", "upset"), [(230, False), (260, True)])
def test_chance_under_20_percent_makes_the_upset(ahead: float, *, upset: bool) -> None:
    assert (
        bool(upsets.among([match(1, 2)], [Rated("weak", 1500, 5), Rated("strong", 1500 + ahead, 5)])) == upset
    )


def test_unsure_ratings_draw_the_chance_towards_a_half() -> None:
    sure, unsure = (
        upsets.chance_of_winner(match(1, 2), {("weak", "1"): (1300, error), ("strong", "1"): (1600, error)})
        for error in (10, 400)
    )
    assert sure == pytest.approx(0.15, abs=0.01)
    assert unsure is not None
    assert 0.2 < unsure < 0.5
