"""Land Unter: arena/games/land_unter/docs/rules.md, row by row."""

from __future__ import annotations

import random

import pytest

from arena.games.chance import Stream
from arena.games.kernel import Chance, Choice, IllegalAction
from arena.games.land_unter.rules import LAND_UNTER, Payment, pay, score_round, take_water
from arena.games.land_unter.state import WATER, WEATHER, LandUnterState, count_lifebelts
from tests.games.playing import Configuration, play

TABLE = Configuration(LAND_UNTER, "standard", 4)

Numbers = tuple[int, ...]


def position(hands: list[Numbers], water: Numbers, **fields: object) -> LandUnterState:
    """A trick of a match of one round, with the hands and water cards given."""
    state, _ = LAND_UNTER.new(LAND_UNTER.setup(len(hands), options={"rounds": 1}), bytes(32))
    return state.replace(hands=tuple(hands), water=water, **fields)


def act(state: LandUnterState, *cards: int) -> LandUnterState:
    return LAND_UNTER.apply(state, [f"play {card}" for card in cards])[0]


@pytest.mark.parametrize(
    ("hand", "lifebelts"),
    [
        # 5, 3½ and 6½ lifebelts: 10, 7 and 13 halves.
        ((1, 2, 13, 14, 25, 26, 27, 28, 49, 50, 51, 52), 5),
        ((1, 2, 3, 13, 25, 26, 27, 49, 50, 51, 52, 53), 3),
        ((1, 2, 3, 13, 25, 26, 27, 28, 29, 30, 49, 50), 6),
    ],
)
def test_halves_of_lifebelts_are_rounded_down(hand: Numbers, lifebelts: int) -> None:
    assert count_lifebelts(hand) == lifebelts


def test_halves_of_all_cards_make_24_lifebelts() -> None:
    assert count_lifebelts(WEATHER) == 24


@pytest.mark.parametrize(
    ("levels", "belts", "after", "paid", "went_out"),
    [
        ((11, 9, 4, 0), (0, 2, 1, 3), (0, 1, 1, 3), (1,), (0,)),
        ((11, 11, 9, 0), (0, 2, 1, 3), (0, 1, 1, 3), (1,), (0,)),
        ((11, 11, 9, 9, 2), (0, 0, 0, 1, 1), (0, 0, 0, 0, 1), (3,), (0, 1, 2)),
        ((12, 5, 3), (0, 1, 1), (0, 1, 1), (), (0,)),
        ((11, 11, 9, 9), (0, 0, 1, 1), (0, 0, 1, 1), (), (0, 1)),  # the elimination that leaves two ends it
        ((11, 11, 9, 4, 2), (0, 0, 1, 1, 1), (0, 0, 0, 1, 1), (2,), (0, 1)),
        ((12, 11, 9, 4, 2), (0, 0, 1, 1, 1), (0, 0, 0, 1, 1), (2,), (0, 1)),
        ((8, 8, 3, 0), (1, 1, 1, 1), (0, 0, 1, 1), (0, 1), ()),
        ((8, 0, 0, 0), (0, 1, 1, 1), (0, 1, 1, 1), (), (0,)),  # nobody still in has a level
    ],
)
def test_payment(levels: Numbers, belts: Numbers, after: Numbers, paid: Numbers, went_out: Numbers) -> None:
    still_in = tuple(seat not in went_out for seat in range(len(levels)))
    dry = tuple(level if here else 0 for level, here in zip(levels, still_in, strict=True))
    assert pay((True,) * len(levels), belts, levels) == Payment(still_in, after, dry, paid, went_out)


def test_three_in_and_one_goes_out_gives_the_lowest_the_bonus() -> None:
    payment = pay((True, True, True), (0, 1, 1), (12, 5, 3))
    assert score_round(payment.still_in, payment.lifebelts, payment.levels) == (-1, 1, 2)


def test_all_tied_lowest_get_the_bonus() -> None:
    assert score_round((True, True, True), (2, 0, 1), (0, 0, 4)) == (3, 1, 1)


def test_equal_water_cards_go_to_the_two_highest() -> None:
    assert take_water((5, 60, 17), (7, 7)) == (0, 7, 7)


def test_highest_card_takes_the_lower_water_card() -> None:
    assert take_water((5, 60, 17, 0), (3, 11)) == (0, 3, 11, 0)


def test_deal_has_a_group_for_each_seat_and_the_rest() -> None:
    for seats, rest in ((3, 24), (4, 12), (5, 0)):
        _, (deal, water) = LAND_UNTER.new(LAND_UNTER.setup(seats), bytes(32))
        assert isinstance(deal, Chance)
        assert isinstance(water, Chance)
        assert [len(group.split()) for group in deal.outcome] == [12] * seats + [rest]
        assert [len(group.split()) for group in water.outcome] == [24]


