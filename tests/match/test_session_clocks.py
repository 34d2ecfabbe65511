from math import inf

from arena.match.clock import TimeControl
from arena.match.faults import FaultKind
from tests.match.test_session import TIME, asks, fault_of, finished, new_session, open_all


def test_clock_runs_from_the_moment_the_ask_is_handed_over() -> None:
    session = new_session(2)
    ask = asks(session.begin())[1]
    assert session.next_deadline() == inf
    session.opened(1, ask.decision, 5000)
    assert session.next_deadline() == 5000 + TIME.cap_ms


def test_bank_loses_what_a_decision_took_and_gains_the_increment() -> None:
    session = new_session(2)
    ask = open_all(session, session.begin(), 0)[1]
    events = session.answer(1, ask.decision, 0, 250)
    ask = open_all(session, events, 250)[0]
    assert ask.bank_ms == 1000
    ask = open_all(session, session.answer(0, ask.decision, 0, 260), 260)[1]
    assert ask.bank_ms == 1000 - 250 + 100


def test_forced_move_takes_no_time_and_earns_no_increment() -> None:
    session = new_session(2, rounds=2)
    ask = open_all(session, session.begin(), 0)[1]
    assert open_all(session, session.answer(1, ask.decision, 0, 10), 10)[0].bank_ms == TIME.base_ms


def test_decision_may_take_the_cap_or_the_bank_whichever_is_less() -> None:
    session = new_session(2, time=TimeControl(base_ms=500, increment_ms=0, cap_ms=300, talk_ms=0))
    ask = open_all(session, session.begin(), 0)[1]
    assert ask.limit_ms == 300
    ask = open_all(session, session.answer(1, ask.decision, 0, 300), 300)[0]
    ask = open_all(session, session.answer(0, ask.decision, 0, 300), 300)[1]
    assert ask.limit_ms == 200


def test_clock_that_runs_out_is_a_timeout() -> None:
    session = new_session(2)
    open_all(session, session.begin(), 0)
    assert session.expire(399.9) == []
    fault = fault_of(session.expire(400))
    assert (fault.seat, fault.kind) == (1, FaultKind.TIMEOUT)
    assert fault.message == (
        "decision 2: no answer within 400 ms, the most for one decision, with 1.0 s left in its bank; "
        "it had thought for 0.0 s in 0 decisions, its time is 1 s and 0.1 s more for each"
    )


def test_timeout_says_what_was_used_in_the_whole_match() -> None:
    time = TimeControl(base_ms=1_000, increment_ms=100, cap_ms=700, talk_ms=0)
    session = new_session(2, rounds=9, time=time)
    now_ms, answered, events = 0.0, 0, session.begin()
    while answered < 2:  # Seat 1 thinks for half a second each time, seat 0 for no time.
        open_ = open_all(session, events, now_ms)
        seat, ask = next(iter(open_.items()))
        now_ms += 500 * seat
        answered += seat
        events = session.answer(seat, ask.decision, 0, now_ms)
    while 1 not in (open_ := open_all(session, events, now_ms)):
        events = session.answer(0, open_[0].decision, 0, now_ms)
    fault = fault_of(session.expire(now_ms + 200))
    assert fault.seat == 1
    assert fault.message.endswith(
        "no answer within 200 ms, all that was left of its bank; "
        "it had thought for 1.0 s in 2 decisions, its time is 1 s and 0.1 s more for each"
    )


def test_time_that_was_excused_is_not_among_what_was_used() -> None:
    session = new_session(2)
    ask = open_all(session, session.begin(), 0)[1]
    session.excuse(1, ask.decision, 300)
    ask = open_all(session, session.answer(1, ask.decision, 0, 350), 350)[0]
    open_all(session, session.answer(0, ask.decision, 0, 350), 350)
    assert "it had thought for 0.1 s in 1 decision," in fault_of(session.expire(2_000)).message


def test_answer_at_the_last_instant_counts() -> None:
    session = new_session(2, rounds=1)
    ask = open_all(session, session.begin(), 0)[1]
    assert finished(session.answer(1, ask.decision, 0, 400)).result.end == "completed"


def test_answer_after_the_last_instant_is_a_timeout() -> None:
    session = new_session(2, rounds=1)
    ask = open_all(session, session.begin(), 0)[1]
    assert fault_of(session.answer(1, ask.decision, 0, 400.1)).kind is FaultKind.TIMEOUT


def test_timeout_before_another_seats_fault_counts() -> None:
    session = new_session(3)
    asked = asks(session.begin())
    session.opened(2, asked[2].decision, 0)
    session.opened(1, asked[1].decision, 10)
    assert fault_of(session.fault(0, FaultKind.CRASH, "gone", 405)).seat == 2


def test_timeouts_at_one_instant_charge_the_lowest_seat() -> None:
    session = new_session(3)
    open_all(session, session.begin(), 0)
    assert fault_of(session.expire(1000)).seat == 1


def test_timeout_and_crash_at_one_instant_charge_the_lowest_seat() -> None:
    session = new_session(3)
    open_all(session, session.begin(), 0)
    session.fault(2, FaultKind.CRASH, "gone", 400)
    fault = fault_of(session.expire(400))
    assert (fault.seat, fault.kind) == (1, FaultKind.TIMEOUT)


def test_ask_that_is_repeated_has_the_time_that_is_left() -> None:
    session = new_session(2)
    ask = open_all(session, session.begin(), 0)[1]
    again = session.again(1, 150)
    assert again is not None
    assert (again.decision, again.limit_ms, again.seen) == (ask.decision, 250, ())
    assert session.again(0, 150) is None


def test_time_that_is_excused_moves_the_deadline_and_is_not_taken_off_the_bank() -> None:
    session = new_session(2)
    ask = open_all(session, session.begin(), 0)[1]
    late = TIME.cap_ms + 40
    assert [each.seat for each in session.overdue(late)] == [1]
    session.excuse(1, ask.decision, 100)
    assert session.overdue(late) == ()
    assert session.next_deadline() == TIME.cap_ms + 100
    ask = open_all(session, session.answer(1, ask.decision, 0, late), late)[0]
    ask = open_all(session, session.answer(0, ask.decision, 0, late), late)[1]
    assert ask.bank_ms == TIME.base_ms - (late - 100) + TIME.increment_ms


def test_an_excuse_for_another_decision_changes_nothing() -> None:
    session = new_session(2)
    ask = open_all(session, session.begin(), 0)[1]
    session.excuse(1, ask.decision + 1, 100)
    session.excuse(0, ask.decision, 100)
    assert session.next_deadline() == TIME.cap_ms
