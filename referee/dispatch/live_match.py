"""A match that is being played: its session, and the bindings of its seats to the bots' connections."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any

from arena.games.codec import codec
from arena.games.kernel import Line
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Record, RecordedStep
from arena.match.session import Session
from arena.match.session_events import DecisionRequested, Event
from arena.v1.bot_pb2 import Notes
from referee.bots.bot_handle import BotHandle
from referee.dispatch.match_trace import MatchTrace
from referee.dispatch.note_taker import NoteTaker
from referee.limits.match_clock import Alarm, StallAwareClock
from referee.metrics.time_buckets import TimeBuckets
from referee.wire import frames
from referee.wire.bot_connection import BotConnection

_log = logging.getLogger(__name__)

_MIN_CREDIT_MS = 0.5
_MAX_CREDIT_MS = 5_000.0
"""The most time that a decision is credited for scheduling delays in all, however busy the machine is."""


class SeatBinding:
    """A seat of a match, and the connection that its bot plays it over.  Mutable: the bot may reconnect."""

    __slots__ = (
        "bot",
        "chooses",
        "connection",
        "credit_decision",
        "credit_ms",
        "credited_at_ms",
        "index",
        "match",
        "number",
        "open_decision",
        "opened_ms",
        "times",
    )

    def __init__(self, match: LiveMatch, index: int, bot: BotHandle) -> None:
        self.match = match
        self.index = index
        self.bot = bot
        self.connection: BotConnection | None = None
        """None while the bot is disconnected."""
        self.number = 0
        """The number of the match on the connection."""
        self.open_decision = 0
        """The decision that the bot has not yet answered, or 0."""
        self.chooses = False
        """Whether the open decision is a choice rather than talk."""
        self.opened_ms = 0.0
        """When the clock of that decision started."""
        self.times: TimeBuckets = bot.decision_times
        """Where the time of each answer is counted."""
        self.credit_decision = 0
        """The last decision whose time ran out and was checked for scheduling delays, 0 if there was none."""
        self.credit_ms = 0.0
        """The time that was credited to that decision so far."""
        self.credited_at_ms = 0.0
        """Delays before this time have been credited already."""

    # --- from the connection --------------------------------------------------------------------------------

    def answer(self, decision: int, action: int, at_ms: float) -> None:
        """Make a choice: the index of one of the decision's actions."""
        self.bot.on_answer()
        if decision == self.open_decision != 0:
            self.times.add(at_ms - self.opened_ms)
            self.mark_answered()
        if self.match.trace is not None:
            self.match.trace.answered(self.index, decision)
        self.match.advance(self.match.session.answer, self.index, decision, action, at_ms)

    def note(self, decision: int, notes: Notes) -> None:
        """Take down what the bot notes on its answer to a decision, which follows."""
        self.match.note(self.index, decision, notes)

    def say(self, decision: int, line: Line, at_ms: float) -> None:
        """Pass a line of talk to the session."""
        self.bot.on_answer()
        if decision == self.open_decision != 0:
            self.times.add(at_ms - self.opened_ms)
            self.mark_answered()
        self.match.advance(self.match.session.say, self.index, decision, line, at_ms)

    def ask_message(self, ask: DecisionRequested) -> bytes:
        """Return the message that asks the bot, and start its clock; empty if the match has just ended."""
        message = self.match.encode_ask(self, ask)
        if message:
            self.open_decision = ask.decision
            self.chooses = ask.talk is None
            self.opened_ms = self.match.start_clock(ask)
            if self.match.trace is not None:
                self.match.trace.asked(self.index, ask.decision)
        return message

    def charge(self, kind: FaultKind, message: str, at_ms: float, incident: str) -> None:
        """Charge the seat with a fault that happened at `at_ms`."""
        self.match.charge(self.index, kind, message, at_ms, incident)

    def mark_answered(self) -> None:
        """Close the open decision: it was answered, or is no longer needed."""
        self.open_decision = 0
        if self.connection is not None:
            self.connection.on_settled()

    # --- from the bot's handle ------------------------------------------------------------------------------

    def attach(self, connection: BotConnection) -> None:
        """Begin the match on a connection."""
        self._start(connection, resumed=False)

    def resume(self, connection: BotConnection) -> None:
        """Continue the match on the connection of a bot that reconnected, unless it is over."""
        match = self.match
        if match.over:
            return
        if self.connection is not None:
            self.detach()
        self._start(connection, resumed=True)
        ask = match.current_ask(self.index)
        if ask is not None:
            connection.submit(self, ask)

    def detach(self) -> None:
        """Detach the seat from its lost connection; the clock of its open decision runs."""
        self.connection = None
        self.open_decision = 0
        ask = self.match.current_ask(self.index)
        if ask is not None:
            self.match.start_clock(ask)

    def freeze(self) -> None:
        """Accept no more input for the match; see `LiveMatch.freeze`."""
        self.match.freeze()

    def abort(self, reason: str) -> None:
        """End the match without a result; see `LiveMatch.abort`."""
        self.match.abort(reason)

    def _start(self, connection: BotConnection, *, resumed: bool) -> None:
        self.connection = connection
        self.number = connection.join(self)
        connection.send(self.match.encode_start(self, resumed=resumed))


