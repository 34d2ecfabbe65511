"""A match at the referee: its session, and the chairs that join its seats to the bots' connections."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from arena.games.codec import codec
from arena.games.kernel import Line
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Record, RecordedStep
from arena.match.session import Session
from arena.match.session_events import DecisionRequested, Event
from referee.limits.match_clock import Alarm, StallAwareClock
from referee.wire import frames

if TYPE_CHECKING:
    from referee.bots.bot_handle import BotHandle
    from referee.wire.bot_connection import BotConnection

_log = logging.getLogger(__name__)

_FRAME_S = 0.02
"""The steps of so long come to a spectator together: quick bots make hundreds a second."""
_LEAST_EXCUSED_MS = 0.5
_MAX_EXCUSED_MS = 5_000.0
"""What a decision may be given for waits in all, on however busy a machine."""


class SeatBinding:
    """A seat of a match.  Mutable: its bot may go away and come back over another connection."""

    __slots__ = (
        "bot",
        "chooses",
        "connection",
        "excused_for",
        "excused_ms",
        "looked_ms",
        "match",
        "number",
        "open_decision",
        "seat",
    )

    def __init__(self, table: LiveMatch, seat: int, guest: BotHandle) -> None:
        self.match = table
        self.seat = seat
        self.bot = guest
        self.connection: BotConnection | None = None
        """None while the bot is away."""
        self.number = 0
        """Names the match on the connection."""
        self.open_decision = 0
        """The decision that the bot has been asked for and has not answered, 0 if there is none."""
        self.chooses = False
        """Whether that is a choice; else it is talk."""
        self.excused_for = 0
        """The decision whose time was up and that was excused, 0 if there was none."""
        self.excused_ms = 0.0
        """The time that the machine took from that decision, so far."""
        self.looked_ms = 0.0
        """When that was last looked at."""


class LiveMatch:
    """A match that is being played.  Mutable; whatever goes wrong in here ends this match only."""

    def __init__(
        self,
        session: Session,
        guests: Sequence[BotHandle],
        timekeeper: StallAwareClock,
        *,
        finished: Callable[[Record, str], None],
        failed: Callable[[str], None],
    ) -> None:
        self.session = session
        self.over = False
        self.alarm: Alarm | None = None
        self.seats: tuple[SeatBinding, ...] = tuple(
            SeatBinding(self, seat, guest) for seat, guest in enumerate(guests)
        )
        self.record: Record | None = None
        self._timekeeper = timekeeper
        self._encode = codec(session.game.id).encode
        self._view_type = codec(session.game.id).VIEW_TYPE
        self._finished = finished
        self._failed = failed
        self._talks = any(session.setup.talks)
        self._held = False
        self._incidents: dict[int, str] = {}
        """What a seat was charged with may have ended other matches, too: this names it."""
        self._changed: list[asyncio.Event] = []

    # --- from the connections -------------------------------------------------------------------------------

    def begin(self) -> None:
        """Seat the bots and ask for the first decisions."""
        for chair in self.seats:
            if chair.bot.connection is not None:
                self.attach(chair, chair.bot.connection)
        self._do(self.session.begin)

    def answer(self, chair: SeatBinding, decision: int, index: int, at_ms: float) -> None:
        """Take a choice."""
        chair.bot.on_answer()
        if decision == chair.open_decision:
            self._mark_answered(chair)
        self._do(self.session.answer, chair.seat, decision, index, at_ms)

    def say(self, chair: SeatBinding, decision: int, line: Line, at_ms: float) -> None:
        """Take a line of talk."""
        chair.bot.on_answer()
        if decision == chair.open_decision:
            self._mark_answered(chair)
        self._do(self.session.say, chair.seat, decision, line, at_ms)

    def charge(self, seat: int, kind: FaultKind, message: str, at_ms: float, incident: str = "") -> None:
        """Charge a seat with a fault that happened at `at_ms`; `incident` names what may end other matches, too."""
        self._held = False
        if incident:
            self._incidents.setdefault(seat, incident)
        self._do(self.session.fault, seat, kind, message, at_ms)

    def freeze(self) -> None:
        """Take no more answers: a fault has happened, and its message is being gathered."""
        self._held = True

    def ask_message(self, chair: SeatBinding, ask: DecisionRequested) -> bytes:
        """Return the message that asks a seat, and start its clock; nothing if the match has just ended."""
        try:
            view = self._encode(self.session.view(chair.seat))
            message = frames.ask(chair.number, ask, view)
        except Exception as error:  # noqa: BLE001 - a slip in a game ends its match, not the referee
            self._break(error)
            return b""
        chair.open_decision = ask.decision
        chair.chooses = ask.talk is None
        self._open(ask)
        return message

    # --- coming and going -----------------------------------------------------------------------------------

    def attach(self, chair: SeatBinding, connection: BotConnection, *, again: bool = False) -> None:
        """Join a seat to a connection: a new match, or one that goes on after a reconnection."""
        chair.connection = connection
        chair.number = connection.join(chair)
        session = self.session
        history = session.history(chair.seat) if again else ()
        connection.tell(frames.start(chair.number, session, chair.seat, self._view_type, history))
        if again:
            ask = session.again(chair.seat, self._timekeeper.now_ms())
            if ask is not None:
                connection.submit(chair, ask)

    def detach(self, chair: SeatBinding) -> None:
        """Take a seat off its lost connection; the clock of its open decision runs."""
        chair.connection = None
        chair.open_decision = 0
        ask = self.session.again(chair.seat, self._timekeeper.now_ms())
        if ask is not None:
            self._open(ask)

    def abort(self, reason: str) -> None:
        """End the match without a result, for something that is nobody's fault."""
        if not self.over:
            self._close(None)
            self._failed(reason)

    def cancel(self) -> None:
        """End the match without result."""
        if not self.over:
            self._close(None)

    # --- time, for the timekeeper ---------------------------------------------------------------------------

    def next_deadline(self) -> float:
        """Return the time of the next deadline."""
        return inf if self.over or self._held else self.session.next_deadline()

    def expire(self, at_ms: float) -> None:
        """Let the time pass."""
        if not self.over and not self._held:
            self._do(self.session.expire, at_ms)

    # --- spectators -----------------------------------------------------------------------------------------

    async def watch(self, *, hidden: bool) -> AsyncIterator[tuple[RecordedStep, ...]]:
        """Yield the steps from the start, as they happen: what everybody may see, without times, or all as they are."""
        changed = asyncio.Event()
        self._changed.append(changed)
        read = self.session.recorded if hidden else self._public
        told = 0
        try:
            while True:
                changed.clear()
                over = self.over
                steps, told = read(told)
                if steps:
                    yield steps
                if over:
                    return
                await asyncio.sleep(_FRAME_S)
                await changed.wait()
        finally:
            self._changed.remove(changed)

    def _public(self, start: int) -> tuple[tuple[RecordedStep, ...], int]:
        steps, told = self.session.public(start)
        return tuple(map(RecordedStep, steps)), told

    # --- inside ---------------------------------------------------------------------------------------------

    def _do(self, step: Callable[..., list[Event]], *arguments: Any) -> None:  # noqa: ANN401 - each input has its own
        """Return the session an input, the last of it the time, and carry out what it wants."""
        if self.over or self._held:
            return
        try:
            if arguments and arguments[-1] >= self.session.next_deadline():
                self._excuse(arguments[-1])
            events = step(*arguments)
        except Exception as error:  # noqa: BLE001 - a slip in a game ends its match, not the referee
            self._break(error)
            return
        if self._talks:
            self._settle_silenced()
        for event in events:
            if isinstance(event, DecisionRequested):
                chair = self.seats[event.seat]
                if chair.connection is not None:
                    chair.connection.submit(chair, event)
                else:
                    self._open(event)
            else:
                self._finish(event.record)
        if not self.over:
            self._timekeeper.schedule(self)
        for changed in self._changed:
            changed.set()

    def _excuse(self, at_ms: float) -> None:
        """Give back the time that the machine took from those whose time is up."""
        for ask in self.session.overdue(at_ms):
            chair = self.seats[ask.seat]
            if chair.excused_for != ask.decision:
                chair.excused_for, chair.excused_ms, chair.looked_ms = ask.decision, 0.0, at_ms - ask.limit_ms
            more_ms = chair.bot.excuse_ms(chair.looked_ms, at_ms)
            more_ms = min(more_ms, _MAX_EXCUSED_MS - chair.excused_ms)
            if more_ms >= _LEAST_EXCUSED_MS:
                chair.excused_ms += more_ms
                chair.looked_ms = at_ms
                self.session.excuse(ask.seat, ask.decision, more_ms)

    def _open(self, ask: DecisionRequested) -> None:
        self.session.opened(ask.seat, ask.decision, self._timekeeper.now_ms())
        self._timekeeper.schedule(self)

    def _mark_answered(self, chair: SeatBinding) -> None:
        chair.open_decision = 0
        if chair.connection is not None:
            chair.connection.settled()

    def _settle_silenced(self) -> None:
        for chair in self.seats:
            if chair.open_decision and not self.session.awaits(chair.seat, chair.open_decision):
                self._mark_answered(chair)

    def _finish(self, record: Record) -> None:
        self.record = record
        incident = self._incident(record.result.fault)
        self._close(record)
        self._finished(record, incident)

    def _incident(self, fault: SeatFault | None) -> str:
        if fault is None:
            return ""
        if fault.kind is FaultKind.TIMEOUT and fault.seat not in self._incidents:
            return self.seats[fault.seat].bot.silence_incident()
        return self._incidents.get(fault.seat, "")

    def _close(self, record: Record | None) -> None:
        self.over = True
        fault = record.result.fault if record else None
        for chair in self.seats:
            connection, chair.connection = chair.connection, None
            if connection is None or connection.closed is not None:
                continue
            if fault is not None and fault.seat == chair.seat:
                connection.tell(frames.fault(chair.number, fault.kind, fault.message))
            ending = record.result if record else None
            connection.tell(frames.end(chair.number, ending, self.session.unseen(chair.seat)))
            connection.leave(chair)
        # Nothing may hold on to a match that is over until the garbage is collected: there are many a second.
        self.seats = ()
        self._timekeeper.forget(self)
        for changed in self._changed:
            changed.set()

    def _break(self, error: Exception) -> None:
        """Give up for a fault of the platform's own."""
        _log.error("match %s broke", self.session.match, exc_info=error)
        self.abort(f"{type(error).__name__}: {error}")
