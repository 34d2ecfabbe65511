"""A call to a referee by grpc.aio: to anywhere, with TLS or without."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from grpc.aio import AioRpcError

from arena.net.address import Address
from arena.net.dialer import explain, open_channel, read_roots
from arena.sdk.bot_stream import converse
from arena.sdk.call_end import CallEnd, Code
from arena.sdk.conversation import Conversation
from arena.v1.bot_pb2 import ConnectRequest, ConnectResponse

_OPTIONS = (
    ("grpc.max_receive_message_length", 16 << 20),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
)


async def talk(
    where: Address,
    method: str,
    token: str,
    conversation: Conversation,
    hello: ConnectRequest,
    heard: Callable[[], None],
) -> CallEnd:
    """Call a method, talk until the stream ends, and return how; `heard` is called after each reading.

    Raises BotCrash, and UsageError for root certificates that cannot be read.
    """
    roots = read_roots(os.environ.get("ARENA_CA", "")) if where.tls else None
    async with open_channel(where, roots, _OPTIONS) as channel:
        call: Any = channel.stream_stream(
            method,
            request_serializer=ConnectRequest.SerializeToString,
            response_deserializer=ConnectResponse.FromString,
        )(metadata=(("authorization", f"Bearer {token}"),))
        with suppress(AioRpcError, asyncio.InvalidStateError):  # the call's status says why
            await converse(call, conversation, hello, heard)
        details: str | None = await call.details()
        return CallEnd(Code[(await call.code()).name], explain(where, details) if details else "")
