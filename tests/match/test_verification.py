from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from arena.games.chance import commitment
from arena.games.kernel import SILENCE, Chance, Choice, Claim, DummyPlayed, Line, Played, Said, Talk
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Ending, Record, RecordedStep
from arena.match.verification import Discrepancy, verify
from tests.games.playing import GAMES, TABLES, Playout, play, record

SEED = bytes(range(32))
PLAYOUTS = {str(table): play(table, SEED, random.Random(5)) for table in TABLES}


def example(name: str = "tiny-standard-3") -> Record:
    return record(PLAYOUTS[name])


def check(written: Record) -> Discrepancy | None:
    return verify(written, GAMES.get(written.game))


def wrong(written: Record) -> str:
    found = check(written)
    assert found is not None
    return str(found)


def find(written: Record, kind: type) -> int:
    return next(at for at, recorded in enumerate(written.steps) if isinstance(recorded.step, kind))


def put(written: Record, at: int, *steps: RecordedStep, drop: int = 1) -> Record:
    """Put other steps in the place of some."""
    return replace(written, steps=(*written.steps[:at], *steps, *written.steps[at + drop :]))


def faulty(playout: Playout, points: int, seat: int, kind: FaultKind = FaultKind.CRASH) -> Record:
    """End a match by a fault after some of its points."""
    whole = record(playout)
    steps = len(playout.opening) + sum(len(point.steps) for point in playout.points[:points])
    places = tuple(playout.setup.seats if each == seat else 1 for each in range(playout.setup.seats))
    return replace(
        whole,
        steps=whole.steps[:steps],
        result=Ending(places, "fault", fault=SeatFault(seat, kind, "it was so")),
    )


@pytest.mark.parametrize("name", PLAYOUTS)
def test_right_record_is_accepted(name: str) -> None:
    assert check(example(name)) is None


def test_game_is_found_by_its_id() -> None:
    assert verify(example("lost_cities-standard-2")) is None


# --- the head -------------------------------------------------------------------------------------------------


def test_unknown_game_is_reported() -> None:
    assert "game 'chess': this arena has" in str(verify(replace(example(), game="chess")))


def test_record_of_another_game_is_reported() -> None:
    assert "must be 'tiny'" in str(verify(replace(example(), game="lost_cities"), GAMES["tiny"]))


def test_unknown_variant_is_reported() -> None:
    assert "variant 'chess960'" in wrong(replace(example(), variant="chess960"))


def test_wrong_number_of_seats_is_reported() -> None:
    assert "seats 1: tiny" in wrong(replace(example(), seats=example().seats[:1]))


def test_option_left_out_is_reported() -> None:
    assert wrong(replace(example(), options={"rounds": 2})) == (
        "options: 'talk' is missing; every option of the game is named"
    )


def test_unknown_option_is_reported() -> None:
    assert "option 'speed'" in wrong(replace(example(), options={"rounds": 2, "talk": 1, "speed": 1}))


def test_option_out_of_range_is_reported() -> None:
    assert "option talk=3: must be 0 to 2" in wrong(replace(example(), options={"rounds": 2, "talk": 3}))


def test_talks_in_a_game_without_talk_is_reported() -> None:
    written = example("lost_cities-standard-2")
    seats = (written.seats[0], replace(written.seats[1], talks=True))
    assert wrong(replace(written, seats=seats)) == "seats[1].talks: there is no talk in lost_cities"


def test_short_seed_is_reported() -> None:
    assert "seed: must be 32 bytes; it has 3" in wrong(replace(example(), seed=b"abc"))


def test_wrong_commitment_is_reported() -> None:
    assert "commitment" in wrong(replace(example(), commitment=bytes(32)))


def test_commitment_of_another_match_is_reported() -> None:
    assert "commitment" in wrong(replace(example(), match="m-2"))


def test_another_seed_is_reported_at_the_deal() -> None:
    seed = bytes(32)
    found = check(replace(example(), seed=seed, commitment=commitment("m-1", seed)))
    assert found is not None
    assert found.step == 0


