import pytest

from arena.games.kernel import SILENCE, Chance, Line, Played, Said
from arena.match.clock import TimeControl
from arena.match.faults import FaultKind, SeatFault
from arena.match.forfeit import forfeit
from arena.match.record import Participant, Record
from arena.match.session import Session
from arena.match.session_events import DecisionRequested, Event, MatchFinished
from tests.match.parley import LIMITS, PARLEY

TIME = TimeControl(base_ms=1000, increment_ms=100, cap_ms=400, talk_ms=50)


def new_session(
    seats: int = 2, *, rounds: int = 3, talks: tuple[bool, ...] = (), time: TimeControl = TIME
) -> Session:
    talks = talks or (False,) * seats
    return Session(
        PARLEY,
        PARLEY.setup(seats, options={"rounds": rounds}, talks=talks),
        match="m1",
        seed=bytes(32),
        participants=tuple(Participant(f"bot{seat}", "1", talks[seat]) for seat in range(seats)),
        time=time,
    )


def asks(events: list[Event]) -> dict[int, DecisionRequested]:
    return {event.seat: event for event in events if isinstance(event, DecisionRequested)}


def open_all(session: Session, events: list[Event], at_ms: float) -> dict[int, DecisionRequested]:
    for ask in asks(events).values():
        session.opened(ask.seat, ask.decision, at_ms)
    return asks(events)


def finished(events: list[Event]) -> Record:
    (event,) = [event for event in events if isinstance(event, MatchFinished)]
    return event.record


def fault_of(events: list[Event]) -> SeatFault:
    fault = finished(events).result.fault
    assert fault is not None
    return fault


def test_match_asks_whoever_has_a_choice_and_ends_with_the_result() -> None:
    session = new_session(2, rounds=2)
    first = open_all(session, session.begin(), 0)
    assert list(first) == [1]  # seat 0 has a single legal action
    second = open_all(session, session.answer(1, first[1].decision, 2, 5), 5)
    assert list(second) == [0]
    record = finished(session.answer(0, second[0].decision, 1, 8))
    assert (record.result.scores, record.result.places, record.result.end) == ((1, 2), (2, 1), "completed")


def test_record_has_each_step_with_its_time_in_tenths() -> None:
    session = new_session(2, rounds=1)
    (ask,) = open_all(session, session.begin(), 10).values()
    record = finished(session.answer(1, ask.decision, 1, 13.14159))
    assert [(each.step, each.ms) for each in record.steps] == [
        (Chance("deal", ("A B", "C")), None),
        (Played(0, "pick 0", 0), 0.0),
        (Played(1, "pick 1", 0), 3.1),
        (Chance("turn", ("1",)), None),
    ]


def test_simultaneous_choices_are_recorded_in_seat_order_whoever_answers_first() -> None:
    session = new_session(3, rounds=1)
    asked = open_all(session, session.begin(), 0)
    assert session.answer(2, asked[2].decision, 2, 1) == []
    record = finished(session.answer(1, asked[1].decision, 0, 2))
    played = [each.step for each in record.steps if isinstance(each.step, Played)]
    assert played == [Played(0, "pick 0", 0), Played(1, "pick 0", 0), Played(2, "pick 2", 0)]


def test_decision_numbers_grow_with_gaps() -> None:
    session = new_session(2, rounds=3)
    numbers = []
    events = session.begin()
    while not session.over:
        (ask,) = open_all(session, events, 0).values()
        numbers.append(ask.decision)
        events = session.answer(ask.seat, ask.decision, 0, 0)
    assert numbers == [2, 3, 6]


def test_ask_tells_what_the_seat_has_seen_since_its_last_ask() -> None:
    session = new_session(2, rounds=3)
    first = open_all(session, session.begin(), 0)
    assert first[1].seen == (Chance("deal", ("? ?", "?")),)
    second = open_all(session, session.answer(1, first[1].decision, 1, 0), 0)
    assert second[0].seen == (
        Chance("deal", ("A B", "?")),
        Played(0, "pick 0", 0),
        Played(1, "pick ?", 0),
        Chance("turn", ("1",)),
    )
    third = open_all(session, session.answer(0, second[0].decision, 1, 0), 0)
    assert third[1].seen[-3:] == (Played(0, "pick ?", 1), Played(1, "pick 0", 1), Chance("turn", ("2",)))


