"""The service on the control port through which people take their seats."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc

from arena.referee_client.orders import HumanSource
from referee.bots.human_seats import HumanSeat
from referee.dispatch.draining import METADATA, REASON, Draining
from referee.dispatch.match_dispatcher import MatchDispatcher
from referee.limits.match_clock import StallAwareClock
from referee.limits.referee_limits import RefereeLimits
from referee.wire.control_key import ControlKey
from referee.wire.handshake import HandshakeRejected, perform_handshake
from referee.wire.write_coalescer import WriteCoalescer

SERVICE = "arena.v1.SeatService"
_SEAT = "seat"
"""The metadata that names the seat."""


class SeatService:
    """Serves `Sit` on bytes, as the bots' port serves `Connect`."""

    def __init__(
        self,
        *,
        dispatcher: MatchDispatcher,
        draining: Draining,
        key: ControlKey,
        limits: RefereeLimits,
        clock: StallAwareClock,
        coalescer: WriteCoalescer,
    ) -> None:
        self._dispatcher = dispatcher
        self._draining = draining
        self._key = key
        self._limits = limits
        self._clock = clock
        self._coalescer = coalescer

    def handler(self) -> grpc.GenericRpcHandler:
        """Return the handler to add to a server."""
        sit: Any = grpc.stream_stream_rpc_method_handler(self._sit)
        return grpc.method_handlers_generic_handler(SERVICE, {"Sit": sit})

    async def _sit(self, _frames: AsyncIterator[bytes], context: Any) -> None:  # noqa: ANN401 - grpc's own
        await self._key.check(context)
        if self._draining.is_on:
            await context.abort(grpc.StatusCode.UNAVAILABLE, REASON, METADATA)
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
                clock=self._clock,
                limits=self._limits,
                coalescer=self._coalescer,
            )
        except HandshakeRejected as rejection:
            await context.abort(rejection.code, rejection.details)
        bot = self._dispatcher.find_bot(HumanSource(seat_id))
        assert isinstance(bot, HumanSeat)  # noqa: S101 - the dispatcher makes one of a HumanSource
        if bot.is_connected:
            await context.abort(
                grpc.StatusCode.ALREADY_EXISTS, f"{_SEAT} {seat_id}: a player has joined it already"
            )
        bot.accept(connection)
        try:
            await connection.serve()
        finally:
            bot.on_disconnected(connection)
            self._dispatcher.forget(bot)
        if connection.closed is not None and connection.closed[0] is not grpc.StatusCode.OK:
            await context.abort(*connection.closed)
