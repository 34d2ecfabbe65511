"""A match traced along its record: the same asks that the session made when it was played."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from arena.devtools.decision_trace import Moment, retrace
from arena.games.kernel import SILENCE, Answer, Claim, Line
from arena.games.registry import GAMES
from arena.match.clock import STANDARD
from arena.match.faults import FaultKind
from arena.match.record import Participant, Record, from_json, to_json
from arena.match.session import Session
from arena.match.session_events import AskSeat, Event, Finished

SEED = bytes(range(32))


@dataclass
class Witness:
    """Plays a match at random, and writes down what was asked: the ask, the view, and the answer."""

    session: Session
    chance: Random
    stop_after: int
    now_ms: float = 0.0

    def play(self) -> tuple[Record, list[tuple[AskSeat, Any, Answer | None]]]:
        asked: list[tuple[AskSeat, Any, Answer | None]] = []
        open_asks: list[tuple[AskSeat, Any]] = []
        events: list[Event] = self.session.begin()
        while True:
            for event in events:
                if isinstance(event, Finished):
                    return event.record, asked + [(ask, view, None) for ask, view in open_asks]
                self.session.opened(event.seat, event.decision, self.now_ms)
                open_asks.append((event, self.session.view(event.seat)))
            ask, view = open_asks.pop(self.chance.randrange(len(open_asks)))
            self.now_ms += self.chance.randrange(1, 50) / 10
            if len(asked) >= self.stop_after and ask.actions:
                open_asks.append((ask, view))
                self.session.fault(ask.seat, FaultKind.CRASH, "gone", self.now_ms)
                events = self.session.expire(self.now_ms)
                continue
            answer = self.answer(ask)
            asked.append((ask, view, answer))
            if isinstance(answer, Line):
                events = self.session.say(ask.seat, ask.decision, answer, self.now_ms)
            else:
                index = ask.actions.index(answer)
                events = self.session.answer(ask.seat, ask.decision, index, self.now_ms)

    def answer(self, ask: AskSeat) -> Answer:
        if ask.talk is None:
            return self.chance.choice(ask.actions)
        if self.chance.random() < 0.5:
            return SILENCE
        claims = [Claim(ask.talk.kinds[0], 0, ask.talk.votes[0], ask.talk.whens[0])] if ask.talk.kinds else []
        return Line(f"word {ask.decision}", tuple(claims))


def witnessed(game: str, stop_after: int) -> tuple[Record, list[tuple[AskSeat, Any, Answer | None]]]:
    rules = GAMES[game]
    seats = next(iter(rules.variants.values()))[-1]
    talks = tuple(rules.has_talk and seat != 1 for seat in range(seats))
    session = Session(
        rules,
        rules.setup(seats, talks=talks),
        match="m",
        seed=SEED,
        participants=[Participant(f"bot{seat}", "1", talks[seat]) for seat in range(seats)],
        time=STANDARD,
    )
    record, asked = Witness(session, Random(7), stop_after).play()
    return from_json(to_json(record)), asked


def shown(moment: Moment) -> tuple[object, ...]:
    ask = moment.ask
    return (ask.decision, ask.actions, ask.talk, ask.seen, moment.view, moment.answer)


@pytest.mark.parametrize("stop_after", [10**6, 40, 41, 42, 0])
@pytest.mark.parametrize("game", GAMES)
def test_each_seat_is_asked_again_what_it_was_asked(game: str, stop_after: int) -> None:
    record, asked = witnessed(game, stop_after)
    answered = {point for point, _, answer in asked if answer is not None}
    for seat in range(len(record.seats)):
        mine = sorted(
            (entry for entry in asked if entry[0].seat == seat), key=lambda entry: entry[0].decision
        )
        moments = list(retrace(record, seat))
        assert [moment.ask.decision for moment in moments] == [ask.decision for ask, _, _ in mine]
        for moment, (ask, view, answer) in zip(moments, mine, strict=True):
            assert shown(moment)[:5] == (ask.decision, ask.actions, ask.talk, ask.seen, view)
            assert moment.ask.bank_ms == pytest.approx(ask.bank_ms, abs=1)
            assert moment.ask.limit_ms == pytest.approx(ask.limit_ms, abs=1)
            assert moment.answer == answer or moment.answer in {None, SILENCE}
    assert answered or stop_after == 0


@pytest.mark.parametrize("game", GAMES)
def test_answers_of_a_whole_match_and_their_steps_are_those_of_the_record(game: str) -> None:
    record, asked = witnessed(game, 10**6)
    for seat in range(len(record.seats)):
        moments = list(retrace(record, seat))
        mine = sorted(
            (entry for entry in asked if entry[0].seat == seat), key=lambda entry: entry[0].decision
        )
        assert [moment.answer for moment in moments] == [answer for _, _, answer in mine]
        for moment in moments:
            if moment.answer != SILENCE:
                step = record.steps[moment.step].step
                assert moment.answer in {getattr(step, "action", None), getattr(step, "line", None)}


def test_a_clock_that_would_have_run_out_stands_at_nought() -> None:
    from arena.match.clock import parse_time_control

    record, _ = witnessed("lost_cities", 10**6)
    banks = [moment.ask.bank_ms for moment in retrace(record, 0, parse_time_control("0.01+0"))]
    assert banks[0] == 10
    assert banks[-1] == 0
