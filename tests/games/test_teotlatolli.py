"""Teotlatolli: arena/games/teotlatolli/docs/rules.md, row by row."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.chance import Stream
from arena.games.kernel import Chance, IllegalAction, Played, Step, advance
from arena.games.teotlatolli import TEOTLATOLLI, codec
from arena.games.teotlatolli.cards import (
    BEARS,
    CARDINALS,
    DECK,
    GODS,
    SIGN_BITS,
    SIGNS,
    Cards,
    gather,
    list_signs,
    merge,
    name_cards,
)
from arena.games.teotlatolli.sampler import sample
from arena.games.teotlatolli.state import ACT, DISCARD, DRAW, EXTRA, NOBODY, Supply, TeotlatolliState
from tests.examples import scaled
from tests.games.playing import Configuration, Playout, play

TABLE = Configuration(TEOTLATOLLI, "standard", 2)
IN_PLAY = (4, 5, 3, 17, 1)
TO_COME = tuple(god for god in GODS if god not in IN_PLAY)
EIGHT_EACH = (TO_COME[:8], (*TO_COME[8:], 1))


def cards(text: str) -> Cards:
    return gather(tuple(SIGNS.index(name) for name in text.split()))


def position(
    hand: str = "",
    other: str = "",
    *,
    own: dict[int, str] | None = None,
    theirs: dict[int, str] | None = None,
    depot: str = "",
    reserve: str = "atl atl atl atl",
    discards: str = "",
    **fields: object,
) -> TeotlatolliState:
    """Seat 0 is to act; 4, 5, 3, 17 and 1 are in play.  `own` and `theirs` say what lies at which god."""
    start, _ = TEOTLATOLLI.new(TEOTLATOLLI.setup(2), bytes(32))
    sides = tuple(tuple(cards((at or {}).get(god, "")) for god in IN_PLAY) for at in (own, theirs))
    supply = Supply(
        start.supply.stream, tuple(SIGNS.index(name) for name in reserve.split()), (*IN_PLAY, *TO_COME)
    )
    state = start.replace(
        supply=supply,
        phase=ACT,
        hands=(cards(hand), cards(other)),
        depots=(cards(depot), 0),
        discards=cards(discards),
        gods=IN_PLAY,
        sides=sides,
    )
    return state.replace(**fields)


def completed(first: int, second: int) -> dict[str, Any]:
    """Say that so many gods are completed, the first to come; those in play stand for the next."""
    gods = TO_COME[: first + second]
    return {"completed": (gods[:first], gods[first:])}


def late(state: TeotlatolliState, first: int, second: int) -> TeotlatolliState:
    """Have so many gods completed before those in play came."""
    won = TO_COME[: first + second]
    rest = TO_COME[first + second :]
    return state.replace(
        supply=state.supply.replace(gods=(*won, *IN_PLAY, *rest)), completed=(won[:first], won[first:])
    )


def act(state: TeotlatolliState, *actions: str) -> TeotlatolliState:
    for action in actions:
        assert action in legal(state)
        state, _ = TEOTLATOLLI.apply(state, (action,))
    return state


def legal(state: TeotlatolliState) -> tuple[str, ...]:
    return TEOTLATOLLI.legal(state, state.seat)


def side(state: TeotlatolliState, seat: int, god: int) -> str:
    return " ".join(name_cards(state.sides[seat][state.gods.index(god)]))


def refuses(state: TeotlatolliState, action: str) -> bool:
    """Return whether an action is neither listed nor done."""
    listed = action in legal(state)
    try:
        TEOTLATOLLI.apply(state, (action,))
    except IllegalAction:
        return not listed
    return False


# --- worked examples ------------------------------------------------------------------------------------------


def test_play_of_the_fourth_sign_completes_the_god_and_ends_the_turn() -> None:
    state = act(position("tecpatl", own={4: "cuetzpalin coatl mazatl"}), "play tecpatl 4")
    assert state.completed == ((4,), ())
    assert state.gods == (TO_COME[0], 5, 3, 17, 1)
    assert name_cards(state.discards) == ("cuetzpalin", "coatl", "mazatl", "tecpatl")
    assert (state.seat, state.turn, state.phase) == (1, 1, DRAW)


def test_two_equal_signs_on_a_side_do_not_complete_its_god() -> None:
    state = position("tecpatl", own={4: "cuetzpalin coatl coatl mazatl"})
    state = act(state, "play tecpatl 4")
    assert (state.completed, state.seat) == (((), ()), 0)


def test_switch_that_leaves_each_sign_once_completes_for_the_other_seat_and_ends_the_turn() -> None:
    state = position(theirs={4: "cuetzpalin coatl coatl mazatl tecpatl"})
    state = act(state, "switch coatl 4")
    assert state.completed == ((), (4,))
    assert (state.seat, state.turn) == (1, 1)
    assert len(name_cards(state.discards)) == 5


def test_cardinal_sign_on_a_side_cannot_be_switched() -> None:
    assert refuses(position(theirs={3: "calli"}), "switch calli 3")


def test_eight_cards_at_the_end_of_a_turn_take_a_discard_and_a_gift() -> None:
    state = act(position("atl atl atl atl coatl coatl coatl coatl"), "end")
    assert legal(state) == ("discard coatl", "discard atl")
    state = act(state, "discard coatl")
    assert (state.seat, state.turn) == (0, 0)
    assert legal(state) == ("give coatl", "give atl")
    state = act(state, "give atl")
    assert (name_cards(state.discards), name_cards(state.depots[1])) == (("coatl",), ("atl",))
    assert (state.seat, state.turn) == (1, 1)


def test_every_sign_is_on_four_gods_and_any_two_gods_share_one_sign_at_most() -> None:
    assert all(sum(BEARS[god] >> sign & 1 for god in GODS) == 4 for sign in range(20))
    assert all((BEARS[one] & BEARS[two]).bit_count() <= 1 for one, two in combinations(GODS, 2))
    assert all(BEARS[god].bit_count() == 4 and (BEARS[god] & CARDINALS).bit_count() <= 1 for god in GODS)


@pytest.mark.parametrize(
    ("god", "signs"), [(1, {1, 2, 4, 15}), (7, {7, 8, 10, 1}), (12, {12, 13, 15, 6}), (20, {20, 1, 3, 14})]
)
def test_gods_bear_the_signs_of_the_table(god: int, signs: set[int]) -> None:
    assert {sign + 1 for sign in list_signs(BEARS[god])} == signs


# --- rulings --------------------------------------------------------------------------------------------------


def test_second_equal_sign_can_be_neither_played_nor_moved_onto_a_side() -> None:
    state = position("coatl", own={4: "coatl", 5: "coatl"}, depot="coatl")
    assert [action for action in legal(state) if "coatl" in action] == []
    for action in ("play coatl 4", "move coatl 5 4", "move coatl depot 4"):
        assert refuses(state, action)


def test_second_equal_sign_can_be_switched_onto_a_side() -> None:
    state = act(position(own={4: "coatl"}, theirs={4: "coatl"}), "switch coatl 4")
    assert side(state, 0, 4) == "coatl coatl"


def test_moving_one_of_two_equal_signs_away_completes_the_god_it_leaves() -> None:
    state = act(position(own={4: "cuetzpalin coatl coatl mazatl tecpatl"}), "move coatl 4 5")
    assert state.completed == ((4,), ())
    assert side(state, 0, 5) == "coatl"


def test_extra_action_of_a_cardinal_must_be_the_next_one() -> None:
    state = position("calli coatl", own={4: "coatl"}, theirs={5: "quiahuitl", 4: "mazatl"})
    state = act(state, "use calli")
    assert state.phase == EXTRA
    assert name_cards(state.depots[1]) == ("calli",)
    assert legal(state) == ("switch mazatl 4", "switch quiahuitl 5", "move coatl 4 5")
    for action in ("end", "play coatl 5", "use calli"):
        assert refuses(state, action)


def test_extra_action_leaves_the_one_a_turn_untouched() -> None:
    state = position("calli tochtli", theirs={4: "coatl mazatl cuetzpalin"})
    state = act(state, "switch coatl 4", "use calli", "switch mazatl 4")
    assert refuses(state, "switch cuetzpalin 4")
    state = act(state, "use tochtli", "switch cuetzpalin 4", "move coatl 4 5")
    assert side(state, 0, 4) == "cuetzpalin mazatl"
    unspent = act(position("calli", theirs={4: "coatl mazatl"}), "use calli", "switch coatl 4")
    assert "switch mazatl 4" in legal(unspent)


def test_cardinal_is_used_only_where_an_extra_action_is_possible() -> None:
    assert refuses(position("calli", theirs={3: "calli"}), "use calli")
    spent = act(position("calli", theirs={4: "coatl"}), "switch coatl 4", "move coatl 4 5")
    assert "use calli" in legal(spent)


def test_end_is_an_action_also_when_nothing_is_left_to_play() -> None:
    assert legal(position()) == ("end",)
    assert "end" in legal(position("coatl"))


def test_only_own_cards_move_from_a_side_or_the_own_depot() -> None:
    state = position(own={4: "coatl"}, theirs={4: "cuetzpalin"}, depot="calli")
    assert [action for action in legal(state) if action.startswith("move")] == [
        "move coatl 4 5",
        "move calli depot 3",
    ]
    assert refuses(state, "move cuetzpalin 4 1")
    other = position().replace(depots=(0, cards("calli")))
    assert refuses(other, "move calli depot 3")


def test_cardinal_on_a_side_can_be_moved() -> None:
    state = act(position(own={4: "tecpatl"}), "move tecpatl 4 17")
    assert side(state, 0, 17) == "tecpatl"


def test_card_switched_in_this_turn_can_be_moved() -> None:
    state = act(position(theirs={4: "coatl"}), "switch coatl 4", "move coatl 4 5")
    assert side(state, 0, 5) == "coatl"


def test_cardinal_on_a_side_or_in_a_depot_cannot_be_used() -> None:
    state = position(own={4: "tecpatl"}, depot="calli", theirs={4: "coatl"})
    assert refuses(state, "use tecpatl")
    assert refuses(state, "use calli")


def test_switch_and_move_are_once_a_turn() -> None:
    state = position(own={5: "coatl", 17: "tecpatl"}, theirs={4: "cuetzpalin mazatl"})
    state = act(state, "switch mazatl 4", "move coatl 5 4")
    assert refuses(state, "switch cuetzpalin 4")
    assert refuses(state, "move tecpatl 17 4")


def test_seat_0_begins() -> None:
    state, _ = TEOTLATOLLI.new(TEOTLATOLLI.setup(2), bytes(32))
    assert (state.seat, legal(state)) == (0, ("draw", "keep"))


def test_equal_cards_give_one_action() -> None:
    state = position("coatl coatl", theirs={4: "mazatl mazatl"}, depot="calli calli")
    assert len(set(legal(state))) == len(legal(state))
    assert legal(state) == (
        "play coatl 4",
        "play coatl 5",
        "switch mazatl 4",
        "move calli depot 3",
        "end",
    )


# --- completion -----------------------------------------------------------------------------------------------


def test_switch_that_fills_both_sides_completes_for_the_active_seat_only() -> None:
    signs = "cuetzpalin coatl mazatl tecpatl"
    state = position(own={4: "cuetzpalin mazatl tecpatl"}, theirs={4: f"{signs} coatl"})
    state = act(state, "switch coatl 4")
    assert state.completed == ((4,), ())
    assert len(list_signs(state.discards)) == 8


def test_move_that_fills_both_completes_the_destination_first() -> None:
    own = {4: "cuetzpalin coatl coatl mazatl tecpatl", 5: "miquiztli tochtli quiahuitl"}
    state = act(position(own=own), "move coatl 4 5")
    assert state.completed == ((5, 4), ())
    assert state.gods == (TO_COME[1], TO_COME[0], 3, 17, 1)


def test_hand_limit_holds_after_a_completion() -> None:
    state = position("tecpatl atl atl atl atl coatl coatl coatl", own={4: "cuetzpalin coatl mazatl"})
    state = act(state, "play tecpatl 4")
    assert (state.phase, state.seat) == (DISCARD, 0)
    assert act(state, "discard atl").seat == 1


def test_extra_action_that_completes_ends_the_turn() -> None:
    state = position("calli", own={4: "cuetzpalin mazatl tecpatl"}, theirs={4: "coatl"})
    state = act(state, "use calli", "switch coatl 4")
    assert (state.seat, state.phase, state.spent) == (1, DRAW, 0)


# --- drawing --------------------------------------------------------------------------------------------------


def drawn(state: TeotlatolliState) -> tuple[TeotlatolliState, tuple[object, ...]]:
    return TEOTLATOLLI.apply(state.replace(phase=DRAW), ("draw",))


def test_last_two_signs_are_drawn_without_a_reshuffle() -> None:
    state, steps = drawn(position(reserve="atl coatl", discards="ollin ollin"))
    assert (name_cards(state.hands[0]), steps) == (("coatl", "atl"), ())


@pytest.mark.parametrize(("reserve", "kept"), [("", 0), ("atl", 1)])
def test_discards_are_shuffled_before_the_first_or_between_the_two_signs(reserve: str, kept: int) -> None:
    before = position(reserve=reserve, discards="xochitl ollin ollin cipactli coatl")
    order, _ = before.supply.stream.shuffle([SIGNS[sign] for sign in list_signs(before.discards)])
    state, steps, _ = advance(TEOTLATOLLI, before.replace(phase=DRAW), ("draw",), 0)
    assert steps == (Played(0, "draw"), Chance("reshuffle", (" ".join(order),)))
    assert sorted(name_cards(state.hands[0])) == sorted([*order[: 2 - kept], *["atl"] * kept])
    assert (state.discards, len(state.supply.reserve) - state.drawn) == (0, 3 + kept)


def test_with_one_sign_in_reserve_and_discards_together_one_is_drawn() -> None:
    one, steps = drawn(position(reserve="atl"))
    assert (name_cards(one.hands[0]), steps) == (("atl",), ())
    one, steps = drawn(position(reserve="", discards="atl"))
    assert (name_cards(one.hands[0]), steps) == (("atl",), (Chance("reshuffle", ("atl",)),))


def test_with_nothing_to_draw_there_is_no_decision() -> None:
    assert act(position(reserve=""), "end").phase == ACT
    assert act(position(reserve="", discards="atl"), "end").phase == DRAW


def test_keep_draws_nothing() -> None:
    state = act(position().replace(phase=DRAW), "keep")
    assert (state.hands[0], legal(state)) == (0, ("end",))


# --- end ------------------------------------------------------------------------------------------------------

TWO = {4: "cuetzpalin coatl coatl mazatl tecpatl", 5: "miquiztli tochtli quiahuitl"}


def test_sixteenth_god_ends_the_match_without_a_hand_limit() -> None:
    state = position("tecpatl atl atl atl atl coatl coatl coatl", own={4: "cuetzpalin coatl mazatl"})
    state = act(late(state, 8, 7), "play tecpatl 4")
    result = TEOTLATOLLI.result(state)
    assert result is not None
    assert (result.scores, result.places, result.end) == ((9, 7), (1, 2), "completed")
    assert result.detail == {"gods": [[*TO_COME[:8], 4], [*TO_COME[8:15]]]}
    assert TEOTLATOLLI.to_act(state) == ()


def test_at_eight_all_play_goes_on_with_the_four_gods_left() -> None:
    state = act(late(position("tecpatl", own={4: "cuetzpalin coatl mazatl"}), 7, 8), "play tecpatl 4")
    assert (state.seat, state.gods) == (1, (5, 3, 17, 1))
    assert [len(sides) for sides in state.sides] == [4, 4]
    assert TEOTLATOLLI.view(state, 0).god_deck == 0
    assert TEOTLATOLLI.result(state) is None
    state = state.replace(phase=ACT, hands=(0, cards("coatl")))
    one_more = state.replace(sides=(state.sides[0], (cards("miquiztli tochtli quiahuitl"), 0, 0, 0)))
    result = TEOTLATOLLI.result(act(one_more, "play coatl 5"))
    assert result is not None
    assert (result.scores, result.end) == ((8, 9), "completed")


def test_second_god_of_a_move_can_be_the_one_more_after_eight_all() -> None:
    state = act(late(position(own=TWO), 7, 8), "move coatl 4 5")
    result = TEOTLATOLLI.result(state)
    assert result is not None
    assert (result.scores, result.end) == ((9, 8), "completed")
    assert state.completed[0][-2:] == (5, 4)


def test_second_god_of_a_move_is_not_completed_when_the_first_ends_the_match() -> None:
    state = act(late(position(own=TWO), 8, 7), "move coatl 4 5")
    result = TEOTLATOLLI.result(state)
    assert result is not None
    assert result.scores == (9, 7)


def test_fifteenth_and_sixteenth_god_of_one_move_can_make_eight_all() -> None:
    state = act(late(position(own=TWO), 6, 8), "move coatl 4 5")
    assert (state.seat, [*map(len, state.completed)]) == (1, [8, 8])
    assert state.gods == (TO_COME[14], 3, 17, 1)


def test_match_ends_after_300_turns() -> None:
    state = act(position(turn=299, **completed(2, 1)), "end")
    result = TEOTLATOLLI.result(state)
    assert result is not None
    assert (result.scores, result.places, result.end) == ((2, 1), (1, 2), "turn limit")


def test_match_ends_after_120_turns_without_a_completion_equal_is_a_draw() -> None:
    result = TEOTLATOLLI.result(act(position(turn=130, quiet=119), "end"))
    assert result is not None
    assert (result.places, result.end) == ((1, 1), "turn limit")


def test_turn_limit_waits_for_the_hand_limit() -> None:
    state = act(position("atl atl atl atl coatl coatl coatl", turn=299), "end")
    assert TEOTLATOLLI.result(state) is None
    assert act(state, "discard atl").seat == NOBODY


def test_completion_of_either_seat_sets_the_120_back() -> None:
    own = act(position("tecpatl", own={4: "cuetzpalin coatl mazatl"}, quiet=119), "play tecpatl 4")
    assert (own.quiet, own.seat) == (0, 1)
    theirs = position(theirs={4: "cuetzpalin coatl coatl mazatl tecpatl"}, quiet=119)
    assert act(theirs, "switch coatl 4").quiet == 0


def test_match_completed_in_turn_300_is_completed() -> None:
    state = late(position("tecpatl", own={4: "cuetzpalin coatl mazatl"}, turn=299, quiet=119), 8, 7)
    result = TEOTLATOLLI.result(act(state, "play tecpatl 4"))
    assert result is not None
    assert result.end == "completed"


def test_limits_hold_at_eight_all() -> None:
    state = position(turn=299, completed=EIGHT_EACH, gods=IN_PLAY[:4], sides=((0,) * 4,) * 2)
    result = TEOTLATOLLI.result(act(state, "end"))
    assert result is not None
    assert (result.scores, result.places, result.end) == ((8, 8), (1, 1), "turn limit")


# --- the record and what is seen ------------------------------------------------------------------------------


def test_deal_is_the_shuffled_signs_then_the_shuffled_gods() -> None:
    state, (deal,) = TEOTLATOLLI.new(TEOTLATOLLI.setup(2), bytes(32))
    signs, stream = Stream(bytes(32)).shuffle(DECK)
    gods, _ = stream.shuffle(GODS)
    assert isinstance(deal, Chance)
    assert [len(group.split()) for group in deal.outcome] == [6, 6, 68, 20]
    assert " ".join(deal.outcome[:3]) == " ".join(SIGNS[sign] for sign in signs)
    assert deal.outcome[3] == " ".join(map(str, gods))
    assert state.gods == gods[:5]


def test_seat_sees_its_own_hand_and_the_gods_in_play_of_a_deal() -> None:
    state, (deal,) = TEOTLATOLLI.new(TEOTLATOLLI.setup(2), bytes(32))
    assert isinstance(deal, Chance)
    seen = TEOTLATOLLI.seen(deal, 1)
    assert isinstance(seen, Chance)
    in_play = " ".join(map(str, state.gods))
    assert seen.outcome == (
        " ".join("?" * 6),
        deal.outcome[1],
        " ".join("?" * 68),
        f"{in_play} {' '.join('?' * 15)}",
    )
    public = TEOTLATOLLI.seen(deal, None)
    assert isinstance(public, Chance)
    assert public.outcome[:2] == (" ".join("?" * 6),) * 2


def test_nobody_sees_the_order_of_a_reshuffle() -> None:
    step = Chance("reshuffle", ("atl coatl",))
    assert [TEOTLATOLLI.seen(step, seat) for seat in (0, 1, None)] == [Chance("reshuffle", ("? ?",))] * 3


def test_view_tells_what_the_page_lists() -> None:
    state = position("coatl calli", "atl", own={4: "mazatl"}, depot="ollin", discards="atl", turn=7, quiet=3)
    view = TEOTLATOLLI.view(state, 0)
    assert (view.hand, view.opponent_hand, view.turn, view.quiet_turns) == (("calli", "coatl"), 1, 7, 3)
    assert view.gods == IN_PLAY
    assert view.sides == ((("mazatl",), (), (), (), ()), ((),) * 5)
    assert view.depots == (("ollin",), ())
    assert (view.discards, view.reserve, view.god_deck) == (("atl",), 4, 15)
    assert (view.switched, view.moved, view.extra) == (False, False, False)
    assert TEOTLATOLLI.view(state, 1).hand == ("atl",)


def test_view_tells_what_must_be_in_the_other_hand() -> None:
    # Seat 0 draws the last sign, then the discards are shuffled: what lay nowhere else was in the hands.
    state = position("atl", "coatl coatl", reserve="ollin", discards="xochitl xochitl xochitl")
    assert TEOTLATOLLI.view(state, 0).opponent_known == ()
    state, _ = drawn(state)
    assert TEOTLATOLLI.view(state, 0).opponent_known == ("coatl", "coatl")
    assert TEOTLATOLLI.view(state, 1).opponent_known == ("atl", "ollin")
    state = act(state, "play ollin 17", "end", "keep", "play coatl 4")
    assert TEOTLATOLLI.view(state, 0).opponent_known == ("coatl",)
    assert TEOTLATOLLI.view(state, 1).opponent_known == ("atl",)


@pytest.mark.parametrize(
    ("hand", "actions"),
    [
        ("calli", ("use calli",)),
        ("atl atl atl atl coatl coatl coatl", ("end", "discard atl")),
        ("atl atl atl atl coatl coatl coatl coatl", ("end", "discard atl", "give atl")),
    ],
)
def test_card_that_leaves_a_hand_is_no_longer_known_to_be_in_it(hand: str, actions: tuple[str, ...]) -> None:
    state = position(hand, theirs={4: "coatl"}, known=(cards(hand), 0))
    after = act(state, *actions)
    assert after.known[0] == after.hands[0]


# --- drawing positions ----------------------------------------------------------------------------------------


@settings(max_examples=scaled(15), deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_positions_drawn_agree_with_what_each_seat_knows(seed: int) -> None:
    chooser = random.Random(seed)
    playout = play(TABLE, chooser.randbytes(32), chooser)
    steps = list(playout.opening)
    for point in playout.points:
        for seat in (0, 1):
            view = TEOTLATOLLI.view(point.state, seat)
            history = [TEOTLATOLLI.seen(step, seat) for step in steps[-8:]]
            drawn = sample(playout.setup, view, cast("list[Step]", history), seat, chooser)
            assert TEOTLATOLLI.view(drawn, seat) == view
            assert (drawn.seat, drawn.phase) == (point.state.seat, point.state.phase)
            assert drawn.quiet == point.state.quiet
            assert count_cards(drawn) == list(DECK)
            if seat == drawn.seat:
                assert legal(drawn) == legal(point.state)
        steps += point.steps


def test_positions_drawn_differ_in_what_is_hidden_and_follow_the_random_source() -> None:
    state, steps = TEOTLATOLLI.new(TABLE.setup(), bytes(32))
    view = TEOTLATOLLI.view(state, 0)
    drawn = [sample(TABLE.setup(), view, steps, 0, random.Random(number)) for number in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len({each.hands[1] for each in drawn[1:]}) == 2
    assert len({each.supply.gods for each in drawn[1:]}) == 2
    assert len({each.supply.stream for each in drawn[1:]}) == 2


def test_what_must_be_in_the_other_hand_is_in_every_hand_drawn() -> None:
    state = position("atl", "coatl coatl ollin xochitl", known=(0, cards("coatl ollin")), reserve="atl")
    view = TEOTLATOLLI.view(state, 0)
    for number in range(50):
        drawn = sample(TABLE.setup(), view, (Played(0, "keep"),), 0, random.Random(number))
        assert {"coatl", "ollin"} <= set(name_cards(drawn.hands[1]))


# --- random matches -------------------------------------------------------------------------------------------


def count_cards(state: TeotlatolliState) -> list[int]:
    there = merge(*state.hands, *state.depots, *state.sides[0], *state.sides[1], state.discards)
    return sorted((*list_signs(there), *state.supply.reserve[state.drawn :]))


def follows_its_list(playout: Playout, chooser: random.Random) -> bool:
    """Return whether some action that is not listed is refused in each of some states."""
    every = [f"play {name} {god}" for name in SIGN_BITS for god in GODS]
    every += [f"switch {name} {god}" for name in SIGN_BITS for god in GODS]
    every += [f"use {name}" for name in SIGN_BITS] + ["end", "draw", "keep", "give atl", "discard atl", "?"]
    for point in chooser.sample(playout.points, min(20, len(playout.points))):
        others = [action for action in chooser.sample(every, 20) if action not in legal(point.state)]
        if not all(refuses(point.state, action) for action in others):
            return False
    return True


@settings(max_examples=scaled(25), deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_random_matches_end_and_keep_all_cards(seed: int) -> None:
    chooser = random.Random(seed)
    playout = play(TABLE, chooser.randbytes(32), chooser)
    assert TEOTLATOLLI.result(playout.last) is not None
    assert playout.last.turn <= 300
    for state in playout.states():
        assert count_cards(state) == list(DECK)
        assert len({*state.gods, *state.completed[0], *state.completed[1]}) == sum(
            map(len, (state.gods, *state.completed))
        )
    assert follows_its_list(playout, chooser)


def test_views_travel_unchanged() -> None:
    for state in play(TABLE, bytes(32), random.Random(3)).states()[::5]:
        for seat in (0, 1):
            view = TEOTLATOLLI.view(state, seat)
            assert codec.decode(codec.encode(view)) == view


def test_reshuffles_come_from_the_stream_of_the_match() -> None:
    playout = play(TABLE, bytes(32), random.Random(4))
    _, stream = Stream(bytes(32)).shuffle(DECK)
    _, stream = stream.shuffle(GODS)
    found = 0
    for step in playout.steps():
        if isinstance(step, Chance) and step.name == "reshuffle":
            order = sorted(step.outcome[0].split(), key=SIGNS.index)
            shuffled, stream = stream.shuffle(order)
            assert " ".join(shuffled) == step.outcome[0]
            found += 1
    assert found
