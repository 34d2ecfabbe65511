"""The search for a day's puzzles: strong bots, one clear choice that `greedy` does not make, the same whenever it is searched."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from arena.match.choice_chances import ChoiceEstimate
from arena.rankings import public_ratings
from arena.reports import match_views
from arena.reports.insights import puzzle_search, stored_chances
from arena.reports.puzzles import stored_puzzles
from arena.storage import Store
from arena.storage.schema import DailyPuzzle, MatchResult
from tests import random_tournaments

DAY_S = 86_400.0


def play(store: Store, *bots: str, limit: int = 12) -> float:
    """Play matches of Land Unter; return a moment of the next day."""
    number = random_tournaments.create(store, "land_unter", *bots).id
    random_tournaments.play(store, number, limit=limit)
    for pool in public_ratings.pools(store):
        public_ratings.refresh(store, pool.key)
    with store.read() as session:
        stored = max(session.scalars(select(MatchResult.stored_at)))
    return (stored // DAY_S + 1) * DAY_S + 60


def search(store: Store, now: float, most: int = 40) -> DailyPuzzle | None:
    """Search until the puzzle of Land Unter is settled, or nothing is left to search."""
    for _ in range(most):
        tried = puzzle_search.search(store, now)
        with store.read() as session:
            row = session.get(DailyPuzzle, (str(stored_puzzles.day_of(now)), "land_unter"))
        if row is None or row.settled or not tried:
            return row
    raise AssertionError("the search does not end")


def test_puzzle_has_a_clearly_best_choice_that_greedy_does_not_make(store: Store) -> None:
    now = play(store, "greedy", "hoarder", "counter")
    row = search(store, now)
    assert row is not None
    (found,) = stored_puzzles.of_day(store, stored_puzzles.day_of(now))
    estimates = stored_chances.OF_CHOICES.load(store, *found.choice)
    assert estimates is not None
    first, second = sorted(estimates, key=lambda each: -each.share)[:2]
    assert {bot.bot: bot.action for bot in found.bots}["greedy"] != first.action
    assert puzzle_search.is_clear(estimates) == (row.gap >= puzzle_search.GAP)
    assert row.gap == pytest.approx(first.share - second.share)
    # Nothing changes any more.
    assert puzzle_search.search(store, now) == 0 or search(store, now) is not None


def test_match_with_a_bot_that_does_not_think_gives_none(store: Store) -> None:
    now = play(store, "greedy", "hoarder", "random")
    row = search(store, now)
    assert row is not None
    assert (row.settled, row.tournament_id) == (True, None)


def test_first_day_waits_for_some_matches(store: Store) -> None:
    now = play(store, "greedy", "hoarder", "counter", limit=3)
    with store.read() as session:
        stored = max(session.scalars(select(MatchResult.stored_at)))
    assert search(store, stored + 1) is None
    assert search(store, now) is not None


def test_matches_are_searched_in_the_same_order_by_every_process(store: Store) -> None:
    now = play(store, "greedy", "hoarder", "counter", limit=6)
    day = stored_puzzles.day_of(now)
    other = Store.open(store.url.render_as_string(hide_password=False))
    orders = [
        [row.id for row in puzzle_search.candidates(each, day, "land_unter", now)] for each in (store, other)
    ]
    other.close()
    assert orders[0] == orders[1]
    assert match_views.page(store, 1, 0, 0).id in orders[0]


@pytest.mark.parametrize(
    ("second", "error", "clear"),
    [(0.60, 0.01, False), (0.54, 0.01, True), (0.54, 0.08, False)],
    ids=["too close", "clear", "too unsure"],
)
def test_choice_is_clear_from_five_points_beyond_the_error(
    second: float, error: float, *, clear: bool
) -> None:
    found = [ChoiceEstimate("a", 0.62, error), ChoiceEstimate("b", second, error)]
    assert puzzle_search.is_clear(found) == clear
