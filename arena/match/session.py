"""A match as it is played: answers and the passing of time go in, asks and the record come out.

    begin ──▶ DecisionRequested … ──opened──▶ clock runs ──answer, say──▶ point resolved ──▶ DecisionRequested … ──▶ Finished

No sockets, no clock: each input has the time `at_ms` at which it happened, on any clock that never goes back.
Inputs are given in order of time; `expire(at_ms)` says that all inputs until then, that instant included, have been
given, and only then is a fault of that instant final (of two at one instant the lowest seat's counts).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from arena.games.chance import commitment
from arena.games.kernel import (
    SILENCE,
    Answer,
    Choice,
    Decision,
    Game,
    IllegalAction,
    Line,
    Played,
    Setup,
    Step,
    Talk,
    advance,
    check_line,
)
from arena.match.clock import Clock, TimeControl
from arena.match.decision_rules import offer, request_decision
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Ending, Participant, Record, RecordedStep
from arena.match.session_events import DecisionRequested, Event, MatchFinished, PendingDecision
from arena.match.session_phases import Cause, Phase, follow


class Session:
    """One match.  Its state is mutable and private; everything that leaves it is frozen."""

    def __init__(
        self,
        game: Game[Any, Any],
        setup: Setup,
        *,
        match: str,
        seed: bytes,
        participants: Sequence[Participant],
        time: TimeControl,
    ) -> None:
        self.game = game
        self.setup = setup
        self.match = match
        self.seed = seed
        self.time = time
        self.commitment = commitment(match, seed)
        self._phase = Phase.DEALT
        self._participants = tuple(participants)
        self._state, dealt = game.new(setup, seed)
        self._steps: list[Step] = list(dealt)
        self._ms: list[float | None] = [None] * len(dealt)
        self._told = [0] * setup.seats
        self._clock = Clock(time, setup.seats)
        self._together = 0
        self._number = 0
        self._last_opened = [0] * setup.seats
        self._silenced: set[tuple[int, int]] = set()
        self._decisions: tuple[Decision, ...] = ()
        self._answers: list[Answer | None] = []
        self._took: list[float] = []
        self._asked: dict[int, PendingDecision] = {}
        self._next_ms = inf
        self._fault: tuple[float, SeatFault] | None = None

    # --- inputs ---------------------------------------------------------------------------------------------

    def begin(self) -> list[Event]:
        """Begin; call it once, first."""
        self._phase = follow(self._phase, Cause.BEGIN)
        return self._go_on()

    def opened(self, seat: int, decision: int, at_ms: float) -> None:
        """Take note that an ask was handed to the seat's connection: its clock starts."""
        asked = self._asked.get(seat)
        if asked is not None and asked.ask.decision == decision and asked.opened_ms == inf:
            asked.open(at_ms)
            self._last_opened[seat] = decision
            self._next_ms = min(self._next_ms, asked.deadline_ms)

    def answer(self, seat: int, decision: int, index: int, at_ms: float) -> list[Event]:
        """Take a seat's choice: the index of one of the actions it was offered."""
        events = self._until(at_ms) if at_ms > self._next_ms else []
        asked = self._answered(seat, decision)
        if asked is None:
            return events + self._stray(seat, decision, at_ms)
        actions = asked.ask.actions
        if not actions:
            return self._protocol(
                seat, f"decision {decision} asks for talk: answer it with Say, not Answer", at_ms
            )
        if not 0 <= index < len(actions):
            return self.fault(seat, FaultKind.ILLEGAL_ACTION, asked.illegal(index), at_ms)
        took_ms = self._clock.charge(seat, max(0.0, at_ms - asked.opened_ms))
        return self._take(asked, actions[index], took_ms)

    def say(self, seat: int, decision: int, line: Line, at_ms: float) -> list[Event]:
        """Take a seat's line of talk; an empty one is silence."""
        events = self._until(at_ms) if at_ms > self._next_ms else []
        asked = self._answered(seat, decision)
        if asked is None:
            return events + self._stray(seat, decision, at_ms)
        if not isinstance(asked.kind, Talk):
            return self._protocol(
                seat, f"decision {decision} is a choice: answer it with Answer, not Say", at_ms
            )
        try:
            check_line(asked.kind, line, self.setup.seats)
        except IllegalAction as error:
            return self._protocol(seat, f"decision {decision}, {error}", at_ms)
        return self._take(asked, line, 0.0)

    def fault(self, seat: int, kind: FaultKind, message: str, at_ms: float) -> list[Event]:
        """Charge a seat with a fault; the match ends by it unless an earlier one is known until `expire`."""
        events = self._until(at_ms)
        if not self.over and (self._fault is None or seat < self._fault[1].seat):
            self._phase = follow(self._phase, Cause.FAULT)
            self._fault = at_ms, SeatFault(seat, kind, message)
            self._next_ms = at_ms
        return events

    def expire(self, at_ms: float) -> list[Event]:
        """Advance the clock to `at_ms`; everything up to then has been reported."""
        return self._until(at_ms, inclusive=True) if at_ms >= self._next_ms else []

    def overdue(self, at_ms: float) -> tuple[DecisionRequested, ...]:
        """Return the open asks whose time is up, before a seat is charged for it."""
        return tuple(each.ask for each in self._asked.values() if each.deadline_ms <= at_ms)

    def excuse(self, seat: int, decision: int, ms: float) -> None:
        """Take time off a seat's clock that it could not use, through no fault of its own."""
        asked = self._asked.get(seat)
        if asked is not None and asked.ask.decision == decision and self._fault is None:
            asked.open(asked.opened_ms + ms)
            self._next_ms = min(each.deadline_ms for each in self._asked.values())

    def next_deadline(self) -> float:
        """Return the time at which `expire` is due, infinity if nothing runs."""
        return self._next_ms

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._phase is Phase.OVER

    # --- what the shell shows -------------------------------------------------------------------------------

    def view(self, seat: int) -> Any:  # noqa: ANN401 - each game has its own view
        """Show the position now to a seat."""
        return self.game.view(self._state, seat)

    def again(self, seat: int, at_ms: float) -> DecisionRequested | None:
        """Return a seat's open ask once more, with the time that is left; None if it has none."""
        asked = self._asked.get(seat)
        if asked is None:
            return None
        return asked.ask.replace(seen=(), limit_ms=asked.left_ms(at_ms))

    def awaits(self, seat: int, decision: int) -> bool:
        """Return whether an answer to that decision is waited for."""
        asked = self._asked.get(seat)
        return asked is not None and asked.ask.decision == decision

    @property
    def step_count(self) -> int:
        """The number of steps so far."""
        return len(self._steps)

    def unseen(self, seat: int) -> tuple[Step, ...]:
        """Return what a seat has seen since the last call."""
        start, self._told[seat] = self._told[seat], len(self._steps)
        return self._seen(seat, start)

    def history(self, seat: int) -> tuple[Step, ...]:
        """Return all that a seat has seen since the match began."""
        self._told[seat] = len(self._steps)
        return self._seen(seat, 0)

    def public(self, start: int) -> tuple[tuple[Step, ...], int]:
        """Return the public part of the steps from number `start` on, and the number of the next step."""
        return self._seen(None, start), len(self._steps)

    def recorded(self, start: int) -> tuple[tuple[RecordedStep, ...], int]:
        """Return the steps from number `start` on as the record will have them, and the number of the next."""
        return tuple(map(RecordedStep, self._steps[start:], self._ms[start:])), len(self._steps)

    def _seen(self, seat: int | None, start: int) -> tuple[Step, ...]:
        seen = self.game.seen
        return tuple([step for each in self._steps[start:] if (step := seen(each, seat)) is not None])

    # --- points ---------------------------------------------------------------------------------------------

    def _go_on(self) -> list[Event]:
        """Ask at the next point where a seat has a choice; forced actions are played on the way there."""
        game = self.game
        while True:
            decisions = game.to_act(self._state)
            if not decisions:
                return [self._end()]
            self._decisions = decisions
            self._answers = [None] * len(decisions)
            self._took = [0.0] * len(decisions)
            asks: list[Event] = []
            for place, decision in enumerate(decisions):
                self._number += 1
                ask = self._ask(decision, place)
                if ask is not None:
                    asks.append(ask)
            if asks:
                return asks
            self._resolve()

    def _ask(self, decision: Decision, place: int) -> DecisionRequested | None:
        actions, answer = offer(self.game, self._state, decision, self.setup.talks)
        if answer is not None:
            self._answers[place] = answer
            return None
        seat = decision.seat
        ask = request_decision(decision, self._number, actions, self.unseen(seat), self._clock)
        self._asked[seat] = PendingDecision(ask, decision, place)
        return ask

    def _take(self, asked: PendingDecision, answer: Answer, took_ms: float) -> list[Event]:
        self._answers[asked.place] = answer
        self._took[asked.place] = took_ms
        del self._asked[asked.ask.seat]
        if self._asked:
            self._next_ms = min(each.deadline_ms for each in self._asked.values())
            return []
        self._next_ms = inf
        self._resolve()
        return self._go_on()

    def _resolve(self) -> None:
        answers = [answer for answer in self._answers if answer is not None]
        self._state, steps, self._together = advance(self.game, self._state, answers, self._together)
        self._steps += steps
        if len(steps) == len(self._took) == 1:
            self._ms.append(self._took[0] if type(steps[0]) is Played else None)
            return
        times = iter(
            [ms for each, ms in zip(self._decisions, self._took, strict=True) if isinstance(each, Choice)]
        )
        self._ms += [next(times) if isinstance(step, Played) else None for step in steps]

    def _answered(self, seat: int, decision: int) -> PendingDecision | None:
        """Return the open ask that a seat answers; None if there is none."""
        asked = self._asked.get(seat)
        if self._phase is not Phase.PLAYED or asked is None or asked.opened_ms == inf:
            return None
        return asked if asked.ask.decision == decision else None

    def _stray(self, seat: int, decision: int, at_ms: float) -> list[Event]:
        """Charge a seat for an answer to no open ask, unless it was only late, or answers no longer matter."""
        if self._phase in {Phase.CHARGED, Phase.OVER}:
            return []
        if (seat, decision) in self._silenced:
            self._silenced.discard((seat, decision))
            return []
        asked = self._asked.get(seat)
        is_open = "none is open"
        if asked is not None and asked.opened_ms != inf:
            is_open = f"the one that is open is {asked.ask.decision}"
        is_new = decision > self._last_opened[seat]
        wrong = "it was not asked" if is_new else "it is past, each decision is answered once"
        return self._protocol(seat, f"decision {decision}: {wrong}; {is_open}", at_ms)

    # --- time and faults ------------------------------------------------------------------------------------

    def _protocol(self, seat: int, message: str, at_ms: float) -> list[Event]:
        return self.fault(seat, FaultKind.PROTOCOL, message, at_ms)

    def _until(self, at_ms: float, *, inclusive: bool = False) -> list[Event]:
        """Handle what is due before `at_ms`: earliest first, at one instant lowest seat first."""
        events: list[Event] = []
        while not self.over:
            due = min(((each.deadline_ms, seat) for seat, each in self._asked.items()), default=(inf, -1))
            charged = (inf, -1) if self._fault is None else (self._fault[0], self._fault[1].seat)
            first_ms, seat = first = min(due, charged)
            if first_ms > at_ms or first_ms == inf or (first_ms == at_ms and not inclusive):
                break
            if self._fault is not None and first == charged:
                events.append(self._end(self._fault[1]))
            elif isinstance(self._asked[seat].kind, Talk):
                self._silenced.add((seat, self._asked[seat].ask.decision))
                events += self._take(self._asked[seat], SILENCE, 0.0)
            else:
                events.append(self._end(self._asked[seat].timeout(self._clock)))
        return events

    def _end(self, fault: SeatFault | None = None) -> MatchFinished:
        self._phase = follow(self._phase, Cause.END)
        self._next_ms = inf
        self._asked.clear()
        if fault is not None:
            return MatchFinished(self._record(Ending.by_fault(fault, self.setup.seats)))
        result = self.game.result(self._state)
        if result is None:
            raise RuntimeError(f"{self.game.id}: no decision is open and there is no result")
        return MatchFinished(self._record(Ending.by_rules(result)))

    def _record(self, ending: Ending) -> Record:
        return Record(
            match=self.match,
            game=self.game.id,
            variant=self.setup.variant,
            options=self.setup.options,
            seed=self.seed,
            commitment=self.commitment,
            seats=self._participants,
            steps=tuple(map(RecordedStep, self._steps, self._ms)),
            result=ending,
        )
