"""The Bottle Imp: arena/games/bottle_imp/docs/rules.md, row by row."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.bottle_imp import codec
from arena.games.bottle_imp.hands import devils_trick, score
from arena.games.bottle_imp.rules import BOTTLE_IMP
from arena.games.bottle_imp.state import (
    BLUE,
    DECK,
    LOPAKA,
    NOBODY,
    PASSING,
    POINTS,
    RED,
    YELLOW,
    BottleImpState,
    Cards,
)
from arena.games.bottle_imp.tricks import choose_for_lopaka, find_winner, playable
from arena.games.bottle_imp.view import Hand
from arena.games.chance import Stream
from arena.games.kernel import Chance, Choice, DummyPlayed, IllegalAction, Played, SetupError
from arena.match.verification import verify
from tests.examples import scaled
from tests.games.playing import Configuration, Playout, play, record

TABLES = [
    Configuration(BOTTLE_IMP, "standard", 3),
    Configuration(BOTTLE_IMP, "standard", 4),
    Configuration(BOTTLE_IMP, "lopaka", 2),
    Configuration(BOTTLE_IMP, "bright_house", 2),
]
THREE, FOUR, WITH_LOPAKA, BRIGHT_HOUSE = TABLES
SEED = bytes(32)

every_table = pytest.mark.parametrize("table", TABLES, ids=str)


def position(table: Configuration, hands: list[Cards], **fields: Any) -> BottleImpState:
    """A hand of a match of one hand, after the passing, with the cards given; the first place leads."""
    state, _ = BOTTLE_IMP.new(table.setup(hands=1), SEED)
    stages: Any = {"standard": ((), (), ()), "lopaka": ((),), "bright_house": ((), (), (), (), ())}
    deal = state.deal.replace(dealer=table.seats - 1)
    order = deal.form.orders[deal.dealer][0]
    given = stages[table.variant]
    return state.replace(
        deal=deal, given=given, hands=tuple(hands), order=order, **{"place": order[0], **fields}
    )


def act(state: BottleImpState, *actions: str) -> BottleImpState:
    """Play cards one after the other."""
    for action in actions:
        state, _ = BOTTLE_IMP.apply(state, [action])
    return state


def together(state: BottleImpState, *actions: str) -> BottleImpState:
    return BOTTLE_IMP.apply(state, actions)[0]


def passed(table: Configuration, verb: int = 0) -> BottleImpState:
    """A match after some points of the passing, each seat giving its lowest card, or opening its first hand."""
    state, _ = BOTTLE_IMP.new(table.setup(), SEED)
    for _ in range(verb):
        state = together(state, *[BOTTLE_IMP.legal(state, seat)[0] for seat in range(table.seats)])
    return state


def ends(playout: Playout) -> list[BottleImpState]:
    """The first state of each hand but the first, and the last state of the match."""
    states: list[BottleImpState] = playout.states()
    starts = [after for before, after in pairwise(states) if len(after.deal.past) > len(before.deal.past)]
    assert starts[-1] == states[-1]
    return starts


# --- cards ----------------------------------------------------------------------------------------------------


def test_deck_is_1_to_37_without_19() -> None:
    assert sorted({**YELLOW, **BLUE, **RED}) == list(DECK)
    assert len(DECK) == 36
    assert 19 not in DECK


def test_each_colour_has_42_points() -> None:
    assert [sum(colour.values()) for colour in (YELLOW, BLUE, RED)] == [42, 42, 42]


# --- worked examples ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "trick", "winner", "after"),
    [
        (19, (31, 37, 5), 5, 5),
        (19, (8, 17, 24), 17, 17),
        (5, (11, 14, 37), 37, 5),
        (5, (4, 2, 6), 4, 4),
    ],
)
def test_trick_is_won_as_in_the_examples(price: int, trick: Cards, winner: int, after: int) -> None:
    state = position(THREE, [(card, 1) for card in trick], price=price, owner=NOBODY)
    assert find_winner(trick, price) == winner
    state = act(state, *[f"play {card}" for card in trick])
    assert state.tricks[0].winner == trick.index(winner)
    assert state.price == after
    assert state.owner == (trick.index(winner) if after < price else NOBODY)


@given(st.lists(st.sampled_from(DECK[1:]), min_size=2, max_size=4, unique=True))
def test_bottle_at_price_1_is_never_sold_again(trick: list[int]) -> None:
    assert find_winner(tuple(trick), 1) == max(trick)


@every_table
@settings(max_examples=scaled(20))
@given(seed=st.integers(0, 1 << 32))
def test_points_of_all_piles_and_the_devils_trick_are_126(table: Configuration, seed: int) -> None:
    chooser = random.Random(seed)
    last = play(table, chooser.randbytes(32), chooser, hands=1).last
    devil = devils_trick(last)
    assert sum(last.points) + sum(POINTS[card] for card in devil) == 126
    assert len(devil) == len(set(devil)) == (4 if table.seats == 4 or table == BRIGHT_HOUSE else 3)
    assert {card for trick in last.tricks for card in trick.cards} | set(devil) == set(DECK)


# --- match and hand -------------------------------------------------------------------------------------------


@every_table
def test_random_matches_end_and_their_records_are_right(table: Configuration) -> None:
    for seed in range(5):
        chooser = random.Random(seed)
        playout = play(table, chooser.randbytes(32), chooser, hands=1 + seed)
        assert len(playout.last.deal.past) == 1 + seed
        assert verify(record(playout), BOTTLE_IMP) is None


@every_table
def test_hands_stand_at_the_standard_of_the_page(table: Configuration) -> None:
    hands, target = BOTTLE_IMP.options(table.variant, table.seats)
    standard = {"standard-3": 6, "standard-4": 8, "lopaka-2": 4, "bright_house-2": 4}
    assert (hands.low, hands.high, hands.standard) == (1, 100, standard[f"{table.variant}-{table.seats}"])
    assert (target.low, target.high, target.standard) == (0, 1000, 0)


@pytest.mark.parametrize(("variant", "seats"), [("standard", 2), ("lopaka", 3), ("bright_house", 4)])
def test_variants_have_their_seats_only(variant: str, seats: int) -> None:
    with pytest.raises(SetupError):
        BOTTLE_IMP.setup(seats, variant=variant)


@every_table
def test_dealer_goes_round_and_the_seat_on_its_left_leads(table: Configuration) -> None:
    playout = play(table, SEED, random.Random(1), hands=5)
    firsts = [point for point in playout.points if len(point.decisions) == 1 and not point.state.tricks]
    leads = [point for point in firsts if not point.state.trick]
    seats = table.seats
    assert [point.state.deal.dealer for point in leads] == [hand % seats for hand in range(5)]
    assert [point.decisions for point in leads] == [(Choice((hand + 1) % seats),) for hand in range(5)]


@every_table
def test_winner_of_the_last_trick_leads_the_next(table: Configuration) -> None:
    last = play(table, SEED, random.Random(1), hands=1).last
    assert [trick.leader for trick in last.tricks[1:]] == [trick.winner for trick in last.tricks[:-1]]


@pytest.mark.parametrize(
    ("table", "sizes"),
    [(THREE, [12] * 3), (FOUR, [9] * 4), (WITH_LOPAKA, [11] * 3 + [3]), (BRIGHT_HOUSE, [9] * 4)],
)
def test_deal_has_the_groups_of_the_page_from_the_front_of_the_deck(
    table: Configuration, sizes: list[int]
) -> None:
    playout = play(table, SEED, random.Random(1), hands=2)
    stream = Stream(SEED)
    deals = [step for step in playout.steps() if isinstance(step, Chance)]
    assert [deal.name for deal in deals] == ["deal", "deal"]
    for deal in deals:
        deck, stream = stream.shuffle(DECK)
        assert [len(group.split()) for group in deal.outcome] == sizes
        assert " ".join(deal.outcome) == " ".join(map(str, deck))


def test_owner_scores_minus_the_devils_trick_and_nothing_else() -> None:
    assert score((30, 40, 50), 1, (1, 36, 2)) == (30, -8, 50)


def test_seat_must_follow_the_colour_led_if_it_can() -> None:
    state = act(position(THREE, [(31, 1), (1, 2, 36, 37), (4, 6)]), "play 31")
    assert BOTTLE_IMP.legal(state, 1) == ("play 36", "play 37")
    with pytest.raises(IllegalAction, match="'play 1': must be one of play 36, play 37"):
        act(state, "play 1")


def test_seat_that_cannot_follow_plays_any_card() -> None:
    assert playable((1, 4, 34), (31,)) == (1, 4, 34)


@pytest.mark.parametrize("action", ["", "play 19", "play 7", "play 01", "play ?", "devil 1"])
def test_action_that_is_not_legal_is_refused(action: str) -> None:
    with pytest.raises(IllegalAction):
        act(position(THREE, [(31, 1), (2,), (4,)]), action)


@every_table
def test_target_ends_the_match_after_the_first_hand_that_reaches_it(table: Configuration) -> None:
    playout = play(table, SEED, random.Random(2), target=100, hands=1)
    result = BOTTLE_IMP.result(playout.last)
    assert result is not None
    assert result.end == "completed"
    assert max(result.scores) >= 100
    assert all(max(state.deal.totals[: table.seats]) < 100 for state in ends(playout)[:-1])


def test_target_that_only_lopaka_reaches_does_not_end_the_match() -> None:
    state = position(WITH_LOPAKA, [(4,), (6,), (37,)], price=3, owner=0, points=(0, 0, 90))
    state = state.replace(deal=state.deal.replace(target=50, hand_limit=100))
    after = act(state, "play 4", "play 6")
    assert after.deal.totals[LOPAKA] > 50
    assert after.place == PASSING
    assert BOTTLE_IMP.result(after) is None


def test_match_with_a_target_out_of_reach_ends_after_100_hands() -> None:
    state = position(THREE, [(4,), (6,), (8,)], price=3, owner=0)
    hand = Hand((0, 0, 0), 0, 3, ())
    state = state.replace(deal=state.deal.replace(target=1000, hand_limit=100, past=(hand,) * 99))
    result = BOTTLE_IMP.result(act(state, "play 4", "play 6", "play 8"))
    assert result is not None
    assert result.end == "completed"
    assert BOTTLE_IMP.new(THREE.setup(target=1, hands=3), SEED)[0].deal.hand_limit == 100


@pytest.mark.parametrize(
    ("totals", "scores", "places"),
    [((92, 97, 0), (96, 101, 0), (2, 1, 3)), ((97, 97, 0), (101, 101, 0), (1, 1, 3))],
)
def test_target_reached_by_two_at_once_ranks_them_by_their_totals(
    totals: Cards, scores: Cards, places: Cards
) -> None:
    state = position(THREE, [(4,), (8,), (6,)], price=3, owner=2, points=(4, 0, 0))
    state = state.replace(deal=state.deal.replace(target=95, hand_limit=100, totals=totals))
    result = BOTTLE_IMP.result(act(state, "play 4", "play 8", "play 6"))
    assert result is not None
    assert result.scores == scores
    assert result.places == places


def test_detail_names_scores_owner_price_and_devil() -> None:
    state = position(FOUR, [(4,), (6,), (8,), (5,)], price=3, owner=2, points=(1, 2, 3, 4))
    given = ((36, 1, 2, 37), (), ())
    result = BOTTLE_IMP.result(act(state.replace(given=given), *[f"play {card}" for card in (4, 6, 8, 5)]))
    assert result is not None
    hand = {"scores": [1, 2, -14, 4], "owner": 2, "price": 3, "devil": [36, 1, 2, 37]}
    assert result.detail == {"hands": [hand]}
    assert result.scores == (1, 2, -14, 4)
    assert result.places == (3, 2, 4, 1)


# --- passing --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "verbs"),
    [
        (THREE, ["devil", "left", "right"]),
        (FOUR, ["devil", "left", "right"]),
        (WITH_LOPAKA, ["pass"]),
        (BRIGHT_HOUSE, ["devil", "pass", "devil", "pass", "open"]),
    ],
    ids=str,
)
def test_each_step_of_passing_is_a_simultaneous_point_of_its_own(
    table: Configuration, verbs: list[str]
) -> None:
    playout = play(table, SEED, random.Random(1), hands=2)
    points = [point for point in playout.points if len(point.decisions) > 1]
    seats = tuple(Choice(seat) for seat in range(table.seats))
    assert [point.decisions for point in points] == [seats] * (2 * len(verbs))
    for number, (point, verb) in enumerate(zip(points, verbs * 2, strict=True)):
        for step in point.steps:
            assert isinstance(step, Played)
            assert (step.together, step.action.split()[0]) == (number, verb)


def test_card_goes_to_the_left_neighbour_and_to_the_right_one() -> None:
    state = passed(THREE)
    dealt = state.hands
    for at in range(3):
        state = together(state, *[f"{('devil', 'left', 'right')[at]} {hand[at]}" for hand in dealt])
    for seat in range(3):
        left, right = dealt[(seat + 1) % 3], dealt[(seat + 2) % 3]
        assert set(state.hands[seat]) == {*dealt[seat][3:], right[1], left[2]}
        view = BOTTLE_IMP.view(state, seat)
        assert view.discarded == (dealt[seat][0],)
        assert view.passed == dealt[seat][1:3]
        assert view.received == (left[2], right[1])


def test_received_card_is_not_passed_on_nor_discarded() -> None:
    for at in range(3):
        state = passed(FOUR, at)
        dealt = passed(FOUR).hands
        for seat in range(4):
            assert set(state.hands[seat]) <= set(dealt[seat])
            assert len(BOTTLE_IMP.legal(state, seat)) == 9 - at
            assert BOTTLE_IMP.view(state, seat).received == ()


def test_seat_opposite_gets_no_card() -> None:
    dealt, hands = passed(FOUR).hands, passed(FOUR, 3).hands
    for seat in range(4):
        assert not set(dealt[seat]) & set(hands[(seat + 2) % 4])
        assert len(set(dealt[seat]) & set(hands[(seat + 1) % 4])) == 1


def test_choices_of_others_do_not_show_before_the_third_step_is_done() -> None:
    for action in ("devil 12", "left 3", "right 37"):
        step = Played(1, action, 0)
        hidden = Played(1, action.split()[0] + " ?", 0)
        assert BOTTLE_IMP.seen(step, 1) == step
        assert [BOTTLE_IMP.seen(step, seat) for seat in (0, 2, 3, None)] == [hidden] * 4


def test_passed_card_is_seen_by_its_receiver_and_not_by_the_public() -> None:
    step = Played(1, "pass 5", 0)
    assert [BOTTLE_IMP.seen(step, seat) for seat in (0, 1)] == [step, step]
    assert BOTTLE_IMP.seen(step, None) == Played(1, "pass ?", 0)


def test_seat_sees_its_own_group_of_a_deal_only() -> None:
    deal = Chance("deal", ("1 2", "3 4", "5 6", "7"))
    assert BOTTLE_IMP.seen(deal, 1) == Chance("deal", ("? ?", "3 4", "? ?", "?"))
    assert BOTTLE_IMP.seen(deal, None) == Chance("deal", ("? ?", "? ?", "? ?", "?"))


def test_card_that_is_not_in_hand_is_refused_with_the_seat_and_the_cards_that_are() -> None:
    state = passed(THREE).replace(hands=((1, 2), (3, 4), (5, 6)))
    with pytest.raises(IllegalAction, match="'devil 2' of seat 1: must be one of devil 3, devil 4"):
        together(state, "devil 1", "devil 2", "devil 5")


# --- lopaka ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "trick", "price", "card"),
    [
        ((2, 9, 30), (), 19, 30),  # leading: its highest card
        ((8, 20, 30), (27,), 19, 30),  # the 8 would win by the bottle, but the 30 would be winning, too
        ((2, 4, 9), (31,), 19, 9),  # void: the highest below the price
        ((4, 6, 8), (24, 17), 19, 4),  # must follow blue, none beats the 17: the lowest
        ((30, 32, 34), (24, 17), 19, 30),  # above the price: none beats the 17: the lowest
        ((30, 32, 34), (24, 27), 5, 34),  # no card below the price: the highest wins
        ((20, 30), (24, 27), 5, 30),
        ((13, 20), (24, 27), 5, 13),
    ],
)
def test_lopaka_plays_by_its_rule(hand: Cards, trick: Cards, price: int, card: int) -> None:
    assert choose_for_lopaka(hand, trick, price) == card


def test_lopaka_thinks_of_the_cards_so_far_only_whoever_is_still_to_play() -> None:
    # The 34 is winning now, although seat 1, still to play, could take the trick with a card below the price.
    assert choose_for_lopaka((6, 34), (27,), 19) == 34


def test_lopaka_plays_between_the_other_seat_and_the_dealer() -> None:
    playout = play(WITH_LOPAKA, SEED, random.Random(1), hands=2)
    assert playout.last.tricks[0].leader == 0  # the dealer of the second hand is seat 1
    leads = [point for point in playout.points if len(point.decisions) == 1]
    (own, dummy) = leads[0].steps
    assert isinstance(own, Played)
    assert own.seat == 1
    assert isinstance(dummy, DummyPlayed)
    assert leads[1].decisions == (Choice(0),)


def test_plays_of_lopaka_follow_the_action_that_caused_them() -> None:
    # Lopaka wins with the 37 as the last of the trick and leads the next one.
    state = position(WITH_LOPAKA, [(29, 1), (31, 2), (36, 37)], price=1, owner=0)
    state = state.replace(order=(1, 2, 0), place=1, deal=state.deal.replace(dealer=0))
    state, steps = BOTTLE_IMP.apply(state, ["play 31"])
    assert steps == (DummyPlayed("play 37"),)
    state, steps = BOTTLE_IMP.apply(state, ["play 29"])
    assert steps == (DummyPlayed("play 36"),)
    assert state.tricks[0].winner == LOPAKA
    assert BOTTLE_IMP.to_act(state) == (Choice(0),)


def test_deal_of_the_next_hand_follows_lopakas_last_play() -> None:
    playout = play(WITH_LOPAKA, SEED, random.Random(1), hands=9)
    followed = [point.steps for point in playout.points if isinstance(point.steps[-1], Chance)]
    assert {type(steps[0]) for steps in followed} == {Played}
    assert {tuple(map(type, steps[1:])) for steps in followed} == {(Chance,), (DummyPlayed, Chance)}


def test_bottle_that_lopaka_keeps_is_no_penalty_for_a_seat() -> None:
    state = position(WITH_LOPAKA, [(31,), (29,), (1,)], price=3, owner=1, points=(10, 20, 30))
    state = state.replace(deal=state.deal.replace(rest=(2, 36, 4), dealer=1), given=((5, 6),))
    result = BOTTLE_IMP.result(act(state, "play 31", "play 29"))
    assert result is not None
    assert result.scores == (10, 20)
    detail = {"scores": [10, 20, -8], "owner": "lopaka", "price": 1, "devil": [2, 36, 4]}
    assert result.detail == {"hands": [detail]}


def test_lopakas_hand_is_open_after_the_passing_and_not_before() -> None:
    assert BOTTLE_IMP.view(passed(WITH_LOPAKA), 0).laid_open == ()
    state = passed(WITH_LOPAKA, 1)
    assert BOTTLE_IMP.view(state, 0).laid_open == (state.hands[LOPAKA],)


# --- bright house ---------------------------------------------------------------------------------------------


def test_card_passed_belongs_to_the_hand_it_was_passed_between() -> None:
    dealt = passed(BRIGHT_HOUSE).hands
    hands = passed(BRIGHT_HOUSE, 4).hands
    for place, other in ((0, 1), (1, 0), (2, 3), (3, 2)):
        assert set(hands[place]) == {*dealt[place][2:], dealt[other][1]}


def test_second_hand_is_not_seen_until_the_first_has_passed_its_card() -> None:
    for done, seen in ((0, 0), (1, 0), (2, 9), (3, 8), (4, 8)):
        assert len(BOTTLE_IMP.view(passed(BRIGHT_HOUSE, done), 1).cards[1]) == seen


def test_opened_hand_is_shown_to_both_and_the_other_stays_hidden() -> None:
    state = passed(BRIGHT_HOUSE, 4)
    first, second, third, fourth = state.hands
    state = together(state, "open 2", "open 1")
    assert state.hands == (third, second, first, fourth)
    assert BOTTLE_IMP.view(state, 0).laid_open == BOTTLE_IMP.view(state, 1).laid_open == (third, second)
    assert BOTTLE_IMP.view(state, 0).cards == (third, first)
    assert BOTTLE_IMP.view(state, 1).cards == (second, fourth)


def test_open_hands_are_played_before_hidden_ones_and_the_winner_begins() -> None:
    state = position(BRIGHT_HOUSE, [(1, 20), (3, 24), (5, 27), (34, 30)], price=2, owner=0)
    state = state.replace(hands=((4, 20), (6, 24), (8, 27), (30, 34)))
    seats = []
    for card in (4, 6, 8, 34, 24, 20, 30, 27):
        seats.append(BOTTLE_IMP.to_act(state)[0].seat)
        state = act(state, f"play {card}")
    assert seats == [0, 1, 0, 1, 1, 0, 1, 0]
    assert state.tricks[0].winner == 1


def test_card_must_follow_if_the_hand_it_is_played_from_can() -> None:
    hands: list[Cards] = [(1, 4), (6, 2), (8, 3), (10, 5)]
    state = act(position(BRIGHT_HOUSE, [tuple(sorted(hand)) for hand in hands]), "play 4")
    assert BOTTLE_IMP.legal(state, 1) == ("play 6",)
    state = act(state.replace(hands=(*state.hands[:2], (3, 11), state.hands[3])), "play 6")
    assert BOTTLE_IMP.legal(state, 0) == ("play 3", "play 11")


def test_devils_trick_has_the_first_hands_cards_before_the_second_hands() -> None:
    dealt = passed(BRIGHT_HOUSE).hands
    assert devils_trick(passed(BRIGHT_HOUSE, 5)) == tuple(hand[0] for hand in dealt)


# --- views ----------------------------------------------------------------------------------------------------


@every_table
def test_views_survive_the_wire_and_are_small(table: Configuration) -> None:
    playout = play(table, SEED, random.Random(3), hands=3)
    for state in playout.states():
        for seat in range(table.seats):
            view = BOTTLE_IMP.view(state, seat)
            data = codec.encode(view)
            assert codec.decode(data) == view
            assert len(data) <= 4096


@every_table
def test_devils_trick_is_shown_at_the_end_of_a_hand(table: Configuration) -> None:
    playout = play(table, SEED, random.Random(3), hands=3)
    for state in ends(playout):
        view = BOTTLE_IMP.view(state, 0)
        assert view.last_hand == state.deal.past[-1]
        assert len(state.deal.past[-1].devil) >= 3


@every_table
def test_view_tells_what_is_to_be_chosen(table: Configuration) -> None:
    playout = play(table, SEED, random.Random(3), hands=1)
    for point in playout.points:
        for decision in point.decisions:
            choosing = BOTTLE_IMP.view(point.state, decision.seat).choosing
            legal = BOTTLE_IMP.legal(point.state, decision.seat)
            assert {action.split()[0] for action in legal} == {choosing}
    assert BOTTLE_IMP.view(playout.last, 0).choosing == ""
