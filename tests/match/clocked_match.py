"""A match of a session with drawn thinking times, and its clocks as every other part of the arena tells them."""

from __future__ import annotations

import random
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.devtools.decision_trace import retrace
from arena.games.kernel import SILENCE, Claim, Line, Played, Said
from arena.games.registry import GAMES
from arena.match.record import Participant, Record, RecordedStep, from_json, to_json
from arena.match.session import Session
from arena.match.session_events import DecisionRequested, Event, MatchFinished
from arena.messaging.live_steps import Frame
from arena.referee_client.seat_events import SeatDecision
from arena.reports.live_matches import LiveMatch
from arena.web.live.running_match import Running
from arena.web.matches.replay_points import replay
from arena.web.play import human_game
from arena.web.play.game_request import GameRequest
from arena.web.play.opponents import HouseOpponent

if TYPE_CHECKING:
    import pytest

    from arena.match.clock import TimeControl

SEED = bytes(range(32))
THINKING_MS = (0.0, 0.0, 0.04, 0.04, 0.05, 0.06, 1.5, 33.33, 250.0)
"""How long an answer takes, by lot; 0.0 and 0.04 are both written as 0 in a record."""


@dataclass(frozen=True)
class Asked:
    """A decision of a match: after how many steps it was asked, and how long the seat thought, None without an answer."""

    steps: int
    ask: DecisionRequested
    thought_ms: float | None


@dataclass(frozen=True)
class ClockedMatch:
    """A match as it was played: `frames` are what its worker sent to the web, each with the number of steps after it."""

    record: Record
    time: TimeControl
    asked: tuple[Asked, ...]
    frames: tuple[tuple[int, Frame], ...]

    @property
    def talks(self) -> tuple[bool, ...]:
        return tuple(seat.talks for seat in self.record.seats)


@dataclass
class Player:
    """Plays a session to its end: answers and times are drawn, in any order where several seats are asked."""

    session: Session
    chance: random.Random
    thinking_ms: tuple[float, ...]
    now_ms: float = 0.0
    asked: list[Asked] = field(default_factory=list)
    frames: list[tuple[int, Frame]] = field(default_factory=list)

    def play(self) -> Record:
        events = self.session.begin()
        open_: dict[int, tuple[int, float, DecisionRequested]] = {}
        told = 0
        while True:
            steps, told = self.session.recorded(told)
            if chosen := [_over_the_wire(each) for each in steps if isinstance(each.step, Played | Said)]:
                self.frames.append((told, Frame(tuple(chosen))))
            for event in events:
                if isinstance(event, MatchFinished):
                    self.asked += [Asked(at, ask, None) for at, _, ask in open_.values()]
                    return event.record
                self.now_ms += self.chance.choice((0.0, 7.77))  # it may wait before it is handed over
                self.session.opened(event.seat, event.decision, self.now_ms)
                open_[event.seat] = told, self.now_ms, event
            events = self._answer(open_)

    def _answer(self, open_: dict[int, tuple[int, float, DecisionRequested]]) -> list[Event]:
        seat = self.chance.choice(sorted(open_))
        at, opened_ms, ask = open_[seat]
        self.now_ms += self.chance.choice(self.thinking_ms)
        excused_ms = min(self.now_ms - opened_ms, self.chance.choice((0.0, 0.0, 0.0, 0.02)))
        if excused_ms:
            self.session.excuse(seat, ask.decision, excused_ms)
        if self.session.next_deadline() < self.now_ms:
            events = self.session.expire(self.now_ms)
            for silent in [each for each, entry in open_.items() if entry[2].talk is not None]:
                at, _, ask = open_[silent]
                if not self.session.over and not self.session.awaits(silent, ask.decision):
                    self.asked.append(Asked(at, ask, None))
                    del open_[silent]
            return events
        del open_[seat]
        self.asked.append(Asked(at, ask, self.now_ms - opened_ms - excused_ms))
        if ask.talk is not None:
            claims = (
                [Claim(ask.talk.kinds[0], 0, ask.talk.votes[0], ask.talk.whens[0])] if ask.talk.kinds else []
            )
            line = self.chance.choice((SILENCE, Line("well", tuple(claims))))
            return self.session.say(seat, ask.decision, line, self.now_ms)
        return self.session.answer(seat, ask.decision, self.chance.randrange(len(ask.actions)), self.now_ms)