class LiveMatch:
    """A match that is being played.  Mutable; an exception in here ends this match only."""

    def __init__(
        self,
        session: Session,
        bots: Sequence[BotHandle],
        clock: StallAwareClock,
        *,
        on_finished: Callable[[Record, str], None],
        on_failed: Callable[[str], None],
        log_fields: Mapping[str, object] | None = None,
        trace: MatchTrace | None = None,
    ) -> None:
        self.session = session
        self.trace = trace
        self.log_fields = log_fields
        """The fields of log lines about the match."""
        self.over = False
        self.alarm: Alarm | None = None
        self.seats: tuple[SeatBinding, ...] = tuple(
            SeatBinding(self, index, bot) for index, bot in enumerate(bots)
        )
        """Empty once the match is over."""
        self.record: Record | None = None
        self.notes: NoteTaker | None = None
        """The notes of the bots; None if there are none."""
        self._clock = clock
        self._encode = codec(session.game.id).encode
        self._view_type = codec(session.game.id).VIEW_TYPE
        self._on_finished = on_finished
        self._on_failed = on_failed
        self._has_talk = any(session.setup.talks)
        self._is_frozen = False
        self._incidents: dict[int, str] = {}
        """By seat: the incident, which may end other matches too, that it was charged with."""
        self.watchers: list[asyncio.Event] = []
        """Set whenever something has happened."""

    def begin(self) -> None:
        """Attach the bots and ask for the first decisions."""
        for seat in self.seats:
            if seat.bot.connection is not None:
                seat.attach(seat.bot.connection)
        self.advance(self.session.begin)

    def charge(self, index: int, kind: FaultKind, message: str, at_ms: float, incident: str = "") -> None:
        """Charge a seat with a fault that happened at `at_ms`; `incident` names what may end other matches, too."""
        self._is_frozen = False
        if incident:
            self._incidents.setdefault(index, incident)
        self.advance(self.session.fault, index, kind, message, at_ms)

    def freeze(self) -> None:
        """Accept no more input: a fault has happened, and its message is not known yet."""
        self._is_frozen = True

    def abort(self, reason: str) -> None:
        """End the match without a result, for a reason that no bot is charged with."""
        if not self.over:
            self._close(None)
            self._on_failed(reason)

    def cancel(self) -> None:
        """End the match without result and without a report."""
        if not self.over:
            self._close(None)

    def advance(self, step: Callable[..., list[Event]], *arguments: Any) -> None:  # noqa: ANN401 - each input has its own
        """Pass an input to the session, the time last, and carry out the events that follow."""
        if self.over or self._is_frozen:
            return
        try:
            if arguments and arguments[-1] >= self.session.next_deadline():
                self._credit_delays(arguments[-1])
            events = step(*arguments)
        except Exception as error:  # noqa: BLE001 - a bug in a game ends its match, not the referee
            self._break(error)
            return
        if self._has_talk:
            self._settle_silenced()
        for event in events:
            if isinstance(event, DecisionRequested):
                seat = self.seats[event.seat]
                if seat.connection is not None:
                    seat.connection.submit(seat, event)
                else:
                    self.start_clock(event)
            else:
                self._finish(event.record)
        if not self.over:
            self._clock.schedule(self)
        for watcher in self.watchers:
            watcher.set()

    # --- for the seats --------------------------------------------------------------------------------------

    def encode_start(self, seat: SeatBinding, *, resumed: bool) -> bytes:
        """Return the message that begins the match for a seat, with its history if it was interrupted."""
        history = self.session.history(seat.index) if resumed else ()
        return frames.start(seat.number, self.session, seat.index, self._view_type, history)

    def encode_ask(self, seat: SeatBinding, ask: DecisionRequested) -> bytes:
        """Return the message that asks a seat; empty if the game failed, which ends the match."""
        try:
            view = self._encode(self.session.view(seat.index))
            return frames.ask(seat.number, ask, view)
        except Exception as error:  # noqa: BLE001 - a bug in a game ends its match, not the referee
            self._break(error)
            return b""

    def note(self, index: int, decision: int, notes: Notes) -> None:
        """Take down what a seat's bot notes on its answer, if the decision is open."""
        if self.over or self._is_frozen:
            return
        ask = self.session.again(index, 0.0)
        if ask is not None and ask.decision == decision:
            if self.notes is None:
                self.notes = NoteTaker()
            self.notes.take(index, self.session.step_count, ask.actions, notes)

    def current_ask(self, index: int) -> DecisionRequested | None:
        """Return what a seat has been asked for and has not answered, with the time that it has left."""
        return self.session.again(index, self._clock.now_ms())

    def start_clock(self, ask: DecisionRequested) -> float:
        """Start the clock of a decision; return the time."""
        now_ms = self._clock.now_ms()
        self.session.opened(ask.seat, ask.decision, now_ms)
        self._clock.schedule(self)
        return now_ms

    # --- for the clock --------------------------------------------------------------------------------------

    def next_deadline(self) -> float:
        """Return the time of the next deadline; infinity if there is none."""
        return inf if self.over or self._is_frozen else self.session.next_deadline()

    def expire(self, at_ms: float) -> None:
        """End the decisions whose deadline has passed."""
        if not self.over and not self._is_frozen:
            self.advance(self.session.expire, at_ms)

    # --- spectators -----------------------------------------------------------------------------------------

    def steps(self, start: int, *, hidden: bool) -> tuple[tuple[RecordedStep, ...], int]:
        """Return the steps from number `start` on, and the number of the next: the public ones without times, or, if `hidden`, all with times."""
        if hidden:
            return self.session.recorded(start)
        steps, end = self.session.public(start)
        return tuple([RecordedStep(step) for step in steps]), end

    # --- inside ---------------------------------------------------------------------------------------------

    def _credit_delays(self, at_ms: float) -> None:
        """Credit the decisions whose time has run out with the time that their bots waited for a core."""
        for ask in self.session.overdue(at_ms):
            seat = self.seats[ask.seat]
            if seat.credit_decision != ask.decision:
                seat.credit_decision, seat.credit_ms = ask.decision, 0.0
                seat.credited_at_ms = at_ms - ask.limit_ms
            delay_ms = seat.bot.scheduling_delay_ms(seat.credited_at_ms, at_ms)
            delay_ms = min(delay_ms, _MAX_CREDIT_MS - seat.credit_ms)
            if delay_ms >= _MIN_CREDIT_MS:
                seat.credit_ms += delay_ms
                seat.credited_at_ms = at_ms
                self.session.excuse(ask.seat, ask.decision, delay_ms)

    def _settle_silenced(self) -> None:
        """Close the open decisions that the session no longer waits for."""
        for seat in self.seats:
            if seat.open_decision and not self.session.awaits(seat.index, seat.open_decision):
                seat.mark_answered()

    def _finish(self, record: Record) -> None:
        self.record = record
        incident = self._incident(record.result.fault)
        self._close(record)
        self._on_finished(record, incident)

    def _incident(self, fault: SeatFault | None) -> str:
        if fault is None:
            return ""
        if fault.kind is FaultKind.TIMEOUT and fault.seat not in self._incidents:
            return self.seats[fault.seat].bot.silence_incident()
        return self._incidents.get(fault.seat, "")

    def _close(self, record: Record | None) -> None:
        self.over = True
        fault = record.result.fault if record else None
        ending = record.result if record else None
        attached = [(seat, seat.connection) for seat in self.seats if seat.connection is not None]
        for seat, _ in attached:
            seat.connection = None
        for seat, connection in attached:
            if connection.closed is not None:
                continue
            if fault is not None and fault.seat == seat.index:
                connection.send(frames.fault(seat.number, fault.kind, fault.message))
            connection.send(frames.end(seat.number, ending, self.session.unseen(seat.index)))
            connection.leave(seat)
        # Break the reference cycle: there are many matches a second, and garbage collections are rare.
        self.seats = ()
        self._clock.forget(self)
        for watcher in self.watchers:
            watcher.set()

    def _break(self, error: Exception) -> None:
        """End the match for an error of the platform."""
        _log.error("match %s failed", self.session.match, exc_info=error, extra=self.log_fields)
        self.abort(f"{type(error).__name__}: {error}")
