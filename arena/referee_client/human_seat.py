"""Seat of a person at a referee's table: the events that a bot would get come in, and answers go out.

async with Seat("unix:/run/referee.sock", seat_id, name="guest") as seat:
    async for event in seat.events():
        ...

The order that has the match played names the seat as `HumanSource(seat_id)`, once the block above is entered.  Leaving the block
leaves the table: the match is lost by it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, Self

import grpc
from grpc.aio import EOF

from arena.games.codec import codec, limits_from_proto, line_to_proto, step_from_proto
from arena.games.kernel import Line
from arena.referee_client.control_channel import open_channel
from arena.referee_client.control_client import check_distance, unreachable
from arena.referee_client.control_codec import outcome_from_proto
from arena.referee_client.control_credentials import credentials
from arena.referee_client.reports import RefereeUnreachable
from arena.referee_client.seat_events import SeatDecision, SeatMatchEnded, SeatMatchStarted, Told
from arena.v1 import bot_pb2, control_pb2

_METHOD = "/arena.v1.SeatService/Sit"
_PROTOCOL = 1
_SDK = "arena-seat 0.1"
_BROKEN = (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError)
"""Exceptions that grpc raises when the other side is gone."""


class HumanSeatClient:
    """One seat of one match.  An asynchronous context manager; raises RefereeUnreachable."""

    def __init__(
        self, address: str, seat_id: str, *, name: str, talks: bool = False, key: str | None = None
    ) -> None:
        """`name` is for the referee's logs, 64 bytes at most; `talks` is whether to be asked for lines."""
        self._address = address
        self._metadata = (*credentials(key), ("seat", seat_id))
        self._hello = bot_pb2.Hello(protocol=_PROTOCOL, name=name, talks=talks, sdk=_SDK)
        self._table = 0
        self._game = ""

    async def __aenter__(self) -> Self:
        self._channel = open_channel(self._address)
        self._call: Any = self._channel.stream_stream(
            _METHOD,
            request_serializer=control_pb2.SitRequest.SerializeToString,
            response_deserializer=control_pb2.SitResponse.FromString,
        )(metadata=self._metadata)
        try:
            await self._write(bot_pb2.BotMessage(hello=self._hello))
            await self._read()  # its Welcome
            check_distance(self._address, await self._call.initial_metadata())
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._call.cancel()
        await self._channel.close()

    async def events(self) -> AsyncIterator[Told]:
        """Yield the seat's events until its match is over.  Raises RefereeUnreachable."""
        while True:
            for message in (await self._read()).messages:
                match message.WhichOneof("message"):
                    case "start":
                        yield self._begin(message.start)
                    case "ask":
                        yield self._ask(message.ask)
                    case "end":
                        end = message.end
                        outcome = outcome_from_proto(end.outcome) if end.HasField("outcome") else None
                        yield SeatMatchEnded(outcome, tuple(map(step_from_proto, end.seen)))
                        return

    async def answer(self, decision: int, index: int) -> None:
        """Choose the action of that index.  Raises RefereeUnreachable."""
        answer = bot_pb2.Answer(table=self._table, decision=decision, action=index)
        await self._write(bot_pb2.BotMessage(answer=answer))

    async def say(self, decision: int, line: Line) -> None:
        """Send a line of talk, or SILENCE.  Raises RefereeUnreachable."""
        say = bot_pb2.Say(table=self._table, decision=decision, line=line_to_proto(line))
        await self._write(bot_pb2.BotMessage(say=say))

    async def leave(self) -> None:
        """Get up from the table: the match is lost by it."""
        with suppress(*_BROKEN):
            await self._call.done_writing()

    def _begin(self, start: bot_pb2.Start) -> SeatMatchStarted:
        self._table, self._game = start.table, start.game
        return SeatMatchStarted(start.match, start.seat, start.seats, dict(start.options), start.commitment)

    def _ask(self, ask: bot_pb2.Ask) -> SeatDecision:
        return SeatDecision(
            decision=ask.decision,
            legal=tuple(ask.actions),
            limits=limits_from_proto(ask.talk) if ask.HasField("talk") else None,
            seen=tuple(map(step_from_proto, ask.seen)),
            view=codec(self._game).decode(ask.view),
            bank_ms=ask.bank_ms,
            limit_ms=ask.limit_ms,
        )

    async def _write(self, message: bot_pb2.BotMessage) -> None:
        try:
            await self._call.write(control_pb2.SitRequest(messages=[message]))
        except _BROKEN as error:
            raise await self._lost() from error

    async def _read(self) -> control_pb2.SitResponse:
        try:
            frame = await self._call.read()
        except _BROKEN as error:
            raise await self._lost() from error
        if frame is EOF:
            raise await self._lost()
        read: control_pb2.SitResponse = frame
        return read

    async def _lost(self) -> RefereeUnreachable:
        code = await self._call.code()
        return unreachable(self._address, code, await self._call.details() or "it ended the seat's stream")