def _over_the_wire(recorded: RecordedStep) -> RecordedStep:
    """Return a step as the control port brings it: times are floats of 32 bits there."""
    ms = None if recorded.ms is None else struct.unpack("f", struct.pack("f", recorded.ms))[0]
    return RecordedStep(recorded.step, ms)


def play(
    game: str, time: TimeControl, *, chance: int = 1, thinking_ms: tuple[float, ...] = THINKING_MS
) -> ClockedMatch:
    """Play a match at random; where there is talk, all but the last seat talk."""
    rules = GAMES[game]
    lot = random.Random(chance)
    seats = lot.choice(next(iter(rules.variants.values())))
    talks = tuple(rules.has_talk and seat < seats - 1 for seat in range(seats))
    session = Session(
        rules,
        rules.setup(seats, talks=talks),
        match="m",
        seed=SEED,
        participants=[Participant(f"bot{seat}", "1", talks[seat]) for seat in range(seats)],
        time=time,
    )
    player = Player(session, lot, thinking_ms)
    record = from_json(to_json(player.play()))
    return ClockedMatch(record, time, tuple(player.asked), tuple(player.frames))


# --- the clocks, as each part tells them --------------------------------------------------------------------------


def session_clocks(match: ClockedMatch, seat: int) -> list[tuple[int, float]]:
    """Return what a seat had in its bank at each of its decisions, by their numbers."""
    return sorted((each.ask.decision, each.ask.bank_ms) for each in match.asked if each.ask.seat == seat)


def traced_clocks(match: ClockedMatch, seat: int) -> list[tuple[int, float]]:
    """Return the same as the decision trace tells it."""
    return [(each.ask.decision, each.ask.bank_ms) for each in retrace(match.record, seat, match.time)]


def replay_clocks(match: ClockedMatch) -> dict[int, tuple[float, ...]]:
    """Return all seats' clocks after each point, as the replay page tells them, by the number of steps."""
    clocks, steps = {}, 0
    for point in replay(match.record, match.time).points:
        steps += len(point.steps)
        clocks[steps] = point.clocks_ms
    return clocks


def live_clocks(match: ClockedMatch) -> dict[int, tuple[float, ...]]:
    """Return the same as the live page tells it, after each frame."""
    record = match.record
    names = tuple(seat.bot for seat in record.seats)
    running = Running(
        LiveMatch(
            "m",
            record.game,
            record.variant,
            record.options,
            names,
            match.time,
            record.seed,
            live=True,
            over=False,
        )
    )
    running.take(Frame(talks=match.talks))
    clocks = {}
    for steps, frame in match.frames:
        running.take(frame)
        clocks[steps] = tuple(clock.left_ms for clock in running.scene().clocks if clock is not None)
    return clocks


def human_clocks(
    match: ClockedMatch, seat: int, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[int, float, float | None]]:
    """Return a person's clock at each choice and once it is made, as the page of the game tells it, by the decisions' numbers."""
    record = match.record
    opponents = tuple(
        HouseOpponent("greedy", "1", "greedy.py", "greedy")
        for each in range(len(record.seats))
        if each != seat
    )
    wish = type("Wish", (GameRequest,), {"time": match.time})(record.game, record.variant, seat, opponents)
    now_ms = 0.0
    monkeypatch.setattr("arena.web.play.human_game.time.monotonic", lambda: now_ms / 1000)
    person = human_game.HumanGame(wish, "owner", "127.0.0.1", range(len(opponents)))
    clocks = []
    for each in sorted(match.asked, key=lambda each: each.ask.decision):
        ask = each.ask
        if ask.seat != seat:
            continue
        event = SeatDecision(
            ask.decision, ask.actions, ask.talk, ask.seen, None, max(0, int(ask.bank_ms)), int(ask.limit_ms)
        )
        person._take(event)
        before = person.clock.left_ms
        now_ms += each.thought_ms or 0.0
        if each.thought_ms is not None:
            person._decided(event)
        if ask.talk is None:
            clocks.append((ask.decision, before, None if each.thought_ms is None else person.clock.left_ms))
    return clocks
