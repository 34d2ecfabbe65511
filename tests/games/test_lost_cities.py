"""Lost Cities: arena/games/lost_cities/docs/rules.md, row by row."""

from __future__ import annotations

import random

import pytest

from arena.games.chance import Stream
from arena.games.kernel import Chance, IllegalAction
from arena.games.lost_cities.rules import LOST_CITIES, score_expedition
from arena.games.lost_cities.state import CARDS, DECK, NAMES, NOBODY, Deal, Hand, LostCitiesState, add_up
from tests.games.playing import Configuration, play

TABLE = Configuration(LOST_CITIES, "standard", 2)


def cards(text: str) -> tuple[int, ...]:
    return tuple(CARDS[name] for name in text.split())


def position(hand: str = "", other: str = "", pile: str = "Y9 Y10", **fields: object) -> LostCitiesState:
    """Seat 0 is to place a card."""
    state, _ = LOST_CITIES.new(LOST_CITIES.setup(2, options={"hands": 1}), bytes(32))
    deal = state.deal.replace(pile=cards(pile))
    hands = (tuple(sorted(cards(hand))), tuple(sorted(cards(other))))
    return state.replace(deal=deal, hands=hands, **fields)


def act(state: LostCitiesState, *actions: str) -> LostCitiesState:
    for action in actions:
        state, _ = LOST_CITIES.apply(state, (action,))
    return state


@pytest.mark.parametrize(
    ("expedition", "score"),
    [
        ("R2 R3 R4 R7 R10", 6),
        ("R2 R3 R4 R7", -4),
        ("Rx Rx R2 R3 R4 R7 R10", 18),
        ("Rx Rx R2 R3 R4 R7", -12),
        ("Rx Rx R2 R3 R4 R7 R9 R10", (35 - 20) * 3 + 20),
        ("Rx Rx Rx R2 R3 R4 R5 R6 R7 R8 R9 R10", 156),
        ("Rx Rx Rx", -80),
        ("", 0),
    ],
)
def test_expedition_scores(expedition: str, score: int) -> None:
    assert score_expedition(cards(expedition)) == score


