"""Lifeboats: arena/games/lifeboats/docs/rules.md, row by row."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from arena.games.chance import Stream
from arena.games.kernel import (
    SILENCE,
    Answer,
    Chance,
    Choice,
    Claim,
    IllegalAction,
    Line,
    Played,
    Said,
    SetupError,
    Talk,
    advance,
)
from arena.games.lifeboats import codec, rounds
from arena.games.lifeboats.notation import WORDS
from arena.games.lifeboats.rules import LIFEBOATS
from arena.games.lifeboats.sampler import sample
from arena.games.lifeboats.score import rank, score
from arena.games.lifeboats.state import PLACES, LifeboatsState, Stage, officers, sailors
from arena.match.record import from_json, to_json
from arena.match.verification import verify
from arena.v1 import lifeboats_pb2
from tests.games.playing import Configuration, Playout, play, record

TABLES = [
    Configuration(LIFEBOATS, variant, seats)
    for variant, counts in LIFEBOATS.variants.items()
    for seats in counts
]
OPTIONS = [{"dealt": dealt, "talk": talk} for dealt in (0, 1) for talk in (0, 1, 2, 5)]
Boats = dict[str, tuple[int, str]]
HELLO = Line("hello")


def code(pawns: str) -> int:
    return pawns.count("o") * 8 + pawns.count("s")


def position(
    boats: Boats,
    *,
    seats: int = 4,
    start: int = 0,
    talks: bool = False,
    variant: str = "standard",
    talk: int = 2,
) -> LifeboatsState:
    """The first vote of a round; boats are given by leaks and pawns, as `W` → `1, "0:os 1:s"`; others have sunk."""
    setup = LIFEBOATS.setup(seats, variant=variant, options={"talk": talk}, talks=(talks,) * seats)
    state, _ = LIFEBOATS.new(setup, bytes(32))
    letters = WORDS[seats].letters
    leaks, room, crews, at_sea = [], [], [], 0
    for boat, letter in enumerate(letters):
        holes, aboard = boats.get(letter, (0, ""))
        crew = [0] * seats
        for part in aboard.split():
            seat, pawns = part.split(":")
            crew[int(seat)] = code(pawns)
        at_sea |= (letter in boats) << boat
        leaks.append(holes)
        room.append(PLACES - holes - sum(len(part.split(":")[1]) for part in aboard.split()))
        crews.append(tuple(crew))
    state = state.replace(
        columns=tuple(range(1, seats + 2)),
        waiting=(0,) * seats,
        leaks=tuple(leaks),
        room=tuple(room),
        crews=tuple(crews),
        at_sea=at_sea,
        start=start,
    )
    rounds.start(state)
    return state


def act(state: LifeboatsState, *answers: Answer) -> LifeboatsState:
    return LIFEBOATS.apply(state, answers)[0]


def vote(state: LifeboatsState, letters: str) -> LifeboatsState:
    """Have all voters vote, `h` for a hat."""
    return act(state, *["hat" if letter == "h" else f"vote {letter}" for letter in letters])


def boat(state: LifeboatsState, letter: str) -> int:
    return WORDS[state.match.seats].letters.index(letter)


def pawns_in(state: LifeboatsState, letter: str) -> int:
    return sum(sailors(aboard) + officers(aboard) for aboard in state.crews[boat(state, letter)])


def is_at_sea(state: LifeboatsState, letter: str) -> bool:
    return bool(state.at_sea >> boat(state, letter) & 1)


def asked(state: LifeboatsState) -> list[int]:
    return [decision.seat for decision in LIFEBOATS.to_act(state)]


ALL = {"W": (0, "0:s"), "O": (0, "1:s"), "Y": (0, "2:s"), "R": (0, "3:s"), "K": (0, "0:o")}
FULL = {"W": (1, "0:os 1:sss"), "O": (0, "1:s"), "Y": (0, "2:s"), "K": (0, "0:s")}


# --- worked examples ------------------------------------------------------------------------------------------


def test_start_player_chooses_between_two_boats_with_as_many_votes() -> None:
    state = vote(position(ALL, start=2), "RYRY")
    assert LIFEBOATS.to_act(state) == (Choice(2),)
    assert LIFEBOATS.legal(state, 2) == ("choose Y", "choose R")


def test_two_hats_cancel_out_and_are_spent() -> None:
    state = vote(position(ALL), "hYRh")
    assert LIFEBOATS.to_act(state) == (Choice(0),)
    assert LIFEBOATS.legal(state, 0) == ("choose Y", "choose R")
    assert state.hats == (2, 3, 3, 2)


def test_only_hat_chooses_any_boat_at_sea() -> None:
    state = vote(position({**ALL, "R": (0, "")}, start=1), "hYYY")
    assert LIFEBOATS.to_act(state) == (Choice(0),)
    assert LIFEBOATS.legal(state, 0) == ("choose W", "choose O", "choose Y", "choose R", "choose K")
    assert act(state, "choose K").leaks == (0, 0, 0, 0, 1)


def test_start_player_without_a_pawn_aboard_chooses_who_goes_overboard() -> None:
    state = vote(position(FULL, seats=3, start=2), "WWW")
    assert asked(state) == [0, 1]
    assert LIFEBOATS.legal(state, 0) == ("vote W", "vote O", "hat")
    state = vote(state, "OW")
    assert LIFEBOATS.to_act(state) == (Choice(2),)
    assert LIFEBOATS.legal(state, 2) == ("choose W", "choose O")
    state = act(state, "choose W")
    assert state.crews[0] == (code("o"), code("sss"), 0)
    assert state.leaks[0] == 2


def test_full_boat_with_three_leaks_sinks_without_a_vote() -> None:
    state = vote(position({"W": (3, "0:o 1:ss"), "O": (0, "1:s"), "K": (0, "2:s")}, seats=3), "WWW")
    assert state.vote == "move"
    assert not is_at_sea(state, "W")
    assert pawns_in(state, "W") == 0


def test_boat_with_as_many_leaks_as_pawns_floats() -> None:
    state = position({"W": (1, "0:s 1:ss"), "O": (0, "1:s"), "K": (0, "2:s")}, seats=3)
    state = vote(vote(state, "WWW"), "KKK")
    state = act(act(act(state, "leave s W"), "leave s O"), "leave s K")
    for enters in ("enter O", "enter K", "enter O"):
        state = act(state, enters)
    assert state.leaks[0] == 2
    assert pawns_in(state, "W") == 2
    assert is_at_sea(state, "W")
    assert state.round == 1


def test_officer_on_the_left_and_two_sailors_on_the_middle_island_are_16() -> None:
    assert score((code("o"), code("ss"), 0)) == 8 + 4 + 4


# --- rulings --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("column", "island"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (6, 2), (7, 2)])
def test_boat_lands_after_three_moves_on_the_island_of_its_column(column: int, island: int) -> None:
    state = position(ALL).replace(columns=(column, 0, 0, 0, 0), rows=(1, 0, 0, 0, 0))
    state = vote(vote(state, "KKKK"), "WWWW")
    assert is_at_sea(state, "W")
    state = position(ALL).replace(columns=(column, 0, 0, 0, 0), rows=(2, 0, 0, 0, 0))
    state = vote(vote(state, "KKKK"), "WWWW")
    assert not is_at_sea(state, "W")
    assert state.berths == (0,)
    assert [each.landed for each in LIFEBOATS.view(state, 0).boats] == [True, False, False, False, False]
    assert state.ashore[0] == tuple(code("s") if at == island else 0 for at in range(3))


def test_points_are_six_four_five_and_two_more_for_officers() -> None:
    assert [score(safe) for safe in ((1, 0, 0), (0, 1, 0), (0, 0, 1))] == [6, 4, 5]
    assert [score(safe) for safe in ((8, 0, 0), (0, 8, 0), (0, 0, 8))] == [8, 6, 7]


def test_boat_that_is_gone_is_not_an_option() -> None:
    state = position({"W": (0, "0:s"), "K": (0, "1:s")})
    assert LIFEBOATS.legal(state, 3) == ("vote W", "vote K", "hat")
    with pytest.raises(IllegalAction, match="'vote O' of seat 1: must be one of vote W, vote K, hat"):
        vote(state, "WOWW")


def test_seat_0_starts_and_the_token_goes_on_clockwise() -> None:
    for table in TABLES:
        for state in play(table, bytes(32), random.Random(2)).states():
            assert state.start == state.round % table.seats


def test_start_player_has_the_stick_even_if_it_does_not_talk() -> None:
    setup = LIFEBOATS.setup(3, variant="stick", options={"dealt": 1}, talks=(False, True, True))
    state = act(LIFEBOATS.new(setup, bytes(32))[0], HELLO, SILENCE)
    assert LIFEBOATS.to_act(state) == (Choice(0),)
    assert LIFEBOATS.legal(state, 0) == ("talk on", "end talk")


def test_all_seats_that_talk_do_so_before_an_overboard_vote() -> None:
    state = position(FULL, seats=3, talks=True)
    state = vote(act(state, SILENCE, SILENCE, SILENCE), "WWW")
    assert state.vote == "overboard"
    assert [type(decision) for decision in LIFEBOATS.to_act(state)] == [Talk] * 3
    assert asked(act(state, SILENCE, SILENCE, SILENCE)) == [0, 1]


def test_seat_without_pawns_votes_and_can_be_start_player() -> None:
    state = position({"W": (0, "0:s"), "K": (0, "1:s")}, seats=3, start=2)
    assert asked(state) == [0, 1, 2]
    state = vote(state, "WKh")
    assert LIFEBOATS.to_act(state) == (Choice(2),)
    assert asked(act(state, "choose W")) == [0, 1, 2]


def test_empty_boat_without_a_leak_floats_and_lands() -> None:
    state = position({**ALL, "R": (0, "")}).replace(rows=(0, 0, 0, 2, 0))
    state = vote(state, "KKKK")
    assert is_at_sea(state, "R")
    state = vote(state, "RRRR")
    assert state.berths == (3,)


def test_empty_boat_with_a_leak_sinks() -> None:
    state = vote(position({**ALL, "R": (0, "")}), "RRRR")
    assert not is_at_sea(state, "R")
    assert state.berths == ()


def test_pawn_that_must_leave_the_only_boat_drowns() -> None:
    state = position({"W": (0, "1:ss 2:sss")}, seats=3)  # the votes for the one boat are not held
    assert LIFEBOATS.to_act(state) == (Choice(1),)
    assert LIFEBOATS.legal(state, 1) == ("leave s W",)
    after, steps, _ = advance(LIFEBOATS, state, ("leave s W",), 0)
    assert steps == (Played(1, "leave s W"),)
    assert pawns_in(after, "W") == 4
    assert after.round == 1
    assert after.rows[0] == 2


def test_pawn_may_not_drown_while_there_is_a_place_elsewhere() -> None:
    state = position({"W": (0, "0:s"), "O": (0, "1:s")}, seats=3)
    state = vote(vote(state, "WWW"), "WWW")
    state = act(act(state, "leave s W"), "leave s O")
    assert LIFEBOATS.legal(state, 1) == ("enter W",)
    with pytest.raises(IllegalAction, match="'enter O' of seat 1: must be one of enter W"):
        act(state, "enter O")


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_match_ends_within_three_rounds_per_boat(table: Configuration, options: dict[str, int]) -> None:
    for seed in range(4):
        playout = play(table, bytes([seed] * 32), random.Random(seed), **options)
        assert playout.last.round < 3 * (table.seats + 1)
        assert playout.last.at_sea == 0
        assert LIFEBOATS.result(playout.last) is not None


# --- votes ----------------------------------------------------------------------------------------------------


def test_most_votes_win_at_once() -> None:
    state = vote(position(ALL), "RRYK")
    assert state.leaks == (0, 0, 0, 1, 0)
    assert state.vote == "move"


def test_vote_decided_by_one_ballot_among_two_hats() -> None:
    state = vote(position(ALL), "hhRR")
    assert state.leaks == (0, 0, 0, 1, 0)


def test_hats_of_all_voters_let_the_start_player_choose_any_boat() -> None:
    state = vote(position(ALL, start=3), "hhhh")
    assert LIFEBOATS.to_act(state) == (Choice(3),)
    assert LIFEBOATS.legal(state, 3) == ("choose W", "choose O", "choose Y", "choose R", "choose K")
    assert state.hats == (2, 2, 2, 2)


def test_hats_of_all_aboard_let_the_start_player_choose_any_colour_aboard() -> None:
    state = vote(vote(position(FULL, seats=3, start=2), "WWW"), "hh")
    assert LIFEBOATS.to_act(state) == (Choice(2),)
    assert LIFEBOATS.legal(state, 2) == ("choose W", "choose O")
    assert state.hats == (2, 2, 3)


def test_hat_is_offered_only_while_there_is_one() -> None:
    state = position(ALL).replace(hats=(0, 1, 1, 1))
    assert "hat" not in LIFEBOATS.legal(state, 0)
    with pytest.raises(IllegalAction, match="'hat' of seat 0"):
        vote(state, "hRRR")


def test_officers_weigh_two_in_an_overboard_vote() -> None:
    boats = {**FULL, "W": (1, "0:oo 1:sss")}
    state = vote(vote(position(boats, seats=3), "WWW"), "OW")
    assert state.crews[0] == (code("oo"), code("ss"), 0)
    assert state.leaks[0] == 2
    assert state.vote == "move"


def test_officer_goes_overboard_only_without_a_sailor() -> None:
    boats = {**FULL, "W": (1, "0:oo 1:sss")}
    state = vote(vote(position(boats, seats=3), "WWW"), "WW")
    assert state.crews[0] == (code("o"), code("sss"), 0)


def test_overboard_vote_of_one_colour_is_not_held() -> None:
    state = vote(position({**FULL, "W": (1, "0:ossss")}, seats=3), "WWW")
    assert state.vote == "move"
    assert state.crews[0] == (code("osss"), 0, 0)
    assert state.leaks[0] == 2


def test_overboard_vote_is_held_with_two_leaks_and_four_pawns() -> None:
    state = vote(position({**FULL, "W": (2, "0:os 1:ss")}, seats=3), "WWW")
    assert state.vote == "overboard"
    state = vote(state, "OO")
    assert state.leaks[0] == 3
    assert pawns_in(state, "W") == 3
    assert is_at_sea(state, "W")


def test_ballots_are_shown_while_somebody_chooses() -> None:
    state = vote(vote(position(FULL, seats=3, start=2), "WWW"), "Oh")
    view = LIFEBOATS.view(state, 0)
    assert (view.stage, view.vote, view.boat) == ("choose", "overboard", "W")
    assert view.ballots == ("O", "hat", "")
    assert view.options == ("W", "O")
    assert LIFEBOATS.view(act(state, "choose O"), 0).ballots == ()


def test_only_votes_are_simultaneous_points() -> None:
    state = position(FULL, seats=3, start=2)
    steps, together = list[Any](), 0
    for answers in (
        ("vote W", "vote W", "vote W"),
        ("vote O", "vote W"),
        ("choose W",),
        ("vote K", "vote K", "hat"),
    ):
        state, more, together = advance(LIFEBOATS, state, answers, together)
        steps += more
    numbers = [step.together for step in steps if isinstance(step, Played)]
    assert numbers == [0, 0, 0, 1, 1, None, 2, 2, 2]


def test_single_ballot_beside_one_hat_does_not_count() -> None:
    state = vote(vote(position(FULL, seats=3, start=2), "WWW"), "hW")
    assert LIFEBOATS.to_act(state) == (Choice(0),)
    assert act(state, "choose O").crews[0] == (code("os"), code("ss"), 0)


def test_option_that_was_not_tied_may_not_be_chosen() -> None:
    state = vote(position(ALL), "RYRY")
    with pytest.raises(IllegalAction, match="'choose W' of seat 0: must be one of choose Y, choose R"):
        act(state, "choose W")


# --- changing boats -------------------------------------------------------------------------------------------


def leaving(boats: Boats, seats: int = 3, start: int = 0) -> LifeboatsState:
    """Phase 3 after a leak and a move of the black boat."""
    state = position(boats, seats=seats, start=start)
    return vote(vote(state, "K" * seats), "K" * seats)


def test_no_two_pawns_leave_the_same_boat() -> None:
    state = leaving({"W": (0, "0:s 1:s 2:s"), "O": (0, "1:o"), "K": (0, "2:s")}, start=0)
    state = act(state, "leave s W")
    assert LIFEBOATS.legal(state, 1) == ("leave o O",)


def test_seat_that_cannot_leave_is_skipped() -> None:
    state = leaving({"W": (0, "0:s 1:s"), "O": (0, ""), "K": (0, "2:ss")})
    state, steps, _ = advance(LIFEBOATS, state, ("leave s W",), 0)
    assert steps == (Played(0, "leave s W"),)
    assert LIFEBOATS.to_act(state) == (Choice(2),)


def test_seats_leave_from_the_start_player_and_enter_in_reverse() -> None:
    state = leaving({"W": (0, "0:s"), "O": (0, "1:s"), "K": (0, "2:ss")}, start=1)
    order = []
    for action in ("leave s O", "leave s K", "leave s W", "enter O", "enter O", "enter W"):
        order += asked(state)
        state = act(state, action)
    assert order == [1, 2, 0, 0, 2, 1]


def test_sailor_or_officer_may_leave() -> None:
    state = leaving({"W": (0, "0:os 1:s"), "O": (0, "1:s"), "K": (0, "0:o 2:s")})
    assert LIFEBOATS.legal(state, 0) == ("leave s W", "leave o W", "leave o K")


def test_places_just_left_count() -> None:
    state = leaving({"W": (0, "0:sssss 1:s"), "K": (1, "1:ss 2:s")})
    assert (state.room[0], state.room[3]) == (0, 1)
    state = act(act(act(state, "leave s W"), "leave s K"), "enter W")
    assert LIFEBOATS.legal(state, 0) == ("enter K",)


def test_pawn_drowns_without_a_step_when_all_other_boats_are_full() -> None:
    state = position({"W": (0, "0:s"), "O": (2, "0:ssss"), "K": (0, "1:s 2:s")}, seats=3)
    state = vote(vote(state.replace(rows=(0, 0, 0, 2)), "KKK"), "KKK")
    assert LIFEBOATS.to_act(state) == (Choice(0),)
    state, steps, _ = advance(LIFEBOATS, state, ("leave s W",), 0)
    assert steps == (Played(0, "leave s W"),)
    assert (state.round, state.stage, state.left) == (1, Stage.VOTE, ())
    assert [row[0] for row in state.crews] == [0, code("ssss"), 0, 0]


def test_boat_that_many_left_sinks_at_the_end_of_the_phase() -> None:
    state = leaving({"W": (2, "0:s 1:s"), "O": (0, "1:s"), "K": (0, "2:ss")})
    state = act(act(act(state, "leave s W"), "leave s O"), "leave s K")
    assert is_at_sea(state, "W")
    for action in ("enter O", "enter K", "enter K"):
        state = act(state, action)
    assert not is_at_sea(state, "W")
    assert state.crews[0] == (0, 0, 0)
    assert state.round == 1


# --- talk -----------------------------------------------------------------------------------------------------


def test_nobody_is_asked_to_talk_where_no_seat_talks() -> None:
    playout = play(Configuration(LIFEBOATS, "stick", 3), bytes(32), random.Random(1), talk=5)
    assert any(state.stage == Stage.TALK for state in playout.states())
    state, _ = LIFEBOATS.new(LIFEBOATS.setup(3, variant="stick", options={"dealt": 1, "talk": 5}), bytes(32))
    assert [type(decision) for decision in LIFEBOATS.to_act(state)] == [Choice] * 3


def test_option_talk_0_has_no_talk() -> None:
    assert position(ALL, talks=True, talk=0).stage == Stage.VOTE


def test_only_seats_that_talk_are_asked_to() -> None:
    setup = LIFEBOATS.setup(4, options={"dealt": 1}, talks=(True, False, False, True))
    state, _ = LIFEBOATS.new(setup, bytes(32))
    assert asked(state) == [0, 3]
    assert asked(act(state, SILENCE, SILENCE)) == [0, 1, 2, 3]


def test_silence_of_all_ends_the_talk() -> None:
    state = act(position(ALL, talks=True, talk=5), *[SILENCE] * 4)
    assert state.stage == Stage.VOTE


def test_talk_goes_on_for_as_many_rounds_as_the_option_says() -> None:
    state = position(ALL, talks=True, talk=3)
    for number in range(3):
        assert [decision.round for decision in LIFEBOATS.to_act(state) if isinstance(decision, Talk)] == [
            number
        ] * 4
        state = act(state, HELLO, SILENCE, SILENCE, SILENCE)
    assert state.stage == Stage.VOTE


def test_rounds_of_talk_are_counted_anew_for_each_vote() -> None:
    state = act(position(ALL, talks=True), *[HELLO] * 4)
    state = vote(act(state, *[HELLO] * 4), "KKKK")
    assert [decision.round for decision in LIFEBOATS.to_act(state) if isinstance(decision, Talk)] == [0] * 4


def test_no_talk_before_a_choice_after_a_vote() -> None:
    state = vote(act(position(ALL, talks=True), *[SILENCE] * 4), "RYRY")
    assert LIFEBOATS.to_act(state) == (Choice(0),)


def test_lines_are_steps_with_their_round_and_silence_is_none() -> None:
    state = position(ALL, talks=True)
    line = Line("", (Claim("promise", 1, "K", "leak"),))
    _, steps, together = advance(LIFEBOATS, state, (SILENCE, line, HELLO, SILENCE), 7)
    assert steps == (Said(1, line, 0), Said(2, HELLO, 0))
    assert together == 7


@pytest.mark.parametrize(
    "line",
    [
        Line("x" * 281),
        Line("ñ" * 141),
        Line("a\nb"),
        Line("\x85"),
        Line("", (Claim("promise", 0, "K", "this"),) * 5),
        Line("", (Claim("swear", 0, "K", "this"),)),
        Line("", (Claim("ask", 4, "K", "this"),)),
        Line("", (Claim("ask", 0, "G", "this"),)),
        Line("", (Claim("ask", 0, "hat", "this"),)),
        Line("", (Claim("ask", 0, "K", "never"),)),
    ],
)
def test_line_over_its_limits_is_refused(line: Line) -> None:
    with pytest.raises(IllegalAction):
        act(position(ALL, talks=True), line, SILENCE, SILENCE, SILENCE)


def test_claim_may_name_a_boat_that_is_gone() -> None:
    claims = tuple(Claim("threat", 3, letter, "overboard") for letter in "WOYR")
    state = position({"W": (0, "0:s"), "K": (0, "1:s")}, talks=True)
    assert act(state, Line("ñ" * 140, claims), SILENCE, SILENCE, SILENCE).talked == 1


def test_vote_is_no_answer_where_talk_is_asked_for() -> None:
    with pytest.raises(IllegalAction, match="must be a line of talk"):
        act(position(ALL, talks=True), "vote W", SILENCE, SILENCE, SILENCE)


def test_line_is_no_answer_where_a_vote_is_asked_for() -> None:
    with pytest.raises(IllegalAction, match="must be one of vote W"):
        act(position(ALL), HELLO, "vote W", "vote W", "vote W")


def test_stick_is_asked_for_only_after_somebody_spoke_and_before_another_round() -> None:
    state = position(ALL, talks=True, variant="stick", start=2)
    assert act(state, *[SILENCE] * 4).stage == Stage.VOTE
    state = act(state, SILENCE, HELLO, SILENCE, SILENCE)
    assert LIFEBOATS.to_act(state) == (Choice(2),)
    assert LIFEBOATS.legal(state, 2) == ("talk on", "end talk")
    assert act(state, "end talk").stage == Stage.VOTE
    again = act(state, "talk on")
    assert [decision.round for decision in LIFEBOATS.to_act(again) if isinstance(decision, Talk)] == [1] * 4
    assert act(again, *[HELLO] * 4).stage == Stage.VOTE
    with pytest.raises(IllegalAction, match="must be one of talk on, end talk"):
        act(state, "vote W")


def test_variant_standard_has_no_stick() -> None:
    state = act(position(ALL, talks=True), *[HELLO] * 4)
    assert [decision.round for decision in LIFEBOATS.to_act(state) if isinstance(decision, Talk)] == [1] * 4


# --- setting up -----------------------------------------------------------------------------------------------


def test_options_are_dealt_and_talk() -> None:
    assert LIFEBOATS.setup(3).options == {"dealt": 0, "talk": 2}
    for options in ({"dealt": 2}, {"talk": 6}, {"talk": -1}):
        with pytest.raises(SetupError):
            LIFEBOATS.setup(3, options=options)


@pytest.mark.parametrize("seats", [2, 7])
def test_other_seat_counts_are_refused(seats: int) -> None:
    for variant in ("standard", "stick"):
        with pytest.raises(SetupError):
            LIFEBOATS.setup(seats, variant=variant)


@pytest.mark.parametrize(("seats", "crew"), [(3, "oosssss"), (4, "oosssss"), (5, "oossss"), (6, "oossss")])
def test_deal_gives_columns_to_boats_and_places_to_pawns(seats: int, crew: str) -> None:
    state, (setup,) = LIFEBOATS.new(LIFEBOATS.setup(seats, options={"dealt": 1}), bytes(32))
    letters = "WOYRGP"[:seats] + "K"
    columns, stream = Stream(bytes(32)).shuffle(range(1, 8))
    places, _ = stream.shuffle([letter for letter in letters for _ in range(6)])
    assert setup == Chance("setup", (" ".join(map(str, columns[: seats + 1])), " ".join(places)))
    assert state.columns == columns[: seats + 1]
    taken = iter(places)
    expected = [[""] * seats for _ in letters]
    for seat in range(seats):
        for pawn in crew:
            expected[letters.index(next(taken))][seat] += pawn
    assert [list(map(code, row)) for row in expected] == [list(row) for row in state.crews]
    free = "".join(taken)
    assert state.room == tuple(free.count(letter) for letter in letters)
    assert state.stage == Stage.VOTE


def test_each_seat_launches_its_boat_and_seat_0_the_black_one() -> None:
    state, steps = LIFEBOATS.new(LIFEBOATS.setup(3), bytes(32))
    assert steps == ()
    order = []
    for action in ("launch 4", "launch 7", "launch 1", "launch 6"):
        order += asked(state)
        state = act(state, action)
    assert order == [0, 1, 2, 0]
    assert state.columns == (4, 7, 1, 6)
    with pytest.raises(IllegalAction):
        act(state, "launch 2")


def test_columns_are_launched_into_once() -> None:
    state = act(LIFEBOATS.new(LIFEBOATS.setup(3), bytes(32))[0], "launch 4")
    assert LIFEBOATS.legal(state, 1) == tuple(f"launch {column}" for column in (1, 2, 3, 5, 6, 7))
    with pytest.raises(IllegalAction, match="'launch 4' of seat 1: must be one of launch 1"):
        act(state, "launch 4")


def test_seats_board_in_turn_until_all_pawns_are_seated() -> None:
    state, _ = LIFEBOATS.new(LIFEBOATS.setup(3), bytes(32))
    for column in range(1, 5):
        state = act(state, f"launch {column}")
    order = []
    while state.stage == Stage.BOARD:
        order += asked(state)
        state = act(state, LIFEBOATS.legal(state, order[-1])[-1])
    assert order == [0, 1, 2] * 7
    assert (state.stage, state.vote) == (Stage.VOTE, "leak")


def test_only_own_pawns_that_are_left_and_boats_with_a_free_place_are_offered() -> None:
    state, _ = LIFEBOATS.new(LIFEBOATS.setup(3), bytes(32))
    for column in range(1, 5):
        state = act(state, f"launch {column}")
    assert LIFEBOATS.legal(state, 0)[:3] == ("board s W", "board o W", "board s O")
    for _ in range(2):
        for _ in range(3):
            state = act(state, "board o K")
    assert LIFEBOATS.legal(state, 0) == ("board s W", "board s O", "board s Y")


# --- end of the match -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "berths", "ranks"),
    [
        ((9, 9, 9), (2, 0, 1), (2, 3, 1)),
        ((9, 9, 9), (3, 1), (2, 1, 2)),  # boats 0 and 2 never landed
        ((9, 12, 9), (2, 0, 1), (3, 1, 2)),
        ((0, 0, 0), (), (1, 1, 1)),
        ((5, 9, 5), (), (2, 1, 2)),
    ],
)
def test_equal_scores_are_ranked_by_the_berth_of_the_own_boat(
    scores: tuple[int, ...], berths: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    assert rank(scores, berths) == ranks


def test_match_is_over_when_the_last_boat_sinks_in_phase_1() -> None:
    state = position({"W": (3, "0:s 1:ss")}, seats=3)  # the leak of the one boat left is not voted for
    assert LIFEBOATS.to_act(state) == ()
    result = LIFEBOATS.result(state)
    assert result is not None
    assert (result.scores, result.places) == ((0, 0, 0), (1, 1, 1))
    assert result.detail == {"berths": [], "saved": [[[0, 0], [0, 0], [0, 0]]] * 3}


def test_match_is_over_when_the_last_boat_lands() -> None:
    state = position({"W": (0, "0:s 1:os"), "K": (0, "2:s")}, seats=3).replace(rows=(2, 0, 0, 2), at_sea=9)
    state = vote(vote(state, "KKK"), "WWW")
    state = act(state, "leave s K")
    assert LIFEBOATS.to_act(state) == ()
    result = LIFEBOATS.result(state)
    assert result is not None
    assert result.scores == (6, 14, 0)
    assert result.places == (2, 1, 3)
    assert result.detail == {
        "berths": ["W"],
        "saved": [[[1, 0], [0, 0], [0, 0]], [[1, 1], [0, 0], [0, 0]], [[0, 0], [0, 0], [0, 0]]],
    }


@pytest.fixture(scope="module", params=TABLES, ids=str)
def playout(request: pytest.FixtureRequest) -> Playout:
    return play(request.param, bytes(range(32)), random.Random(7), dealt=1)


def test_pawns_leaks_and_free_places_fill_each_boat(playout: Playout) -> None:
    for state in playout.states():
        for at, letter in enumerate(WORDS[state.match.seats].letters):
            assert pawns_in(state, letter) + state.leaks[at] + state.room[at] == PLACES
            assert state.room[at] >= 0


def test_no_pawn_comes_from_nowhere(playout: Playout) -> None:
    crew = code("oosssss") if playout.configuration.seats < 5 else code("oossss")
    for state in playout.states():
        for seat in range(playout.configuration.seats):
            there = sum(row[seat] for row in state.crews) + sum(state.ashore[seat])
            there += sum(leaver.pawn for leaver in state.left if leaver.seat == seat)
            assert sailors(there) <= sailors(crew)
            assert officers(there) <= officers(crew)
    assert sum(row[0] for row in playout.points[0].state.crews) == crew


def test_same_seed_and_answers_give_equal_states(playout: Playout) -> None:
    again = play(playout.configuration, bytes(range(32)), random.Random(7), dealt=1)
    assert again.states() == playout.states()
    assert len({hash(state) for state in playout.states()}) > 1


def test_every_legal_action_is_accepted_and_others_are_not(playout: Playout) -> None:
    game = LIFEBOATS
    points = [point for point in playout.points if isinstance(point.decisions[0], Choice)]
    actions = {
        action
        for point in points
        for each in point.decisions
        for action in game.legal(point.state, each.seat)
    }
    for point in random.Random(1).sample(points, min(20, len(points))):
        for at, decision in enumerate(point.decisions):
            legal = game.legal(point.state, decision.seat)
            assert 0 < len(legal) == len(set(legal))
            for action in sorted(actions | {"", "vote", "vote ?", "hat ", "choose W "}):
                answers = (*point.answers[:at], action, *point.answers[at + 1 :])
                if action in legal:
                    game.apply(point.state, answers)
                else:
                    with pytest.raises(IllegalAction):
                        game.apply(point.state, answers)


def test_too_many_or_too_few_answers_are_refused(playout: Playout) -> None:
    for point in (*playout.points[:5], playout.points[-1]):
        for answers in (point.answers[1:], (*point.answers, point.answers[0])):
            with pytest.raises(IllegalAction):
                LIFEBOATS.apply(point.state, answers)
    with pytest.raises(IllegalAction):
        LIFEBOATS.apply(playout.last, playout.points[-1].answers)


@pytest.mark.parametrize("options", [{"dealt": 0}, {"dealt": 1}], ids=str)
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_record_is_right_and_survives_json(table: Configuration, options: dict[str, int]) -> None:
    written = record(play(table, bytes(32), random.Random(3), **options))
    assert verify(written, LIFEBOATS) is None
    assert verify(from_json(to_json(written)), LIFEBOATS) is None
    steps = json.loads(to_json(written))["steps"]
    assert any("say" in step for step in steps)


def test_views_survive_the_wire_and_are_the_same_for_all(playout: Playout) -> None:
    for state in playout.states():
        view = LIFEBOATS.view(state, 0)
        assert LIFEBOATS.view(state, 1) == view
        data = codec.encode(view)
        assert codec.decode(data) == view
        assert len(data) < 600
        assert lifeboats_pb2.LifeboatsView.FromString(data).SerializeToString() == data


def test_everybody_sees_every_step(playout: Playout) -> None:
    for step in playout.steps():
        assert LIFEBOATS.seen(step, None) == LIFEBOATS.seen(step, 2) == step


# --- the sampler ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_sampler_gives_the_very_state(table: Configuration, options: dict[str, int]) -> None:
    match = play(table, bytes(32), random.Random(5), **options)
    for state in match.states():
        view = codec.decode(codec.encode(LIFEBOATS.view(state, 1)))
        assert sample(match.setup, view, (), 1, random.Random(0)) == state


def test_sampler_need_not_know_who_talks() -> None:
    setup = LIFEBOATS.setup(3, variant="stick", options={"dealt": 1}, talks=(True,) * 3)
    state = act(LIFEBOATS.new(setup, bytes(32))[0], HELLO, SILENCE, SILENCE)
    unknown = LIFEBOATS.setup(3, variant="stick", options={"dealt": 1})
    drawn = sample(unknown, LIFEBOATS.view(state, 0), (), 0, random.Random(0))
    assert LIFEBOATS.to_act(drawn) == LIFEBOATS.to_act(state)
    assert LIFEBOATS.view(drawn, 0) == LIFEBOATS.view(state, 0)
    assert act(drawn, "talk on").stage == act(drawn, "end talk").stage == Stage.VOTE
