"""Where a rating exists without a prior."""

from __future__ import annotations

from arena.ratings.existence import unbounded
from arena.ratings.totals import PairTotal


def test_bots_that_all_took_points_from_each_other_have_a_maximum() -> None:
    assert unbounded((PairTotal("a", "b", 2, 1), PairTotal("b", "c", 2, 1))) == ()


def test_a_ring_of_wins_has_a_maximum() -> None:
    assert unbounded((PairTotal("a", "b", 1, 0), PairTotal("b", "c", 1, 0), PairTotal("a", "c", 0, 1))) == ()


def test_a_bot_that_won_all_or_lost_all_is_named() -> None:
    met = PairTotal("a", "b", 3, 2)
    assert unbounded((met, PairTotal("b", "champion", 0, 4))) == ("champion",)
    assert unbounded((met, PairTotal("a", "novice", 4, 0))) == ("novice",)


def test_of_two_groups_that_met_one_way_only_the_smaller_is_named() -> None:
    strong = (PairTotal("a", "b", 2, 1), PairTotal("b", "c", 1, 1))
    weak = PairTotal("y", "z", 1, 1)
    assert unbounded((*strong, weak, PairTotal("a", "z", 3, 0))) == ("y", "z")


def test_two_bots_of_which_one_always_won_are_both_named() -> None:
    assert unbounded((PairTotal("a", "b", 5, 0),)) == ("a", "b")


def test_groups_that_never_met_stand_each_for_itself() -> None:
    assert unbounded((PairTotal("a", "b", 1, 1), PairTotal("x", "y", 1, 0))) == ("x", "y")