# --- the steps ------------------------------------------------------------------------------------------------


def test_missing_deal_is_reported() -> None:
    assert wrong(put(example(), 0)).startswith("step 0: ")


def test_no_steps_at_all_is_reported() -> None:
    assert "step 0: the record ends here; must be chance '" in wrong(replace(example(), steps=()))


def test_wrong_outcome_is_reported() -> None:
    deal = example().steps[0].step
    assert isinstance(deal, Chance)
    other = RecordedStep(Chance("deal", (*deal.outcome[:-1], "")))
    assert wrong(put(example(), 0, other)).startswith("step 0: ")


def test_illegal_action_is_reported_with_the_legal_ones() -> None:
    written = example("lost_cities-standard-2")
    step = RecordedStep(Played(0, "play Q1"), 1.0)
    assert "step 1: action 'play Q1' is not legal; must be one of play " in wrong(put(written, 1, step))


def test_action_of_another_seat_is_reported() -> None:
    written = example("lost_cities-standard-2")
    step = written.steps[1].step.replace(seat=1)
    assert "must be an action of seat 0" in wrong(put(written, 1, RecordedStep(step, 1.0)))


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (DummyPlayed("play 3"), "the dummy's 'play 3': must be an action of seat "),
        (Chance("deal", ("1 2", "3")), "chance 'deal' with '1 2 | 3': must be an action of seat "),
    ],
)
def test_anything_else_in_place_of_an_action_is_named_in_words(step: Chance | DummyPlayed, says: str) -> None:
    written = example("lost_cities-standard-2")
    assert says in wrong(put(written, find(written, Played), RecordedStep(step)))


@pytest.mark.parametrize("number", [None, 1, 7])
def test_wrong_together_is_reported(number: int | None) -> None:
    written = example("land_unter-standard-4")
    step = written.steps[2].step.replace(together=number)
    assert "must be an action of seat 0, together 0" in wrong(put(written, 2, RecordedStep(step, 1.0)))


def test_together_where_one_seat_chose_is_reported() -> None:
    written = example("lost_cities-standard-2")
    step = written.steps[1].step.replace(together=0)
    assert "must be an action of seat 0" in wrong(put(written, 1, RecordedStep(step, 1.0)))


def test_simultaneous_choices_out_of_seat_order_are_reported() -> None:
    written = example("land_unter-standard-4")
    assert wrong(put(written, 2, written.steps[3], written.steps[2], drop=2)).startswith("step 2: ")


def test_forced_decision_left_out_is_reported() -> None:
    playout = PLAYOUTS["land_unter-standard-4"]
    written = record(playout)
    at = next(
        at
        for at, recorded in enumerate(written.steps)
        if isinstance(recorded.step, Played) and recorded.ms == 0
    )
    assert wrong(put(written, at)).startswith(f"step {at}: ")


def test_time_of_a_forced_decision_is_reported() -> None:
    written = example("land_unter-standard-4")
    at = next(at for at, recorded in enumerate(written.steps) if recorded.ms == 0)
    step = written.steps[at].replace(ms=2.5)
    assert (
        wrong(put(written, at, step))
        == f"step {at}: ms 2.5: must be 0, the platform plays a single legal action"
    )


@pytest.mark.parametrize("ms", [None, -1.0, float("nan"), float("inf")])
def test_action_without_a_time_is_reported(ms: float | None) -> None:
    written = example("lost_cities-standard-2")
    assert "step 1: ms " in wrong(put(written, 1, written.steps[1].replace(ms=ms)))


@pytest.mark.parametrize("kind", [Chance, DummyPlayed, Said])
def test_time_of_anything_else_is_reported(kind: type) -> None:
    at = find(example(), kind)
    found = wrong(put(example(), at, example().steps[at].replace(ms=0.0)))
    assert found == f"step {at}: ms: only a seat's action has a time"


def test_records_that_differ_in_times_only_are_both_right() -> None:
    written = example("lost_cities-standard-2")
    assert check(put(written, 1, written.steps[1].replace(ms=99.5))) is None