def test_history_is_told_once() -> None:
    session = new_session(2, rounds=2)
    first = open_all(session, session.begin(), 0)
    session.answer(1, first[1].decision, 1, 0)
    assert session.history(1)[0] == Chance("deal", ("? ?", "?"))
    assert session.unseen(1) == ()


def test_public_sees_what_every_seat_sees() -> None:
    session = new_session(2)
    session.begin()
    assert session.public(0) == ((Chance("deal", ("? ?", "?")),), 1)
    assert session.public(1) == ((), 1)


# --- talk -----------------------------------------------------------------------------------------------------


def test_line_of_talk_is_recorded_and_silence_is_not() -> None:
    session = new_session(2, rounds=1, talks=(True, True))
    asked = open_all(session, session.begin(), 0)
    assert asked[0].talk == LIMITS
    assert asked[0].actions == ()
    session.say(1, asked[1].decision, SILENCE, 1)
    (ask,) = open_all(session, session.say(0, asked[0].decision, Line("hello"), 2), 2).values()
    record = finished(session.answer(1, ask.decision, 0, 3))
    assert [each.step for each in record.steps if isinstance(each.step, Said)] == [Said(0, Line("hello"), 0)]


def test_only_those_who_talk_are_asked_to() -> None:
    session = new_session(2, talks=(False, True))
    assert list(asks(session.begin())) == [1]


def test_talk_that_runs_out_is_silence_and_leaves_the_bank_alone() -> None:
    session = new_session(2, rounds=1, talks=(False, True))
    open_all(session, session.begin(), 0)
    assert session.next_deadline() == TIME.talk_ms
    (ask,) = open_all(session, session.expire(TIME.talk_ms), TIME.talk_ms).values()
    assert ask.bank_ms == TIME.base_ms


def test_line_that_comes_too_late_is_no_fault() -> None:
    session = new_session(2, rounds=1, talks=(False, True))
    talk = open_all(session, session.begin(), 0)[1]
    choice = open_all(session, session.expire(TIME.talk_ms), TIME.talk_ms)[1]
    assert session.say(1, talk.decision, Line("late"), TIME.talk_ms + 1) == []
    assert finished(session.answer(1, choice.decision, 0, TIME.talk_ms + 2)).result.end == "completed"


def test_second_late_line_is_a_fault() -> None:
    session = new_session(2, rounds=1, talks=(False, True))
    talk = open_all(session, session.begin(), 0)[1]
    open_all(session, session.expire(TIME.talk_ms), TIME.talk_ms)
    session.say(1, talk.decision, SILENCE, 51)
    session.say(1, talk.decision, SILENCE, 52)
    assert fault_of(session.expire(52)).kind is FaultKind.PROTOCOL


def test_line_that_breaks_its_limits_is_a_protocol_fault() -> None:
    session = new_session(2, talks=(False, True))
    talk = open_all(session, session.begin(), 0)[1]
    session.say(1, talk.decision, Line("x" * 21), 1)
    fault = fault_of(session.expire(1))
    assert fault.kind is FaultKind.PROTOCOL
    assert "21 bytes: at most 20" in fault.message


# --- faults ---------------------------------------------------------------------------------------------------


def test_fault_costs_the_last_place_and_leaves_the_point_out() -> None:
    session = new_session(3)
    asked = open_all(session, session.begin(), 0)
    session.answer(1, asked[1].decision, 0, 1)
    session.answer(2, asked[2].decision, 3, 2)
    record = finished(session.expire(2))
    assert record.result.places == (1, 1, 3)
    assert (record.result.end, record.result.scores, record.result.detail) == ("fault", None, None)
    assert [each.step for each in record.steps] == [Chance("deal", ("A B", "C"))]