def test_five_perfect_expeditions_score_780() -> None:
    perfect = tuple(tuple(card for card in DECK if card // 10 == colour) for colour in range(5))
    state = position("", "", "Y9", expeditions=(perfect, ((),) * 5), placing=False, turn=40)
    result = LOST_CITIES.result(act(state, "draw deck"))
    assert result is not None
    assert result.scores == (780, 0)


def test_deck_is_listed_by_colour_investments_first() -> None:
    assert " ".join(NAMES[card] for card in DECK[:13]) == "Rx Rx Rx R2 R3 R4 R5 R6 R7 R8 R9 R10 Gx"
    assert [NAMES[card][0] for card in DECK[::12]] == ["R", "G", "W", "B", "Y"]
    assert len(DECK) == 60


def test_deal_is_the_shuffled_deck_in_blocks() -> None:
    _, (deal,) = LOST_CITIES.new(LOST_CITIES.setup(2), bytes(32))
    shuffled, _ = Stream(bytes(32)).shuffle(DECK)
    assert isinstance(deal, Chance)
    assert [len(group.split()) for group in deal.outcome] == [8, 8, 44]
    assert " ".join(deal.outcome) == " ".join(NAMES[card] for card in shuffled)


def test_legal_actions_are_plays_then_discards_without_duplicates() -> None:
    assert LOST_CITIES.legal(position("Rx Rx R7"), 0) == ("play Rx", "play R7", "discard Rx", "discard R7")


def test_number_goes_only_onto_a_lower_one() -> None:
    state = act(position("R3 R5 R9", "G2", "W2 W3 W4 W5"), "play R5", "draw deck", "discard G2", "draw deck")
    assert LOST_CITIES.legal(state, 0) == ("play R9", "play W2", "discard R3", "discard R9", "discard W2")


def test_investment_goes_only_where_no_number_is() -> None:
    state = act(position("R2 Rx Gx", "B2", "W2 W3 W4 W5"), "play R2", "draw deck", "discard B2", "draw deck")
    assert "play Rx" not in LOST_CITIES.legal(state, 0)
    assert "play Gx" in LOST_CITIES.legal(state, 0)


def test_investments_pile_up() -> None:
    state = act(
        position("Rx Rx", "B2", "W2 W3 W4 W5"), "play Rx", "draw deck", "discard B2", "draw deck", "play Rx"
    )
    assert state.expeditions[0][0] == cards("Rx Rx")


def test_draws_are_the_pile_then_each_discard_pile() -> None:
    piles = (cards("R2"), (), cards("W2 Wx"), (), cards("Y3"))
    state = act(position("R9", discards=piles), "play R9")
    assert LOST_CITIES.legal(state, 0) == ("draw deck", "draw R", "draw W", "draw Y")


def test_own_discard_may_not_be_drawn_back_in_the_same_turn() -> None:
    state = act(position("R9", discards=(cards("R2"), cards("G2"), (), (), ())), "discard R9")
    assert LOST_CITIES.legal(state, 0) == ("draw deck", "draw G")
    with pytest.raises(IllegalAction, match="draw deck, draw G"):
        LOST_CITIES.apply(state, ("draw R",))


def test_own_discard_may_be_drawn_in_a_later_turn() -> None:
    state = act(
        position("R9 R2", "G2", "W2 W3 W4"), "discard R9", "draw deck", "play G2", "draw deck", "play R2"
    )
    assert "draw R" in LOST_CITIES.legal(state, 0)


def test_drawing_from_a_discard_pile_takes_its_top_card() -> None:
    state = act(position("R9", discards=((), (), cards("W2 W7"), (), ())), "play R9", "draw W")
    assert state.hands[0] == cards("W7")
    assert state.discards[2] == cards("W2")


def test_card_taken_from_a_discard_pile_is_known_until_it_is_placed() -> None:
    state = position("R9 R10", "G2", "W2 W3 W4 W5", discards=((), (), cards("Wx"), (), ()))
    state = act(state, "play R9", "draw W")
    assert LOST_CITIES.view(state, 1).opponent_known == ("Wx",)
    state = act(state, "discard G2", "draw deck", "play Wx")
    assert LOST_CITIES.view(state, 1).opponent_known == ()


def test_hand_ends_at_once_with_the_last_card_of_the_pile() -> None:
    state = act(position("R9", "G9", "W2"), "play R9", "draw deck")
    assert state.seat == NOBODY
    assert state.deal.past == (Hand((-11, 0), 0, 1, limited=False),)


def test_hand_ends_by_the_turn_limit_with_cards_left_in_the_pile() -> None:
    state = position("R9", "", "W2 W3", turn=199, discards=((), cards("G2"), (), (), ()))
    result = LOST_CITIES.result(act(state, "play R9", "draw G"))
    assert result is not None
    assert (result.scores, result.end) == ((-11, 0), "turn limit")
    assert result.detail == {"hands": [{"scores": [-11, 0], "starter": 0, "turns": 200}]}


def test_last_card_drawn_in_turn_200_completes_the_hand() -> None:
    result = LOST_CITIES.result(act(position("R9", "", "W2", turn=199), "play R9", "draw deck"))
    assert result is not None
    assert result.end == "completed"


def test_match_goes_on_after_the_turn_limit_of_a_hand() -> None:
    state, _ = LOST_CITIES.new(LOST_CITIES.setup(2, options={"hands": 2}), bytes(32))
    state = state.replace(turn=199)
    state, (deal,) = LOST_CITIES.apply(act(state, LOST_CITIES.legal(state, 0)[-1]), ("draw deck",))
    assert isinstance(deal, Chance)
    assert (len(state.deal.past), state.turn, state.deal.past[0].limited) == (1, 0, True)


@pytest.mark.parametrize(
    ("past", "starter", "next_starter"),
    [
        ((), 0, 1),  # level after this hand: the seat that did not start it
        ((Hand((5, 0), 0, 44, limited=False),), 0, 0),
        ((Hand((0, 5), 0, 44, limited=False),), 0, 1),
        ((Hand((0, 5), 0, 44, limited=False),), 1, 1),
        ((Hand((3, 5), 0, 44, limited=False), Hand((2, 0), 0, 44, limited=False)), 1, 0),
    ],
)
def test_later_hands_are_started_by_the_higher_total(
    past: tuple[Hand, ...], starter: int, next_starter: int
) -> None:
    state, _ = LOST_CITIES.new(LOST_CITIES.setup(2, options={"hands": 5}), bytes(32))
    deal = Deal(state.deal.stream, 5, past, add_up(past), starter, cards("Y9"))
    state = state.replace(deal=deal, seat=0, placing=False)
    after = act(state, "draw deck")
    assert (after.deal.starter, after.seat) == (next_starter, next_starter)


def test_equal_scores_share_the_first_place() -> None:
    result = LOST_CITIES.result(act(position("", "", "Y9", placing=False), "draw deck"))
    assert result is not None
    assert result.places == (1, 1)


def test_standard_match_has_three_hands() -> None:
    playout = play(TABLE, bytes(32), random.Random(1))
    assert len(playout.last.deal.past) == 3


def test_deals_of_a_match_come_from_one_stream() -> None:
    playout = play(TABLE, bytes(32), random.Random(1), hands=2)
    deals = [step for step in playout.steps() if isinstance(step, Chance)]
    stream = Stream(bytes(32))
    for deal in deals:
        shuffled, stream = stream.shuffle(DECK)
        assert " ".join(deal.outcome) == " ".join(NAMES[card] for card in shuffled)


def test_cards_are_always_sixty() -> None:
    for state in play(TABLE, bytes(32), random.Random(2), hands=1).states():
        there = [
            *state.hands,
            *state.expeditions[0],
            *state.expeditions[1],
            *state.discards,
            state.deal.pile[state.drawn :],
        ]
        assert sorted(card for pile in there for card in pile) == list(DECK)


def test_view_tells_what_the_page_lists() -> None:
    state = act(position("R9 Rx", "G9", "W2 W3", turn=7), "discard R9")
    view = LOST_CITIES.view(state, 0)
    assert (view.hand, view.turn, view.draw_pile, view.just_discarded) == (("Rx",), 7, 2, "R9")
    assert view.discards == (("R9",), (), (), (), ())
    assert view.totals == (0, 0)
    assert LOST_CITIES.view(state, 1).hand == ("G9",)
