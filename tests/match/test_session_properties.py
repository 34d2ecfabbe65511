"""Whatever bots do and in whatever order it arrives, a match ends with a record that fits what was done."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.kernel import Line, Played
from arena.match.faults import FaultKind
from arena.match.session import Session
from arena.match.session_events import DecisionRequested, Event, MatchFinished
from tests.examples import scaled
from tests.match.test_session import TIME, new_session

KINDS = (FaultKind.CRASH, FaultKind.PROTOCOL)


class Table:
    """Plays a session from drawn choices and watches what must always hold."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.now = 0.0
        self.open: dict[int, DecisionRequested] = {}
        self.last: dict[int, int] = {}
        self.ended: list[MatchFinished] = []
        self.take(session.begin())

    def take(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, MatchFinished):
                self.ended.append(event)
                continue
            assert event.decision > self.last.get(event.seat, 0)
            assert 0 <= event.limit_ms <= max(TIME.cap_ms, TIME.talk_ms)
            self.last[event.seat] = event.decision
            self.open[event.seat] = event
            self.session.opened(event.seat, event.decision, self.now)


def drive(data: st.DataObject, table: Table, *, faulty: bool) -> None:
    session = table.session
    seats = session.setup.seats
    while not session.over:
        table.now += data.draw(st.sampled_from((0.0, 0.0, 1.5, 30.0, *((300.0,) if faulty else ()))))
        deed = data.draw(st.sampled_from(("answer",) * 12 + (("fault", "stray", "late") if faulty else ())))
        seat = data.draw(st.integers(0, seats - 1))
        if deed == "fault":
            table.take(session.fault(seat, data.draw(st.sampled_from(KINDS)), "drawn", table.now))
        elif deed == "stray":
            table.take(session.answer(seat, data.draw(st.integers(0, 9)), 0, table.now))
        elif deed == "late":
            table.take(session.expire(table.now))
        elif table.open:
            ask = table.open.pop(data.draw(st.sampled_from(sorted(table.open))))
            if ask.talk is not None:
                table.take(
                    session.say(
                        ask.seat, ask.decision, Line(data.draw(st.sampled_from(("", "hi")))), table.now
                    )
                )
            else:
                index = data.draw(st.integers(0, len(ask.actions) - 1))
                table.take(session.answer(ask.seat, ask.decision, index, table.now))
        if session.next_deadline() <= table.now:
            table.take(session.expire(table.now))


@given(st.data(), st.integers(2, 4), st.booleans())
@settings(max_examples=scaled(60))
def test_good_answers_in_any_order_end_in_a_result(data: st.DataObject, seats: int, talk: bool) -> None:  # noqa: FBT001
    session = new_session(seats, talks=(talk,) * seats)
    table = Table(session)
    drive(data, table, faulty=False)
    (ended,) = table.ended
    record = ended.record
    if record.result.end == "completed":
        played = [step.step for step in record.steps if isinstance(step.step, Played)]
        assert [(step.seat, step.together) for step in played] == [
            (seat, point) for point in range(3) for seat in range(seats)
        ]
    else:
        assert record.result.fault is not None
        assert record.result.fault.kind is FaultKind.TIMEOUT


@given(st.data(), st.integers(2, 4), st.booleans())
@settings(max_examples=scaled(100))
def test_any_misbehaviour_ends_in_one_whole_record(data: st.DataObject, seats: int, talk: bool) -> None:  # noqa: FBT001
    session = new_session(seats, talks=(talk,) * seats)
    table = Table(session)
    drive(data, table, faulty=True)
    (ended,) = table.ended
    result = ended.record.result
    if result.fault is not None:
        places = [seats if seat == result.fault.seat else 1 for seat in range(seats)]
        assert list(result.places) == places
    for recorded in ended.record.steps:
        assert (recorded.ms is not None) == isinstance(recorded.step, Played)
        assert recorded.ms is None or recorded.ms == round(recorded.ms, 1) >= 0
    assert session.expire(table.now + 10_000) == []


@given(st.permutations(range(4)), st.sets(st.integers(0, 3), min_size=1))
def test_faults_of_one_instant_charge_the_lowest_seat_in_any_order(
    order: list[int], guilty: set[int]
) -> None:
    session = new_session(4)
    session.begin()
    for seat in order:
        if seat in guilty:
            session.fault(seat, FaultKind.CRASH, "gone", 5.0)
    (event,) = session.expire(5.0)
    assert isinstance(event, MatchFinished)
    assert event.record.result.fault is not None
    assert event.record.result.fault.seat == min(guilty)