def test_index_that_was_not_offered_is_an_illegal_action_with_the_actions_in_its_message() -> None:
    session = new_session(2)
    ask = open_all(session, session.begin(), 0)[1]
    session.answer(1, ask.decision, 3, 1)
    fault = fault_of(session.expire(1))
    assert fault == SeatFault(
        1,
        FaultKind.ILLEGAL_ACTION,
        "decision 2, action 3: must be 0 to 2, the index of one of pick 0, pick 1, pick 2",
    )


@pytest.mark.parametrize(
    ("number", "words"),
    [(1, "it is past"), (9, "it was not asked; the one that is open is 2")],
)
def test_answer_to_another_decision_is_a_protocol_fault(number: int, words: str) -> None:
    session = new_session(2)
    open_all(session, session.begin(), 0)
    session.answer(1, number, 0, 1)
    fault = fault_of(session.expire(1))
    assert fault.kind is FaultKind.PROTOCOL
    assert words in fault.message


def test_second_answer_to_a_decision_is_a_protocol_fault() -> None:
    session = new_session(3)
    ask = open_all(session, session.begin(), 0)[1]
    session.answer(1, ask.decision, 0, 1)
    session.answer(1, ask.decision, 0, 2)
    assert "answered once; none is open" in fault_of(session.expire(2)).message


def test_answer_before_the_ask_was_sent_is_a_protocol_fault() -> None:
    session = new_session(2)
    ask = asks(session.begin())[1]
    session.answer(1, ask.decision, 0, 1)
    assert "it was not asked" in fault_of(session.expire(1)).message


def test_line_for_a_choice_is_a_protocol_fault() -> None:
    session = new_session(2)
    ask = open_all(session, session.begin(), 0)[1]
    session.say(1, ask.decision, SILENCE, 1)
    assert "answer it with Answer" in fault_of(session.expire(1)).message


def test_action_for_talk_is_a_protocol_fault() -> None:
    session = new_session(2, talks=(True, False))
    ask = open_all(session, session.begin(), 0)[0]
    session.answer(0, ask.decision, 0, 1)
    assert "answer it with Say" in fault_of(session.expire(1)).message


def test_first_of_two_faults_counts() -> None:
    session = new_session(3)
    session.begin()
    session.fault(2, FaultKind.CRASH, "first", 1)
    assert fault_of(session.fault(0, FaultKind.CRASH, "second", 2)).seat == 2


def test_of_two_faults_at_one_instant_the_lowest_seat_counts() -> None:
    session = new_session(3)
    session.begin()
    session.fault(2, FaultKind.CRASH, "two", 1)
    session.fault(0, FaultKind.PROTOCOL, "zero", 1)
    session.fault(1, FaultKind.CRASH, "one", 1)
    assert fault_of(session.expire(1)).seat == 0


def test_nothing_counts_after_a_fault() -> None:
    session = new_session(3)
    asked = open_all(session, session.begin(), 0)
    session.fault(0, FaultKind.CRASH, "gone", 1)
    session.answer(1, asked[1].decision, 0, 1)
    assert session.answer(2, asked[2].decision, 0, 1) == []
    assert finished(session.expire(1)).result.end == "fault"
    assert session.answer(2, asked[2].decision, 0, 2) == []
    assert session.fault(2, FaultKind.CRASH, "late", 3) == []


def test_fault_is_due_at_once() -> None:
    session = new_session(2)
    session.begin()
    session.fault(0, FaultKind.CRASH, "gone", 7)
    assert session.next_deadline() == 7


def test_match_that_is_forfeited_before_it_begins_has_its_deal_and_no_other_step() -> None:
    session = new_session()
    dealt = len(session.recorded(0)[0])
    record = forfeit(session, SeatFault(1, FaultKind.CRASH, "it did not start"))
    assert record.result.fault == SeatFault(1, FaultKind.CRASH, "it did not start")
    assert record.result.places == (1, 2)
    assert len(record.steps) == dealt
