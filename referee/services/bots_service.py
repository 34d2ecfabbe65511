"""The service of the bots' port, called by dial-in bots and hosted bots."""

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
    """Serves `Connect` on bytes; frames are parsed by the connection."""

    def __init__(
        self,
        *,
        dispatcher: MatchDispatcher,
        tokens: BotTokens[HostedBot],
        guard: ConnectionGuard,
        peers: PeerReferees,
        slots: Slots,
        limits: RefereeLimits,
        clock: StallAwareClock,
        coalescer: WriteCoalescer,
    ) -> None:
        self._dispatcher = dispatcher
        self._tokens = tokens
        self._guard = guard
        self._peers = peers
        self._slots = slots
        self._limits = limits
        self._clock = clock
        self._coalescer = coalescer

    def handler(self) -> grpc.GenericRpcHandler:
        """Return the handler to add to a server."""
        connect: Any = grpc.stream_stream_rpc_method_handler(self._connect)
        return grpc.method_handlers_generic_handler(SERVICE, {"Connect": connect})

    async def _connect(self, _frames: AsyncIterator[bytes], context: Any) -> None:  # noqa: ANN401 - grpc's own
        try:
            bot = await self._authenticate(bearer(context.invocation_metadata()))
            connection = await self._shake_hands(context, bot)
        except HandshakeRejected as rejection:
            await context.abort(rejection.code, rejection.details)
        peer = context.peer()
        self._guard.on_hello(peer)
        bot.accept(connection)
        try:
            await connection.serve()
        finally:
            self._guard.on_stream_end(peer)
            bot.on_disconnected(connection)
        if connection.closed is not None and connection.closed[0] is not grpc.StatusCode.OK:
            await context.abort(*connection.closed)

    async def _shake_hands(self, context: Any, bot: HostedBot | DialInBot) -> BotConnection:  # noqa: ANN401
        hosted = bot if isinstance(bot, HostedBot) else None
        try:
            return await perform_handshake(
                context,
                wait_s=self._limits.hello_s,
                clock=self._clock,
                limits=self._limits,
                coalescer=self._coalescer,
                slots=self._slots if hosted else None,
                peers=None if hosted else self._peers,
            )
        except HandshakeRejected as rejection:
            if hosted is not None and rejection.has_ended:
                await hosted.on_hello_missed(rejection.details)
            elif hosted is not None:
                hosted.on_handshake_rejected(rejection.details)
            raise

    async def _authenticate(self, token: str) -> HostedBot | DialInBot:
        """Return the bot that a token belongs to.  Raises HandshakeRejected."""
        owner = self._owner(token)
        if owner is None:
            await asyncio.sleep(self._limits.unknown_token_s)
            owner = self._owner(token)
        if isinstance(owner, str):
            bot = self._dispatcher.find_bot(DialIn(owner))
            assert isinstance(bot, DialInBot)  # noqa: S101 - the dispatcher makes one of a DialIn
            if not bot.connects.try_consume(1, self._clock.now_ms()):
                raise HandshakeRejected(
                    f"this token connects too often: {self._limits.connects_per_second} a second is allowed; wait longer",
                    grpc.StatusCode.RESOURCE_EXHAUSTED,
                )
            return bot
        if isinstance(owner, HostedBot):
            return owner
        if token and not self._tokens.is_complete:
            raise HandshakeRejected(
                "this referee has just started and knows no tokens yet; try again",
                grpc.StatusCode.UNAVAILABLE,
            )
        raise HandshakeRejected(
            "authorization: must be `Bearer <token>` with a token that this arena admits",
            grpc.StatusCode.UNAUTHENTICATED,
        )

    def _owner(self, token: str) -> str | HostedBot | None:
        """Return the id of an admitted token, or the bot of a one-time token.  Raises HandshakeRejected."""
        try:
            return self._tokens.redeem(token)
        except TokenInUse:
            raise HandshakeRejected("this one-time token is in use", grpc.StatusCode.ALREADY_EXISTS) from None
