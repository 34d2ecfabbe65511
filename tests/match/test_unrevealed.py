"""In any game: what others chose or said at the same point reaches nobody before all have answered."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games import codec as game_codec
from arena.games.kernel import Line, Step
from arena.match.clock import TimeControl
from arena.match.record import Participant
from arena.match.session import Session
from arena.match.session_events import DecisionRequested, Event
from tests.examples import scaled
from tests.games.playing import TABLES, Configuration, codec, play

SIMULTANEOUS = {
    str(table): table
    for table in TABLES
    if any(len(point.decisions) > 1 for point in play(table, bytes(32), random.Random(1)).points)
}


def answer(session: Session, ask: DecisionRequested, number: int) -> list[Event]:
    """Return an answer; another number is another one."""
    if ask.talk is not None:
        return session.say(ask.seat, ask.decision, Line(f"number {number}"), 0.0)
    return session.answer(ask.seat, ask.decision, number % len(ask.actions), 0.0)


def play_on(table: Configuration, seed: int) -> tuple[Session, list[DecisionRequested]]:
    """Play random matches, the last of them up to some point where several seats are asked."""
    chooser = random.Random(seed)
    asks: list[DecisionRequested] = []
    while not asks:
        session, asks = play_one(table, chooser)
    return session, asks


def play_one(table: Configuration, chooser: random.Random) -> tuple[Session, list[DecisionRequested]]:
    """Play a random match; it may end before there is such a point."""
    setup = table.setup()
    session = Session(
        table.game,
        setup,
        match="m1",
        seed=chooser.randbytes(32),
        participants=tuple([Participant("bot", "1", talks) for talks in setup.talks]),
        time=TimeControl(),
    )
    events = session.begin()
    while asks := [event for event in events if isinstance(event, DecisionRequested)]:
        for ask in asks:
            session.opened(ask.seat, ask.decision, 0.0)
        if len(asks) > 1 and chooser.random() < 0.1:
            return session, asks
        for ask in asks:
            events = answer(session, ask, chooser.randrange(60))
    return session, []


def shown(session: Session, seat: int) -> tuple[object, ...]:
    """Return all that a seat and the public can be told, as it travels."""
    steps: tuple[Step, ...] = (*session.history(seat), *session.public(0)[0])
    view = codec(session.game.id).encode(session.view(seat))
    return (
        view,
        session.again(seat, 0.0),
        [game_codec.step_to_proto(step).SerializeToString() for step in steps],
    )


def let_others_answer(session: Session, asks: list[DecisionRequested], seat: int, number: int) -> None:
    for ask in asks:
        if ask.seat != seat:
            assert answer(session, ask, number) == []


@pytest.mark.parametrize("name", SIMULTANEOUS)
@settings(max_examples=scaled(25))
@given(seed=st.integers(0, 1 << 32), number=st.integers(0, 59), place=st.integers(0, 5))
def test_unrevealed_answers_do_not_show(name: str, seed: int, number: int, place: int) -> None:
    one, asks = play_on(SIMULTANEOUS[name], seed)
    other, _ = play_on(SIMULTANEOUS[name], seed)
    seat = asks[place % len(asks)].seat
    before = shown(one, seat)
    let_others_answer(one, asks, seat, number)
    let_others_answer(other, asks, seat, number + 1)
    assert shown(one, seat) == shown(other, seat) == before


@pytest.mark.parametrize(
    "name", [name for name in SIMULTANEOUS if name.startswith(("lifeboats", "land_unter"))]
)
def test_they_show_once_all_have_answered(name: str) -> None:
    told = []
    for number in (0, 1):
        session, asks = play_on(SIMULTANEOUS[name], 3)
        let_others_answer(session, asks, asks[0].seat, number)
        answer(session, asks[0], 0)
        told.append(session.history(asks[0].seat))
    assert told[0] != told[1]
