"""One bot's stream: its frames, the asks that are open on it and the asks that are queued.

An ask is queued here, unsent and with its clock stopped, while the bot has as many asks open as it takes at once or
while a hosted bot has no CPU slot.  Messages are collected until the writer's next turn and sent as one frame.  A bot
that plays many matches and has not yet answered anything of the last frame is busy: further asks are collected for it,
for 2 ms at most, since frames of one ask each would cost both sides ten times as much.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import Any, Protocol

import grpc
from google.protobuf.message import DecodeError

from arena.games.codec import line_from_proto
from arena.games.kernel import Line
from arena.match.faults import FaultKind
from arena.match.session_events import DecisionRequested
from arena.v1.bot_pb2 import ConnectRequest, Hello, Notes
from referee.launch.process_exit import new_incident
from referee.limits.cpu_slots import Slots
from referee.limits.match_clock import StallAwareClock
from referee.limits.referee_limits import RefereeLimits
from referee.limits.token_bucket import TokenBucket
from referee.wire import frames
from referee.wire.peer_referees import PeerReferees
from referee.wire.write_coalescer import BROKEN, Stream, WriteCoalescer, Writer

_log = logging.getLogger(__name__)

_MAX_BUSY_S = 0.002
"""The time for which asks are collected for a bot that is busy with others."""

_MAX_DRAIN_S = 1.0
"""The time that the last messages may take to be written."""


class Seat(Protocol):
    """A seat of a match, as the connection of its bot uses it."""

    open_decision: int
    """The decision that the bot has not yet answered, or 0."""

    @property
    def number(self) -> int:
        """The number of the match on the connection."""
        ...

    @property
    def connection(self) -> BotConnection | None:
        """The connection that the seat is attached to now."""
        ...

    @property
    def chooses(self) -> bool:
        """Whether the open decision is a choice rather than talk."""
        ...

    def answer(self, decision: int, action: int, at_ms: float) -> None:
        """Make a choice: the index of one of the decision's actions."""
        ...

    def note(self, decision: int, notes: Notes) -> None:
        """Take down what the bot notes on its answer to a decision, which follows."""
        ...

    def say(self, decision: int, line: Line, at_ms: float) -> None:
        """Pass a line of talk to the session."""
        ...

    def ask_message(self, ask: DecisionRequested) -> bytes:
        """Return the message that asks the bot, and start its clock; empty if the match has just ended."""
        ...

    def charge(self, kind: FaultKind, message: str, at_ms: float, incident: str) -> None:
        """Charge the seat with a fault that happened at `at_ms`."""
        ...


