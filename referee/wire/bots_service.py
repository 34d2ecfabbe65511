"""The bots' port: dial-in bots and hosted bots call it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc

from arena.referee_client.orders import DialIn
from referee.bots.hosted_bots import HostedBot
from referee.bots.remote_bots import DialInBot
from referee.dispatch.match_dispatcher import MatchDispatcher
from referee.limits.connection_guard import ConnectionGuard
from referee.limits.cpu_slots import Slots
from referee.limits.match_clock import StallAwareClock
from referee.limits.referee_limits import RefereeLimits
from referee.wire.bot_connection import BotConnection
from referee.wire.bot_tokens import BotTokens, TokenInUse, bearer
from referee.wire.handshake import HandshakeRejected, perform_handshake
from referee.wire.peer_referees import PeerReferees
from referee.wire.write_coalescer import WriteCoalescer

SERVICE = "arena.v1.BotService"


class BotService:
    """Serves `Connect` on bytes: frames are taken apart where they are needed."""

    def __init__(
        self,
        *,
        desk: MatchDispatcher,
        tokens: BotTokens,
        doorkeeper: ConnectionGuard,
        others: PeerReferees,
        slots: Slots,
        limits: RefereeLimits,
        timekeeper: StallAwareClock,
        post: WriteCoalescer,
    ) -> None:
        self._desk = desk
        self._tokens = tokens
        self._doorkeeper = doorkeeper
        self._others = others
        self._slots = slots
        self._limits = limits
        self._timekeeper = timekeeper
        self._post = post

    def handler(self) -> grpc.GenericRpcHandler:
        """Return what a server is to be told."""
        connect: Any = grpc.stream_stream_rpc_method_handler(self._connect)
        return grpc.method_handlers_generic_handler(SERVICE, {"Connect": connect})

    async def _connect(self, _frames: AsyncIterator[bytes], context: Any) -> None:  # noqa: ANN401 - grpc's own
        try:
            guest = await self._at_the_door(bearer(context.invocation_metadata()))
            connection = await self._greet(context, guest)
        except HandshakeRejected as away:
            await context.abort(away.code, away.details)
        peer = context.peer()
        self._doorkeeper.welcome(peer)
        guest.accept(connection)
        try:
            await connection.serve()
        finally:
            self._doorkeeper.farewell(peer)
            guest.on_disconnected(connection)
        if connection.closed is not None and connection.closed[0] is not grpc.StatusCode.OK:
            await context.abort(*connection.closed)

    async def _greet(self, context: Any, guest: HostedBot | DialInBot) -> BotConnection:  # noqa: ANN401
        hosted = guest if isinstance(guest, HostedBot) else None
        try:
            return await perform_handshake(
                context,
                wait_s=self._limits.hello_s,
                timekeeper=self._timekeeper,
                limits=self._limits,
                post=self._post,
                slots=self._slots if hosted else None,
                others=None if hosted else self._others,
            )
        except HandshakeRejected as away:
            if hosted is not None:
                hosted.refuse(away.details)
            raise

    async def _at_the_door(self, token: str) -> HostedBot | DialInBot:
        owner = self._owner(token)
        if owner is None:
            await asyncio.sleep(self._limits.unknown_token_s)
            owner = self._owner(token)
        if isinstance(owner, str):
            guest = self._desk.guest(DialIn(owner))
            assert isinstance(guest, DialInBot)  # noqa: S101 - what the desk makes of a DialIn
            if not guest.connects.try_consume(1, self._timekeeper.now_ms()):
                raise HandshakeRejected(
                    f"this token connects too often: {self._limits.connects_per_second} a second is allowed; wait longer",
                    grpc.StatusCode.RESOURCE_EXHAUSTED,
                )
            return guest
        if isinstance(owner, HostedBot):
            return owner
        if token and not self._tokens.told:
            raise HandshakeRejected(
                "this referee has just started and knows no tokens yet; try again",
                grpc.StatusCode.UNAVAILABLE,
            )
        raise HandshakeRejected(
            "authorization: must be `Bearer <token>` with a token that this arena admits",
            grpc.StatusCode.UNAUTHENTICATED,
        )

    def _owner(self, token: str) -> str | HostedBot | None:
        try:
            return self._tokens.present(token)
        except TokenInUse:
            raise HandshakeRejected("this one-time token is in use", grpc.StatusCode.ALREADY_EXISTS) from None
