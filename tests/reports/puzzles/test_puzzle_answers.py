"""Answers to puzzles: each reader's first one is stored once, ratings and streaks follow from them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from arena.reports.puzzles import puzzle_answers
from arena.reports.puzzles.puzzle_answers import StoredAnswer, streak

if TYPE_CHECKING:
    from arena.storage import Store

TODAY = date(2026, 3, 10)
ME = puzzle_answers.of_user(1)


def days(*back: int) -> list[date]:
    return [TODAY - timedelta(days=each) for each in back]


def answer(store: Store, day: date, *, solved: bool, solver: str = ME, game: str = "lost_cities") -> bool:
    given = StoredAnswer("draw deck", solved)
    return puzzle_answers.add(store, solver, (day, game), given, 1600.0, day)


def test_only_the_first_answer_is_stored(store: Store) -> None:
    assert answer(store, TODAY, solved=False)
    assert not answer(store, TODAY, solved=True)
    assert puzzle_answers.find(store, ME, (TODAY, "lost_cities")) == StoredAnswer("draw deck", solved=False)


def test_answers_at_the_same_time_are_stored_once(store: Store) -> None:
    with ThreadPoolExecutor(4) as pool:
        stored = list(pool.map(lambda _: answer(store, TODAY, solved=True), range(8)))
    assert sum(stored) == 1
    assert puzzle_answers.count(store, (TODAY, "lost_cities")) == {"draw deck": 1}


def test_rating_rises_with_solved_puzzles_and_falls_with_others(store: Store) -> None:
    answer(store, TODAY, solved=True)
    answer(store, TODAY, solved=False, solver="player/x")
    assert puzzle_answers.read(store, ME, TODAY).rating > 1500
    assert puzzle_answers.read(store, "player/x", TODAY).rating < 1500


def test_streak_counts_days_and_not_puzzles(store: Store) -> None:
    for day in days(0, 1):
        answer(store, day, solved=True)
        answer(store, day, solved=True, game="lifeboats")
    found = puzzle_answers.read(store, ME, TODAY)
    assert (found.streak, found.solved, found.answers) == (2, 4, 4)


@pytest.mark.parametrize(
    ("solved", "length"),
    [((), 0), ((0,), 1), ((1,), 1), ((2,), 0), ((0, 1, 2), 3), ((1, 2), 2), ((0, 2, 3), 1)],
    ids=["none", "today", "yesterday", "broken", "three", "not today yet", "with a gap"],
)
def test_streak_lasts_until_a_day_is_missed(solved: tuple[int, ...], length: int) -> None:
    assert streak(days(*solved), TODAY) == length
