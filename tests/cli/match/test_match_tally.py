"""What a series of matches says about its bots."""

from __future__ import annotations

import pytest

from arena.cli.match.match_tally import Played, elo_difference, elo_over_others, tally
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Ending


def match(set_number: int, number: int, seats: tuple[int, ...], *scores: int) -> Played:
    places = tuple(1 + sum(other > score for other in scores) for score in scores)
    return Played(
        set_number, number, f"m{set_number}{number}", seats, Ending(places, "completed", scores, {})
    )


def faulty(seats: tuple[int, ...], seat: int) -> Played:
    places = tuple(len(seats) if each == seat else 1 for each in range(len(seats)))
    return Played(0, 0, "m", seats, Ending(places, "fault", fault=SeatFault(seat, FaultKind.CRASH, "gone")))


def test_points_follow_the_bot_through_the_seats() -> None:
    played = [match(0, 0, (0, 1), 30, 10), match(0, 1, (1, 0), 5, 8)]
    first, second = tally(played, 2)
    assert (first.wins, first.draws, first.losses, first.points) == (2, 0, 0, 2.0)
    assert (second.wins, second.points) == (0, 0.0)


def test_draw_is_half_a_point() -> None:
    assert [row.points for row in tally([match(0, 0, (0, 1), 4, 4)], 2)] == [0.5, 0.5]


def test_each_other_seat_counts() -> None:
    rows = tally([match(0, 0, (2, 0, 1), 9, 5, 5)], 3)
    assert [(row.wins, row.draws, row.losses) for row in rows] == [(0, 1, 1), (0, 1, 1), (2, 0, 0)]


def test_fault_is_a_loss_to_each_other_seat_and_nothing_else() -> None:
    rows = tally([faulty((0, 1, 2), 1)], 3)
    assert [(row.wins, row.draws, row.losses, row.faults) for row in rows] == [
        (1, 0, 0, 0),
        (0, 0, 2, 1),
        (1, 0, 0, 0),
    ]


def test_mean_score_leaves_out_matches_without_scores() -> None:
    rows = tally([match(0, 0, (0, 1), 30, 10), faulty((0, 1), 0)], 2)
    assert [row.score and row.score.value for row in rows] == [30.0, 10.0]


def test_error_is_unknown_after_one_set() -> None:
    played = [match(0, 0, (0, 1), 30, 10), match(0, 1, (1, 0), 5, 8)]
    elo, row = elo_difference(played), tally(played, 2)[0]
    assert elo is not None
    assert row.score is not None
    assert (elo.error95, row.score.error95) == (None, None)


def test_error_of_the_mean_score_is_clustered_by_set() -> None:
    # Two sets whose matches agree are two observations, 10 and 20: SE = sqrt(2/1 · (10² + 10²)) / 4 = 5.
    played = [match(s, n, (0, 1), score, 0) for s, score in ((0, 10), (1, 20)) for n in (0, 1)]
    score = tally(played, 2)[0].score
    assert score is not None
    assert score.value == 15.0
    assert score.error95 == pytest.approx(1.96 * 5)


def test_even_bots_have_no_elo_difference() -> None:
    played = [match(0, 0, (0, 1), 1, 0), match(0, 1, (1, 0), 1, 0)]
    elo = elo_difference(played)
    assert elo is not None
    assert elo.value == pytest.approx(0)


def test_three_wins_of_four_are_nearly_191_elo_less_the_virtual_draw() -> None:
    # p = (3 + 1/2) / 5 = 0.7, and 400 · log10(0.7 / 0.3) = 147.2.
    played = [match(s, 0, (0, 1), *scores) for s, scores in enumerate([(1, 0), (1, 0), (1, 0), (0, 1)])]
    elo = elo_difference(played)
    assert elo is not None
    assert elo.value == pytest.approx(147.2, abs=0.05)


def test_elo_stays_finite_when_one_bot_wins_all() -> None:
    elo = elo_difference([match(s, 0, (0, 1), 1, 0) for s in range(10)])
    assert elo is not None
    assert elo.error95 is not None
    assert 300 < elo.value < 1000
    assert 100 < elo.error95 < 1000


def test_no_match_gives_no_elo() -> None:
    assert elo_difference([]) is None


def test_each_of_three_bots_is_rated_against_the_others_together() -> None:
    played = [
        match(number, 0, (0, 1, 2), *scores)
        for number, scores in enumerate([(30, 20, 10), (20, 30, 10), (30, 10, 20)])
    ]
    first, second, third = (elo_over_others(played, bot, 3) for bot in range(3))
    assert first is not None
    assert second is not None
    assert third is not None
    assert first.value > second.value > third.value
    assert first.value > 0 > third.value
    assert first.error95 is not None
