"""Seats that the arena holds itself, for people who play: they come in over the control port, and then are bots like others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import grpc

from arena.referee_client.orders import Held
from referee.bots.bot_handle import Guest, Host
from referee.launch.process_exit import new_incident
from referee.wire.bot_connection import Connection
from referee.wire.handshake import TurnedAway, greet

if TYPE_CHECKING:
    from referee.dispatch.match_dispatcher import Desk
    from referee.limits.match_clock import Timekeeper
    from referee.limits.referee_limits import Limits
    from referee.wire.control_key import Key
    from referee.wire.write_coalescer import Post

SERVICE = "arena.v1.SeatService"
_SEAT = "seat"
"""The metadata that names the seat."""


class HeldGuest(Guest):
    """Whoever sits in such a seat.  It does not come back: who leaves has lost the match."""

    def __init__(self, source: Held, host: Host, timekeeper: Timekeeper) -> None:
        super().__init__(source, host)
        self._timekeeper = timekeeper

    def welcome(self, connection: Connection) -> None:
        """Take note that somebody has sat down."""
        self.connection = connection
        self.host.arrived(self)

    def summon(self) -> None:
        """Say that nobody sits there: nobody can be fetched, and the seat is not named again."""
        self.host.missing(self, "nobody has sat down there")
        self.host.forget(self)

    def lost(self, connection: Connection) -> None:
        """Take note that whoever sat there has got up."""
        if self.connection is not connection:
            return
        self.connection = None
        for chair in self.chairs():
            chair.table.stand(chair)
        self.crash("left the table", self._timekeeper.now_ms(), new_incident())
        if self.queue:
            self.summon()


class SeatService:
    """Serves `Sit` on bytes, as the bots' port serves `Connect`."""

    def __init__(self, *, desk: Desk, key: Key, limits: Limits, timekeeper: Timekeeper, post: Post) -> None:
        self._desk = desk
        self._key = key
        self._limits = limits
        self._timekeeper = timekeeper
        self._post = post

    def handler(self) -> grpc.GenericRpcHandler:
        """Give what a server is to be told."""
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
            connection = await greet(
                context,
                wait_s=self._limits.hello_s,
                timekeeper=self._timekeeper,
                limits=self._limits,
                post=self._post,
            )
        except TurnedAway as away:
            await context.abort(away.code, away.details)
        guest = self._desk.guest(Held(seat_id))
        assert isinstance(guest, HeldGuest)  # noqa: S101 - what the desk makes of a Held
        if guest.present:
            await context.abort(grpc.StatusCode.ALREADY_EXISTS, f"{_SEAT} {seat_id}: somebody sits there")
        guest.welcome(connection)
        try:
            await connection.serve()
        finally:
            guest.lost(connection)
            self._desk.forget(guest)
        if connection.closed is not None and connection.closed[0] is not grpc.StatusCode.OK:
            await context.abort(*connection.closed)