def test_deal_and_water_are_shuffled_one_after_the_other() -> None:
    playout = play(TABLE, bytes(32), random.Random(1))
    deal, *waters = [step for step in playout.steps() if isinstance(step, Chance)]
    weather, stream = Stream(bytes(32)).shuffle(WEATHER)
    assert " ".join(deal.outcome) == " ".join(map(str, weather))
    assert len(waters) == 4
    for water in waters:
        shuffled, stream = stream.shuffle(WATER)
        assert water.outcome == (" ".join(map(str, shuffled)),)


def test_taken_card_covers_the_old_level() -> None:
    state = position([(1, 2), (30, 31), (60, 59), (5, 6)], (9, 2, 3, 1), lifebelts=(5, 5, 5, 5))
    state = act(act(state, 1, 30, 60, 5), 2, 31, 59, 6)
    assert state.levels == (0, 3, 1, 0)
    assert state.lifebelts == (5, 3, 5, 5)


def test_seat_that_went_out_is_not_asked_and_has_no_cards() -> None:
    state = act(
        position([(1, 2), (30, 31), (60, 59), (5, 6)], (9, 2, 3, 1), lifebelts=(5, 0, 5, 5)), 1, 30, 60, 5
    )
    assert LAND_UNTER.to_act(state) == (Choice(0), Choice(2), Choice(3))
    assert state.hands[1] == ()
    assert state.tricks[0].went_out == (1,)


def test_round_ends_when_two_are_left() -> None:
    state = act(position([(1, 2), (30, 31), (60, 59)], (12, 2, 3, 1), lifebelts=(3, 0, 2)), 1, 30, 60)
    assert LAND_UNTER.to_act(state) == ()
    assert state.scores == ((4, -1, 2),)


def test_round_ends_after_twelve_tricks() -> None:
    state = position([(1,), (30,), (60,)], (3, 4) * 12, lifebelts=(3, 3, 3), tricks=(None,) * 11)
    assert act(state, 1, 30, 60).scores == ((4, 2, 3),)


def test_elimination_in_the_twelfth_trick_is_minus_one() -> None:
    hands: list[Numbers] = [(1,), (30,), (60,), (2,)]
    state = position(hands, (3, 4) * 12, lifebelts=(3, 0, 3, 0), tricks=(None,) * 11)
    assert act(state, 1, 30, 60, 2).scores == ((4, -1, 2, 1),)


def test_hands_go_on_to_the_left_whole() -> None:
    playout = play(TABLE, bytes(32), random.Random(3))
    starts = [state for state in playout.states() if not state.tricks]
    for number, state in enumerate(starts):
        assert state.hands == tuple(state.dealt[(seat - number) % 4] for seat in range(4))
        assert state.lifebelts == tuple(count_lifebelts(hand) for hand in state.hands)
        assert state.levels == (0, 0, 0, 0)


def test_match_has_as_many_rounds_as_seats() -> None:
    assert len(play(TABLE, bytes(32), random.Random(1)).last.scores) == 4


def test_option_rounds_is_at_most_the_number_of_seats() -> None:
    (option,) = LAND_UNTER.options("standard", 3)
    assert (option.low, option.high, option.standard) == (1, 3, 3)


def test_result_adds_up_the_rounds() -> None:
    playout = play(TABLE, bytes(32), random.Random(1))
    result = LAND_UNTER.result(playout.last)
    assert result is not None
    assert result.scores == tuple(map(sum, zip(*playout.last.scores, strict=True)))
    assert result.detail == {"rounds": [list(scores) for scores in playout.last.scores]}
    assert result.end == "completed"


def test_card_that_is_not_in_hand_is_refused_with_the_cards_that_are() -> None:
    state = position([(1, 2), (30, 31), (60, 59)], (12, 2, 3, 1))
    with pytest.raises(IllegalAction, match="'play 3' of seat 1: must be one of play 30, play 31"):
        act(state, 1, 3, 60)


def test_view_shows_the_water_cards_lower_first() -> None:
    state = position([(1, 2), (30, 31), (60, 59)], (12, 2, 3, 1))
    assert LAND_UNTER.view(state, 0).water == (2, 12)


def test_view_tells_how_the_round_before_ended() -> None:
    playout = play(TABLE, bytes(32), random.Random(3))
    starts = [at for at, state in enumerate(playout.states()) if not state.tricks]
    before, after = playout.points[starts[1] - 1].state, playout.states()[starts[1]]
    tricks = LAND_UNTER.view(after, 0).last_round
    assert tricks[:-1] == before.tricks
    assert len(tricks) == len(before.tricks) + 1