class BotConnection:
    """The stream of a bot that has sent its Hello.  Mutable; used on the event loop only."""

    def __init__(
        self,
        stream: Stream,
        hello: Hello,
        *,
        clock: StallAwareClock,
        limits: RefereeLimits,
        coalescer: WriteCoalescer,
        slots: Slots | None = None,
    ) -> None:
        self.hello = hello
        self.capacity = min(max(1, hello.matches_at_once), limits.max_matches_at_once)
        self.closed: tuple[grpc.StatusCode, str] | None = None
        self.has_bot_fault = False
        """Whether it was closed for a fault of the bot."""
        self.incident = ""
        """Names that fault; empty if there was none."""
        self._stream = stream
        self._clock = clock
        self._limits = limits
        self._slots = slots
        self._has_slot = False
        self._is_queued_for_slot = False
        self._seats: dict[int, Seat] = {}
        """By the number of the match on this stream."""
        self._matches = 0
        """The number of matches that have begun on this stream."""
        self._open = 0
        """The number of asks that the bot has not answered."""
        self._has_unsent_asks = False
        self._is_busy = False
        self._busy_timer: asyncio.TimerHandle | None = None
        self._queue: deque[tuple[Seat, DecisionRequested]] = deque()
        self._coalescer = coalescer
        self._writer = Writer(stream, coalescer, clock, self._on_frame)
        self.send = self._writer.put
        """Sends one message, as bytes, with the next frame."""
        self._loop = asyncio.get_running_loop()
        self._closing: asyncio.Future[None] = self._loop.create_future()
        self._bucket = TokenBucket(limits.spare_messages_per_second, clock.now_ms())

    # --- the stream -------------------------------------------------------------------------------------------

    async def serve(self) -> None:
        """Read and write until either side ends the stream."""
        reading = asyncio.create_task(self._read_all())
        try:
            await asyncio.wait({reading, self._closing}, return_when=asyncio.FIRST_COMPLETED)
            if reading.done() and (error := reading.exception()) is not None:
                _log.error("a bot's connection failed", exc_info=error)
                self.close(grpc.StatusCode.INTERNAL, "the referee failed; nothing is charged to the bot")
            if self._closing.done():
                await self._writer.drain(_MAX_DRAIN_S)
        finally:
            self.close(grpc.StatusCode.OK, "")
            reading.cancel()
            self._writer.close()
            if self._busy_timer is not None:
                self._busy_timer.cancel()
            if self._slots is not None:
                self._slots.forget(self)
                if self._has_slot:
                    self._has_slot = False
                    self._slots.release()

    def close(self, code: grpc.StatusCode, details: str, *last_messages: bytes) -> None:
        """End the stream once the last messages are written; does nothing if it is closed already."""
        if self.closed is None:
            for message in last_messages:
                self.send(message)
            self.closed = code, details
            self._closing.set_result(None)

    def send_welcome(self, peers: PeerReferees | None = None) -> None:
        """Send the limits of this stream and, to dial-in bots, the referees; again when those have changed."""
        limits = self._limits
        self.send(
            frames.welcome(
                limits.max_frame_bytes,
                limits.spare_messages_per_second,
                "" if peers is None else peers.public,
                () if peers is None else peers.addresses,
                draining=peers is not None and peers.is_draining,
            )
        )

    def say_goodbye(self, reason: str, *, come_back: bool) -> None:
        """Send a Goodbye and end the stream with status OK."""
        self.close(grpc.StatusCode.OK, "", frames.goodbye(reason, come_back=come_back))

    def on_tick(self, now_ms: float) -> None:
        """Close the stream of a bot that does not read."""
        limits = self._limits
        if self.closed is not None:
            return
        if now_ms - self._writer.write_began_ms > limits.blocked_write_s * 1000:
            self._close_slow(f"did not read for {limits.blocked_write_s:g} s what was sent to it")
        elif self._writer.unsent_bytes > limits.max_unsent_bytes:
            self._close_slow(f"does not read: more than {limits.max_unsent_bytes} bytes wait for it")

    # --- matches --------------------------------------------------------------------------------------------

    def join(self, seat: Seat) -> int:
        """Add a seat of a match; return the number of the match on this stream."""
        self._matches += 1
        self._seats[self._matches] = seat
        return self._matches

    def leave(self, seat: Seat) -> None:
        """Remove the seat of a match that is over."""
        del self._seats[seat.number]
        if seat.open_decision:
            seat.open_decision = 0
            self.on_settled()

    def submit(self, seat: Seat, ask: DecisionRequested) -> None:
        """Send an ask as soon as the bot's capacity and the CPU slots allow it."""
        self._queue.append((seat, ask))
        self._pump()

    def on_settled(self) -> None:
        """Count an open ask as closed: it was answered, or is no longer needed."""
        self._open -= 1
        if self._has_slot and not self._open:
            self._leave_slot()
        elif self._queue:
            self._pump()

    def on_slot_granted(self) -> None:
        """Use the CPU slot that was queued for."""
        self._is_queued_for_slot = False
        self._has_slot = True
        self._is_busy = False
        self._pump()

    def _leave_slot(self) -> None:
        """Release the slot, and queue for one again if there are more asks."""
        assert self._slots is not None  # noqa: S101 - it has one of them
        self._has_slot = False
        self._slots.release()
        if self._queue:
            self._pump()

    def _pump(self) -> None:
        """Send as many of the queued asks as are allowed now."""
        if self._is_busy:
            if self._busy_timer is None:
                self._busy_timer = self._loop.call_later(_MAX_BUSY_S, self._end_busy)
            return
        if self._has_slot and self._open and self._slots is not None and self._slots.is_contended:
            return  # others queue for the slot: it is released once the open asks are answered
        while self._queue and self._open < self.capacity and self.closed is None and self._acquire_slot():
            seat, ask = self._queue.popleft()
            if seat.connection is not self:
                continue  # detached: the match is over, or the bot has reconnected
            message = seat.ask_message(ask)
            if message:
                self._open += 1
                self._has_unsent_asks = True
                self._bucket.credit()
                self.send(message)
        if self._has_slot and not self._open:
            self._leave_slot()

    def _acquire_slot(self) -> bool:
        """Return whether the bot may be asked now: a hosted one needs a CPU slot, and queues for it if none is free."""
        if self._slots is None:
            return True
        if not self._has_slot and not self._is_queued_for_slot:
            self._has_slot = self._slots.acquire(self)
            self._is_queued_for_slot = not self._has_slot
        return self._has_slot

    def _end_busy(self) -> None:
        self._busy_timer = None
        self._is_busy = False
        self._pump()

    def _on_frame(self) -> None:
        """Consider the bot busy if the frame that is being written has asks in it."""
        if self._has_unsent_asks:
            self._has_unsent_asks = False
            self._is_busy = True

    # --- reading --------------------------------------------------------------------------------------------

    async def _read_all(self) -> None:
        read = self._stream.read
        end = grpc.aio.EOF
        while self.closed is None:
            try:
                frame = await read()
            except BROKEN:
                return
            if frame is end:
                return
            self._coalescer.cork()
            try:
                self.receive(frame)
            finally:
                self._coalescer.flush()

    def receive(self, frame: bytes) -> None:
        """Handle a frame of the bot."""
        now_ms = self._clock.now_ms()
        if len(frame) > self._limits.max_frame_bytes:
            max_bytes = self._limits.max_frame_bytes
            self._close_faulty(
                f"a frame of {len(frame)} bytes: at most {max_bytes} are allowed",
                grpc.StatusCode.RESOURCE_EXHAUSTED,
            )
            return
        try:
            messages = ConnectRequest.FromString(frame).messages
        except DecodeError:
            self._close_faulty(f"a frame of {len(frame)} bytes that is no arena.v1.ConnectRequest")
            return
        self.handle(messages, now_ms)

    def handle(self, messages: Any, now_ms: float) -> None:  # noqa: ANN401 - protobuf's container
        """Handle `BotMessage`s of the bot, in order."""
        if not self._bucket.try_consume(len(messages), now_ms):
            spare = self._limits.spare_messages_per_second
            self._close_faulty(
                f"too many messages: allowed are one for each Ask and {spare} a second more",
                grpc.StatusCode.RESOURCE_EXHAUSTED,
            )
            return
        self._is_busy = False
        for message in messages:
            kind = message.WhichOneof("message")
            if kind == "answer":
                answer = message.answer
                seat = self._seats.get(answer.table)
                if seat is not None:
                    if answer.HasField("notes"):
                        seat.note(answer.decision, answer.notes)
                    seat.answer(answer.decision, answer.action, now_ms)
                else:
                    self._check_number(answer.table)
            elif kind == "say":
                say = message.say
                seat = self._seats.get(say.table)
                if seat is not None:
                    seat.say(say.decision, line_from_proto(say.line), now_ms)
                else:
                    self._check_number(say.table)
            elif kind == "hello":
                self._close_faulty("a second Hello: it is sent once, first")
            else:
                self._close_faulty("a message that is none of hello, answer, say")
            if self.closed is not None:
                return

    def _check_number(self, number: int) -> None:
        """Ignore a late answer for a match that is over; close the stream if there was no such match."""
        if not 1 <= number <= self._matches:
            self._close_faulty(f"an answer for table {number}: no match of that number began on this stream")

    # --- faults of the stream as a whole --------------------------------------------------------------------

    def _close_faulty(self, text: str, code: grpc.StatusCode = grpc.StatusCode.INVALID_ARGUMENT) -> None:
        """Close the stream for a protocol fault, and charge all its matches."""
        if self.closed is not None:
            return
        self.has_bot_fault = True
        self.incident = new_incident()
        self.close(code, text, frames.fault(0, FaultKind.PROTOCOL, text))
        now_ms = self._clock.now_ms()
        for seat in list(self._seats.values()):
            seat.charge(FaultKind.PROTOCOL, text, now_ms, self.incident)

    def _close_slow(self, text: str) -> None:
        """Close the stream of a bot that does not read, and charge the matches in which it has to choose."""
        self.has_bot_fault = True
        self.incident = new_incident()
        self.close(grpc.StatusCode.RESOURCE_EXHAUSTED, text, frames.fault(0, FaultKind.TIMEOUT, text))
        now_ms = self._clock.now_ms()
        for seat in list(self._seats.values()):
            if seat.open_decision and seat.chooses:
                seat.charge(FaultKind.TIMEOUT, text, now_ms, self.incident)
