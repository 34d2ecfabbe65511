"""Being an endpoint: the bot listens, and the arena's referees connect to it."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator
from typing import Any

import grpc
from grpc.aio import Server
from grpc.aio import server as new_server

from arena.net.certificate import Certificate
from arena.net.listener_policy import listen
from arena.sdk.bot_stream import converse
from arena.sdk.conversation import BotCrash, Conversation, Player
from arena.v1.bot_pb2 import ConnectRequest, ConnectResponse

_SERVICE = "arena.v1.EndpointService"
_OPTIONS = (
    ("grpc.max_receive_message_length", 16 << 20),
    ("grpc.so_reuseport", 0),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 1_000),
)


class Endpoint:
    """Serves the bot to clients that know its secret, until it crashes.  Made inside a running event loop."""

    def __init__(self, player: Player, secret: str) -> None:
        self._player = player
        self._secret = f"Bearer {secret}".encode() if secret else b""
        self._server: Server | None = None
        self._crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def start(self, address: str, *, certificate: Certificate | None = None, tls: bool = True) -> str:
        """Listen; give the address with its port.  Raises UsageError."""
        server = new_server(options=_OPTIONS)
        # The same bytes as `ServeRequest` and `ServeResponse`, so that both ways in are one code path.
        handler = grpc.stream_stream_rpc_method_handler(
            self._serve,
            request_deserializer=ConnectResponse.FromString,
            response_serializer=ConnectRequest.SerializeToString,
        )
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE, {"Serve": handler}),))
        where = listen(server, address, "--listen", certificate=certificate, tls=tls)
        await server.start()
        self._server = server
        return where

    async def wait(self) -> None:
        """Serve until the bot crashes.  Raises BotCrash."""
        try:
            await self._crashed
        finally:
            if self._server is not None:
                await self._server.stop(None)

    async def _serve(self, _requests: AsyncIterator[ConnectResponse], context: Any) -> None:  # noqa: ANN401
        if self._secret and not hmac.compare_digest(_authorization(context), self._secret):
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED, "authorization: must be `Bearer <the bot's secret>`"
            )
        conversation = Conversation(self._player)
        try:
            await converse(context, conversation, self._player.hello())
        except BotCrash as crash:
            if not self._crashed.done():
                self._crashed.set_exception(crash)
            await context.abort(grpc.StatusCode.INTERNAL, f"the bot crashed: {str(crash).splitlines()[-1]}")
        finally:
            conversation.close()


def _authorization(context: Any) -> bytes:  # noqa: ANN401 - grpc's own
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            return value if isinstance(value, bytes) else str(value).encode()
    return b""
