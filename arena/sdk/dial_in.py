"""Dialling in: the bot connects to the arena's referees, and again whenever a connection breaks."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import uniform
from time import monotonic
from typing import Any

import grpc
from grpc.aio import AioRpcError, Channel, insecure_channel, secure_channel

from arena.sdk.conversation import Conversation, Player
from arena.sdk.stream import converse
from arena.v1.bot_pb2 import ConnectRequest, ConnectResponse

_METHOD = "/arena.v1.BotService/Connect"
_FIRST_PAUSE_S = 0.2
_LONGEST_PAUSE_S = 15.0
_STEADY_S = 10.0
"""A connection that lasted this long was a good one: after it the pauses begin anew."""
_OPTIONS = (
    ("grpc.max_receive_message_length", 16 << 20),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
)


_Reach = Callable[[tuple[str, ...]], None]
"""Told the addresses of the arena's other referees."""


class Refused(Exception):  # noqa: N818 - the field's own word for it
    """Raised when the arena does not let the bot in, and trying again would not help."""


@dataclass(frozen=True, slots=True)
class _Parting:
    """How a connection ended."""

    why: str
    code: grpc.StatusCode
    for_good: bool = False


async def dial_in(player: Player, address: str, token: str) -> None:
    """Play for the referee at an address, and for the others it names, until the arena says goodbye for good.

    Raises Refused if the first one does not know the token, and BotCrash.
    """
    lines: dict[str, asyncio.Task[None]] = {}

    def reach(referees: tuple[str, ...]) -> None:
        for referee in referees:
            if referee not in lines:
                line = _keep_line(player, referee, token, reach, first=not lines)
                lines[referee] = asyncio.create_task(line)

    reach((address,))
    try:
        while pending := [line for line in lines.values() if not line.done()]:
            done, _ = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for line in done:
                line.result()
    finally:
        for line in lines.values():
            line.cancel()


async def _keep_line(player: Player, address: str, token: str, reach: _Reach, *, first: bool) -> None:
    pause_s = _FIRST_PAUSE_S
    while True:
        began = monotonic()
        parting = await _talk(player, address, token, reach)
        if parting.code is grpc.StatusCode.UNAUTHENTICATED and first:
            raise Refused(f"the arena refused the connection: {parting.why}")
        if parting.for_good:
            return
        if monotonic() - began > _STEADY_S:
            pause_s = _FIRST_PAUSE_S
        wait_s = pause_s * uniform(0.5, 1.0)
        _tell(f"{address}: {parting.why}; connecting again in {wait_s:.1f} s")
        await asyncio.sleep(wait_s)
        pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)


async def _talk(player: Player, address: str, token: str, reach: _Reach) -> _Parting:
    conversation = Conversation(player)
    async with _channel(address) as channel:
        call: Any = channel.stream_stream(
            _METHOD,
            request_serializer=ConnectRequest.SerializeToString,
            response_deserializer=ConnectResponse.FromString,
        )(metadata=(("authorization", f"Bearer {token}"),))
        try:
            await converse(call, conversation, player.hello(), lambda: reach(conversation.referees))
        except (AioRpcError, asyncio.InvalidStateError):
            pass  # the call's status says why
        finally:
            conversation.close()
        return _judge(conversation, await call.code(), await call.details())


def _judge(conversation: Conversation, code: grpc.StatusCode, details: str) -> _Parting:
    goodbye = conversation.goodbye
    if goodbye is not None:
        return _Parting(goodbye.reason or "goodbye", code, for_good=not goodbye.come_back)
    return _Parting(details or code.name, code)


def _channel(address: str) -> Channel:
    """Open a channel: in the clear on this machine or with ARENA_TLS=off, else with TLS.

    ARENA_CA names a file of root certificates, where the system's are not the right ones.
    """
    if is_local(address) or os.environ.get("ARENA_TLS") == "off":
        return insecure_channel(address, options=_OPTIONS)
    roots = os.environ.get("ARENA_CA")
    credentials = grpc.ssl_channel_credentials(Path(roots).read_bytes() if roots else None)
    return secure_channel(address, credentials, options=_OPTIONS)


def is_local(address: str) -> bool:
    """Tell whether an address is on this machine."""
    host = address.rpartition(":")[0].strip("[]")
    return address.startswith("unix:") or host in {"localhost", "::1"} or host.startswith("127.")


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201
