"""One bot's stream: frames in and out, the asks that are open on it and those that wait.

An ask waits here, unsent and with its clock stopped, while the bot has as many open as it takes at once or while a
hosted bot has no slot.  What is to be written gathers until the writer's next turn and leaves as one frame.  A bot
that plays many matches and has not yet answered anything of the last frame is busy: more asks gather for it, 2 ms at
most, since frames of one ask each would cost both sides ten times as much.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf.message import DecodeError

from arena.games.codec import line_from_proto
from arena.match.faults import FaultKind
from arena.match.session_events import DecisionRequested
from arena.v1.bot_pb2 import ConnectRequest, Hello
from referee.launch.process_exit import new_incident
from referee.limits.cpu_slots import Slots
from referee.limits.match_clock import StallAwareClock
from referee.limits.referee_limits import RefereeLimits
from referee.limits.token_bucket import TokenBucket
from referee.wire import frames
from referee.wire.write_coalescer import BROKEN, Stream, WriteCoalescer, Writer

if TYPE_CHECKING:
    from referee.dispatch.live_match import SeatBinding

_log = logging.getLogger(__name__)

_BUSY_S = 0.002
"""How long asks gather for a bot that is busy with others."""

_FLUSH_S = 1.0
"""How long last words may take."""


class BotConnection:
    """A bot that has said Hello.  Mutable; all of it runs on the event loop."""

    def __init__(
        self,
        stream: Stream,
        hello: Hello,
        *,
        timekeeper: StallAwareClock,
        limits: RefereeLimits,
        post: WriteCoalescer,
        slots: Slots | None = None,
    ) -> None:
        self.hello = hello
        self.capacity = min(max(1, hello.matches_at_once), limits.max_matches_at_once)
        self.closed: tuple[grpc.StatusCode, str] | None = None
        self.blamed = False
        """Whether it was closed for something that the bot did."""
        self.incident = ""
        """Names what it was closed for, if it was for that."""
        self._stream = stream
        self._timekeeper = timekeeper
        self._limits = limits
        self._slots = slots
        self._in_slot = False
        self._in_line = False
        self._chairs: dict[int, SeatBinding] = {}
        self._tables = 0
        self._open = 0
        self._fresh_asks = False
        self._busy = False
        self._gathering: asyncio.TimerHandle | None = None
        self._waiting: deque[tuple[SeatBinding, DecisionRequested]] = deque()
        self._post = post
        self._writer = Writer(stream, post, timekeeper, self._leaves)
        self.tell = self._writer.put
        self._loop = asyncio.get_running_loop()
        self._closing: asyncio.Future[None] = self._loop.create_future()
        self._allowance = TokenBucket(limits.spare_messages_per_second, timekeeper.now_ms())

    # --- its life -------------------------------------------------------------------------------------------

    async def serve(self) -> None:
        """Read and write until either side ends the stream."""
        reading = asyncio.create_task(self._read_all())
        try:
            await asyncio.wait({reading, self._closing}, return_when=asyncio.FIRST_COMPLETED)
            if reading.done() and (slip := reading.exception()) is not None:
                _log.error("a connection broke", exc_info=slip)
                self.close(grpc.StatusCode.INTERNAL, "the referee failed; nothing is charged to the bot")
            if self._closing.done():
                await self._writer.drain(_FLUSH_S)
        finally:
            self.close(grpc.StatusCode.OK, "")
            reading.cancel()
            self._writer.close()
            if self._gathering is not None:
                self._gathering.cancel()
            if self._slots is not None:
                self._slots.forget(self)
                if self._in_slot:
                    self._in_slot = False
                    self._slots.release()

    def close(self, code: grpc.StatusCode, details: str, *last_words: bytes) -> None:
        """End the stream once the last words are out."""
        if self.closed is None:
            for message in last_words:
                self.tell(message)
            self.closed = code, details
            self._closing.set_result(None)

    def welcome(self, address: str = "", others: Sequence[str] = ()) -> None:
        """Return what holds on this stream; again when the other referees have changed."""
        limits = self._limits
        self.tell(frames.welcome(limits.max_frame_bytes, limits.spare_messages_per_second, address, others))

    def depart(self, reason: str, *, come_back: bool) -> None:
        """Say goodbye and end the stream in peace."""
        self.close(grpc.StatusCode.OK, "", frames.goodbye(reason, come_back=come_back))

    def patrol(self, now_ms: float) -> None:
        """Look whether the bot reads what is written to it."""
        limits = self._limits
        if self.closed is not None:
            return
        if now_ms - self._writer.since_ms > limits.blocked_write_s * 1000:
            self._overwhelm(f"did not read for {limits.blocked_write_s:g} s what was sent to it")
        elif self._writer.unsent_bytes > limits.max_unsent_bytes:
            self._overwhelm(f"does not read: more than {limits.max_unsent_bytes} bytes wait for it")

    # --- matches --------------------------------------------------------------------------------------------

    def join(self, chair: SeatBinding) -> int:
        """Seat a match; gives the number that names it on this stream."""
        self._tables += 1
        self._chairs[self._tables] = chair
        return self._tables

    def leave(self, chair: SeatBinding) -> None:
        """Take a match that is over off the stream."""
        del self._chairs[chair.number]
        if chair.open_decision:
            chair.open_decision = 0
            self.settled()

    def submit(self, chair: SeatBinding, ask: DecisionRequested) -> None:
        """Send an ask as soon as may be."""
        self._waiting.append((chair, ask))
        self._pump()

    def settled(self) -> None:
        """Take note that an open ask has been answered, or is no longer waited for."""
        self._open -= 1
        if self._in_slot and not self._open:
            self._leave_slot()
        elif self._waiting:
            self._pump()

    def granted(self) -> None:
        """Take note that a slot is there."""
        self._in_line = False
        self._in_slot = True
        self._busy = False
        self._pump()

    def _leave_slot(self) -> None:
        """Return the slot to whoever waits longest, and stand in line again if there is more to ask."""
        assert self._slots is not None  # noqa: S101 - it holds one of them
        self._in_slot = False
        self._slots.release()
        if self._waiting:
            self._pump()

    def _pump(self) -> None:
        if self._busy:
            if self._gathering is None:
                self._gathering = self._loop.call_later(_BUSY_S, self._gathered)
            return
        if self._in_slot and self._open and self._slots is not None and self._slots.wanted:
            return  # where others wait, what is open is answered first; then the slot goes round
        while self._waiting and self._open < self.capacity and self.closed is None and self._may_think():
            chair, ask = self._waiting.popleft()
            if chair.connection is not self or chair.match.over:
                continue
            message = chair.match.ask_message(chair, ask)
            if message:
                self._open += 1
                self._fresh_asks = True
                self._allowance.credit()
                self.tell(message)
        if self._in_slot and not self._open:
            self._leave_slot()

    def _may_think(self) -> bool:
        """Return whether the bot may be asked now; a hosted one needs a slot for it, and stands in line if it has none."""
        if self._slots is None:
            return True
        if not self._in_slot and not self._in_line:
            self._in_slot = self._slots.acquire(self)
            self._in_line = not self._in_slot
        return self._in_slot

    def _gathered(self) -> None:
        self._gathering = None
        self._busy = False
        self._pump()

    def _leaves(self) -> None:
        """Take note that a frame is being written."""
        if self._fresh_asks:
            self._fresh_asks = False
            self._busy = True

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
            self._post.cork()
            try:
                self.receive(frame)
            finally:
                self._post.flush()

    def receive(self, frame: bytes) -> None:
        """Take in a frame of the bot."""
        now_ms = self._timekeeper.now_ms()
        if len(frame) > self._limits.max_frame_bytes:
            most = self._limits.max_frame_bytes
            self._accuse(
                f"a frame of {len(frame)} bytes: at most {most} are allowed",
                grpc.StatusCode.RESOURCE_EXHAUSTED,
            )
            return
        try:
            messages = ConnectRequest.FromString(frame).messages
        except DecodeError:
            self._accuse(f"a frame of {len(frame)} bytes that is no arena.v1.ConnectRequest")
            return
        self.take(messages, now_ms)

    def take(self, messages: Any, now_ms: float) -> None:  # noqa: ANN401 - protobuf's container
        """Take in messages of the bot, in order."""
        if not self._allowance.try_consume(len(messages), now_ms):
            spare = self._limits.spare_messages_per_second
            self._accuse(
                f"too many messages: allowed are one for each Ask and {spare} a second more",
                grpc.StatusCode.RESOURCE_EXHAUSTED,
            )
            return
        self._busy = False
        for message in messages:
            kind = message.WhichOneof("message")
            if kind == "answer":
                answer = message.answer
                chair = self._chairs.get(answer.table)
                if chair is not None:
                    chair.match.answer(chair, answer.decision, answer.action, now_ms)
                else:
                    self._stray(answer.table)
            elif kind == "say":
                say = message.say
                chair = self._chairs.get(say.table)
                if chair is not None:
                    chair.match.say(chair, say.decision, line_from_proto(say.line), now_ms)
                else:
                    self._stray(say.table)
            elif kind == "hello":
                self._accuse("a second Hello: it is sent once, first")
            else:
                self._accuse("a message that is none of hello, answer, say")
            if self.closed is not None:
                return

    def _stray(self, table: int) -> None:
        # A match may end while its bot still thinks, so an answer to one that is over is nothing but late.
        if not 1 <= table <= self._tables:
            self._accuse(f"an answer for table {table}: no match of that number began on this stream")

    # --- faults of the stream as a whole --------------------------------------------------------------------

    def _accuse(self, text: str, code: grpc.StatusCode = grpc.StatusCode.INVALID_ARGUMENT) -> None:
        if self.closed is not None:
            return
        self.blamed = True
        self.incident = new_incident()
        self.close(code, text, frames.fault(0, FaultKind.PROTOCOL, text))
        now_ms = self._timekeeper.now_ms()
        for chair in list(self._chairs.values()):
            chair.match.charge(chair.seat, FaultKind.PROTOCOL, text, now_ms, self.incident)

    def _overwhelm(self, text: str) -> None:
        self.blamed = True
        self.incident = new_incident()
        self.close(grpc.StatusCode.RESOURCE_EXHAUSTED, text, frames.fault(0, FaultKind.TIMEOUT, text))
        now_ms = self._timekeeper.now_ms()
        for chair in list(self._chairs.values()):
            if chair.open_decision and chair.chooses:
                chair.match.charge(chair.seat, FaultKind.TIMEOUT, text, now_ms, self.incident)
