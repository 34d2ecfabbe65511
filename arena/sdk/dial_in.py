"""Dialling in: the bot connects to the arena's referees, and again whenever a connection breaks."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from random import uniform
from time import monotonic
from typing import Any

import grpc
from grpc.aio import AioRpcError

from arena.errors import UsageError
from arena.net.address import Address, parse, read_tls
from arena.net.dialling import explain, open_channel, read_roots
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

    The address is TLS or not as arena.net.address says; ARENA_TLS=off is the clear where it does not say, and
    ARENA_CA names a file of root certificates that are trusted beside the system's.
    Raises Refused if the first one does not know the token, UsageError for a bad address or file, and BotCrash.
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
    try:
        where = parse(address, tls=read_tls(os.environ.get("ARENA_TLS", "")))
    except UsageError as error:
        if first:
            raise
        _tell(f"a referee of the arena cannot be reached: {error}")
        return
    pause_s = _FIRST_PAUSE_S
    while True:
        began = monotonic()
        parting = await _talk(player, where, token, reach)
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


async def _talk(player: Player, where: Address, token: str, reach: _Reach) -> _Parting:
    conversation = Conversation(player)
    roots = read_roots(os.environ.get("ARENA_CA", "")) if where.tls else None
    async with open_channel(where, roots, _OPTIONS) as channel:
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
        return _judge(where, conversation, await call.code(), await call.details())


def _judge(where: Address, conversation: Conversation, code: grpc.StatusCode, details: str) -> _Parting:
    goodbye = conversation.goodbye
    if goodbye is not None:
        return _Parting(goodbye.reason or "goodbye", code, for_good=not goodbye.come_back)
    return _Parting(explain(where, details) if details else code.name, code)


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201