@pytest.mark.parametrize("kind", [Chance, DummyPlayed, Played])
def test_step_left_out_is_reported(kind: type) -> None:
    at = find(example(), kind)
    assert wrong(put(example(), at)).startswith(f"step {at}: ")


@pytest.mark.parametrize("kind", [Chance, DummyPlayed, Played])
def test_step_written_twice_is_reported(kind: type) -> None:
    at = find(example(), kind)
    assert "step " in wrong(put(example(), at, example().steps[at], example().steps[at]))


def test_step_after_the_end_is_reported() -> None:
    written = example()
    longer = replace(written, steps=(*written.steps, RecordedStep(DummyPlayed("turn 1"))))
    assert wrong(longer) == f"step {len(written.steps)}: the match is over; there must be no further step"


def test_record_that_stops_early_is_reported() -> None:
    written = example("lost_cities-standard-2")
    assert "the record ends here; must be an action of seat" in wrong(
        replace(written, steps=written.steps[:-2])
    )


# --- talk -----------------------------------------------------------------------------------------------------


def said() -> tuple[Record, int, Said]:
    written = example()
    at = find(written, Said)
    step = written.steps[at].step
    assert isinstance(step, Said)
    return written, at, step


def test_silence_that_is_recorded_is_reported() -> None:
    written, at, step = said()
    silent = step.replace(line=SILENCE)
    assert wrong(put(written, at, RecordedStep(silent))) == f"step {at}: silence must not be recorded"


def test_line_over_its_limits_is_reported() -> None:
    written, at, step = said()
    assert "text of 41 bytes" in wrong(put(written, at, RecordedStep(step.replace(line=Line("x" * 41)))))


def test_claim_about_a_seat_that_is_not_there_is_reported() -> None:
    written, at, step = said()
    line = Line("", (Claim("ask", 3, "A", "this"),))
    assert "claim seat 3" in wrong(put(written, at, RecordedStep(step.replace(line=line))))


def test_line_of_a_seat_that_does_not_talk_is_reported() -> None:
    written, at, step = said()
    assert wrong(put(written, at, RecordedStep(step.replace(seat=2)))).startswith("step ")


def test_line_in_a_wrong_round_of_talk_is_reported() -> None:
    written, at, step = said()
    assert wrong(put(written, at, RecordedStep(step.replace(round=1)))).startswith(f"step {at}: ")


def test_line_that_changes_nothing_may_be_another() -> None:
    written, at, step = said()
    assert check(put(written, at, RecordedStep(step.replace(line=Line("else"))))) is None


# --- the result -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scores", (9, 9, 9)),
        ("scores", None),
        ("places", (3, 3, 3)),
        ("places", (1, 2)),
        ("end", "turn limit"),
        ("end", "resigned"),
        ("detail", {}),
        ("detail", None),
    ],
)
def test_wrong_result_is_reported(field: str, value: Any) -> None:
    written = example()
    found = wrong(replace(written, result=replace(written.result, **{field: value})))
    assert found.startswith(f"result.{field} ")


def test_detail_is_compared_as_json() -> None:
    written = example()
    detail = {"cards": [float(card) for card in written.result.detail["cards"]]}  # type: ignore[index, union-attr, arg-type]
    assert wrong(replace(written, result=replace(written.result, detail=detail))).startswith("result.detail ")


# --- faults ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAYOUTS)
@pytest.mark.parametrize("kind", [FaultKind.CRASH, FaultKind.PROTOCOL])
def test_fault_after_any_point_is_accepted(name: str, kind: FaultKind) -> None:
    playout = PLAYOUTS[name]
    for points in range(0, min(200, len(playout.points)), 9):
        assert check(faulty(playout, points, 1, kind)) is None


