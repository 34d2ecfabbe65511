"""Seats that the arena holds itself, for people who play: they come in over the control port, and then are bots like others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import grpc

from arena.referee_client.orders import HumanSource
from referee.bots.bot_handle import BotHandle, BotListener
from referee.launch.process_exit import new_incident
from referee.wire.bot_connection import BotConnection
from referee.wire.handshake import HandshakeRejected, perform_handshake

if TYPE_CHECKING:
    from referee.dispatch.match_dispatcher import MatchDispatcher
    from referee.limits.match_clock import StallAwareClock
    from referee.limits.referee_limits import RefereeLimits
    from referee.wire.control_key import ControlKey
    from referee.wire.write_coalescer import WriteCoalescer

SERVICE = "arena.v1.SeatService"
_SEAT = "seat"
"""The metadata that names the seat."""


class HumanSeat(BotHandle):
    """Whoever sits in such a seat.  It does not come back: who leaves has lost the match."""

    def __init__(self, source: HumanSource, host: BotListener, timekeeper: StallAwareClock) -> None:
        super().__init__(source, host)
        self._timekeeper = timekeeper

    def accept(self, connection: BotConnection) -> None:
        """Take note that somebody has sat down."""
        self.connection = connection
        self.listener.on_connected(self)

    def request_start(self) -> None:
        """Say that nobody sits there: nobody can be fetched, and the seat is not named again."""
        self.listener.on_missing(self, "nobody has sat down there")
        self.listener.forget(self)

    def on_disconnected(self, connection: BotConnection) -> None:
        """Take note that whoever sat there has got up."""
        if self.connection is not connection:
            return
        self.connection = None
        for chair in self.seats():
            chair.match.detach(chair)
        self.charge_crash("left the table", self._timekeeper.now_ms(), new_incident())
        if self.queue:
            self.request_start()


class SeatService:
    """Serves `Sit` on bytes, as the bots' port serves `Connect`."""

    def __init__(
        self,
        *,
        desk: MatchDispatcher,
        key: ControlKey,
        limits: RefereeLimits,
        timekeeper: StallAwareClock,
        post: WriteCoalescer,
    ) -> None:
        self._desk = desk
        self._key = key
        self._limits = limits
        self._timekeeper = timekeeper
        self._post = post

    def handler(self) -> grpc.GenericRpcHandler:
        """Return what a server is to be told."""
        sit: Any = grpc.stream_stream_rpc_method_handler(self._sit)
        return grpc.method_handlers_generic_handler(SERVICE, {"Sit": sit})

    async def _sit(self, _frames: AsyncIterator[bytes], context: Any) -> None:  # noqa: ANN401 - grpc's own
        await self._key.check(context)
        seat_id = next(
            (str(value) for name, value in context.invocation_metadata() or () if name == _SEAT), ""
        )
        if not seat_id:
            await context.abort(
                grpc.StatusCode.INVALID_ARGUMENT, f"{_SEAT}: the call's metadata must name it"
            )
        try:
            connection = await perform_handshake(
                context,
                wait_s=self._limits.hello_s,
                timekeeper=self._timekeeper,
                limits=self._limits,
                post=self._post,
            )
        except HandshakeRejected as away:
            await context.abort(away.code, away.details)
        guest = self._desk.guest(HumanSource(seat_id))
        assert isinstance(guest, HumanSeat)  # noqa: S101 - what the desk makes of a Held
        if guest.is_connected:
            await context.abort(grpc.StatusCode.ALREADY_EXISTS, f"{_SEAT} {seat_id}: somebody sits there")
        guest.accept(connection)
        try:
            await connection.serve()
        finally:
            guest.on_disconnected(connection)
            self._desk.forget(guest)
        if connection.closed is not None and connection.closed[0] is not grpc.StatusCode.OK:
            await context.abort(*connection.closed)
