"""The bots' port: dial-in bots and hosted bots call it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc

from arena.referee_client.orders import DialIn
from referee.bots.hosted_bots import HostedGuest
from referee.bots.remote_bots import DialInGuest
from referee.dispatch.match_dispatcher import Desk
from referee.limits.connection_guard import Doorkeeper
from referee.limits.cpu_slots import Slots
from referee.limits.match_clock import Timekeeper
from referee.limits.referee_limits import Limits
from referee.wire.bot_connection import Connection
from referee.wire.bot_tokens import InUse, Tokens, bearer
from referee.wire.handshake import TurnedAway, greet
from referee.wire.peer_referees import Others
from referee.wire.write_coalescer import Post

SERVICE = "arena.v1.BotService"


class BotService:
    """Serves `Connect` on bytes: frames are taken apart where they are needed."""

    def __init__(
        self,
        *,
        desk: Desk,
        tokens: Tokens,
        doorkeeper: Doorkeeper,
        others: Others,
        slots: Slots,
        limits: Limits,
        timekeeper: Timekeeper,
        post: Post,
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
        """Give what a server is to be told."""
        connect: Any = grpc.stream_stream_rpc_method_handler(self._connect)
        return grpc.method_handlers_generic_handler(SERVICE, {"Connect": connect})

    async def _connect(self, _frames: AsyncIterator[bytes], context: Any) -> None:  # noqa: ANN401 - grpc's own
        try:
            guest = await self._at_the_door(bearer(context.invocation_metadata()))
            connection = await self._greet(context, guest)
        except TurnedAway as away:
            await context.abort(away.code, away.details)
        peer = context.peer()
        self._doorkeeper.welcome(peer)
        guest.welcome(connection)
        try:
            await connection.serve()
        finally:
            self._doorkeeper.farewell(peer)
            guest.lost(connection)
        if connection.closed is not None and connection.closed[0] is not grpc.StatusCode.OK:
            await context.abort(*connection.closed)

    async def _greet(self, context: Any, guest: HostedGuest | DialInGuest) -> Connection:  # noqa: ANN401
        hosted = guest if isinstance(guest, HostedGuest) else None
        try:
            return await greet(
                context,
                wait_s=self._limits.hello_s,
                timekeeper=self._timekeeper,
                limits=self._limits,
                post=self._post,
                slots=self._slots if hosted else None,
                others=None if hosted else self._others,
            )
        except TurnedAway as away:
            if hosted is not None:
                hosted.refuse(away.details)
            raise

    async def _at_the_door(self, token: str) -> HostedGuest | DialInGuest:
        owner = self._owner(token)
        if owner is None:
            await asyncio.sleep(self._limits.unknown_token_s)
            owner = self._owner(token)
        if isinstance(owner, str):
            guest = self._desk.guest(DialIn(owner))
            assert isinstance(guest, DialInGuest)  # noqa: S101 - what the desk makes of a DialIn
            if not guest.connects.spend(1, self._timekeeper.now_ms()):
                raise TurnedAway(
                    f"this token connects too often: {self._limits.connects_per_second} a second is allowed; wait longer",
                    grpc.StatusCode.RESOURCE_EXHAUSTED,
                )
            return guest
        if isinstance(owner, HostedGuest):
            return owner
        if token and not self._tokens.told:
            raise TurnedAway(
                "this referee has just started and knows no tokens yet; try again",
                grpc.StatusCode.UNAVAILABLE,
            )
        raise TurnedAway(
            "authorization: must be `Bearer <token>` with a token that this arena admits",
            grpc.StatusCode.UNAUTHENTICATED,
        )

    def _owner(self, token: str) -> str | HostedGuest | None:
        try:
            return self._tokens.present(token)
        except InUse:
            raise TurnedAway("this one-time token is in use", grpc.StatusCode.ALREADY_EXISTS) from None