@pytest.mark.parametrize("kind", [FaultKind.ILLEGAL_ACTION, FaultKind.TIMEOUT])
@pytest.mark.parametrize("name", ["lost_cities-standard-2", "land_unter-standard-4"])
def test_fault_in_choosing_is_accepted_only_where_the_seat_was_asked(name: str, kind: FaultKind) -> None:
    playout = PLAYOUTS[name]
    for points, point in enumerate(playout.points[:60]):
        choosing = {
            choice.seat: len(playout.configuration.game.legal(point.state, choice.seat))
            for choice in point.decisions
        }
        for seat in range(playout.setup.seats):
            found = check(faulty(playout, points, seat, kind))
            assert (found is None) == (choosing.get(seat, 0) > 1)


def test_fault_in_choosing_may_follow_a_silent_round_of_talk() -> None:
    playout = PLAYOUTS["tiny-standard-3"]
    talk, vote = playout.points[:2]
    assert isinstance(talk.decisions[0], Talk)
    assert isinstance(vote.decisions[0], Choice)
    asked = [seat for seat in range(3) if len(playout.configuration.game.legal(vote.state, seat)) > 1]
    forced = [seat for seat in range(3) if seat not in asked]
    assert check(faulty(playout, 0, asked[0], FaultKind.TIMEOUT)) is None
    assert "must be that of a seat that was asked" in wrong(faulty(playout, 0, forced[0], FaultKind.TIMEOUT))


@pytest.mark.parametrize("name", ["tiny-standard-3", "land_unter-standard-4"])
def test_fault_within_a_simultaneous_point_is_reported(name: str) -> None:
    playout = PLAYOUTS[name]
    points = 1  # in the tiny game the first point is talk
    written = faulty(playout, points, 1)
    more = record(playout).steps[len(written.steps)]
    longer = replace(written, steps=(*written.steps, more))
    assert "the record ends here" in wrong(longer)


def test_fault_without_the_chance_that_followed_is_reported() -> None:
    playout = PLAYOUTS["land_unter-standard-4"]
    points = next(at for at, point in enumerate(playout.points) if isinstance(point.steps[-1], Chance)) + 1
    written = faulty(playout, points, 1)
    assert "the record ends here; must be chance '" in wrong(replace(written, steps=written.steps[:-1]))


def test_fault_without_the_chance_at_the_start_is_reported() -> None:
    written = faulty(PLAYOUTS["land_unter-standard-4"], 0, 1)
    assert check(written) is None
    assert "step 1: the record ends here" in wrong(replace(written, steps=written.steps[:1]))


def test_fault_after_the_end_is_reported() -> None:
    playout = PLAYOUTS["lost_cities-standard-2"]
    assert "the match was over" in wrong(faulty(playout, len(playout.points), 1))


@pytest.mark.parametrize("places", [(1, 2), (2, 2), (1, 1)])
def test_wrong_places_of_a_fault_are_reported(places: tuple[int, ...]) -> None:
    written = faulty(PLAYOUTS["lost_cities-standard-2"], 5, 0)
    assert "result.places" in wrong(replace(written, result=replace(written.result, places=places)))


def test_places_of_a_fault_are_the_number_of_seats_and_1_for_all_others() -> None:
    assert faulty(PLAYOUTS["land_unter-standard-4"], 5, 2).result.places == (1, 1, 4, 1)


def test_fault_of_a_seat_that_is_not_there_is_reported() -> None:
    written = faulty(PLAYOUTS["lost_cities-standard-2"], 5, 0)
    ending = replace(written.result, fault=SeatFault(2, FaultKind.CRASH, ""))
    assert "result.fault.seat 2: must be 0 to 1" in wrong(replace(written, result=ending))


@pytest.mark.parametrize(("field", "value"), [("scores", (0, 0)), ("detail", {}), ("end", "completed")])
def test_anything_else_beside_a_fault_is_reported(field: str, value: Any) -> None:
    written = faulty(PLAYOUTS["lost_cities-standard-2"], 5, 0)
    assert f"result.{field}" in wrong(replace(written, result=replace(written.result, **{field: value})))


def test_end_by_fault_without_a_fault_is_reported() -> None:
    written = example()
    assert "result.end 'fault'" in wrong(replace(written, result=replace(written.result, end="fault")))
