"""The arena's side of one bot's stream, by itself: it asks, and waits as long as the bot takes."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.core import child_process, grpc_environment  # noqa: F401 - transport settles how grpc runs
from arena.core.errors import ArenaError
from arena.core.socket_folder import socket_folder
from arena.net.address import grpc_target, parse
from arena.net.dialer import explain, open_channel, read_roots
from arena.referee_client import Endpoint, Hosted
from arena.referee_client.programs import NOT_RUN, command
from arena.v1.bot_pb2 import (
    ArenaMessage,
    BotMessage,
    ConnectRequest,
    ConnectResponse,
    Goodbye,
    Hello,
    Welcome,
)

import grpc  # isort: skip - after arena.core.grpc_environment

PROTOCOL = 1
_START_S = 30.0
_LEAVE_S = 2.0
_EXIT_S = 5.0
"""Seconds that a bot whose stream has ended has to exit, as in a referee (referee_limits.py)."""

_METHOD = "/arena.v1.EndpointService/Serve"
_OPTIONS = (("grpc.max_receive_message_length", 1 << 20), ("grpc.so_reuseport", 0))


class BotFailed(ArenaError):  # noqa: N818 - it says what happened
    """Raised when the bot is not there, goes away, or says what is not to be said now; in words for its author."""


@dataclass(slots=True)
class Partner:
    """A bot that has said Hello."""

    hello: Hello
    _stream: Any
    _ended: asyncio.Future[str]
    """Its process's end, in words; never done for a bot that listens."""

    async def tell(self, *messages: ArenaMessage) -> None:
        """Send messages.  Raises BotFailed."""
        await _or_gone(self._stream.write(ConnectResponse(messages=messages)), self._ended)

    async def hear(self) -> BotMessage:
        """Wait for the one message that is due.  Raises BotFailed."""
        messages: list[BotMessage] = []
        while not messages:
            frame = await _or_gone(self._stream.read(), self._ended)
            if frame is grpc.aio.EOF:
                raise await _gone(self._ended, "it ended the stream")
            messages = list(frame.messages)
        if len(messages) > 1:
            raise BotFailed(f"it sent {len(messages)} messages where one was due")
        return messages[0]


@asynccontextmanager
async def meet(
    source: Hosted | Endpoint, environment: Mapping[str, str] | None = None
) -> AsyncIterator[Partner]:
    """Start a bot, or dial one that listens, and hear its Hello; it is gone when the context ends.

    `environment` is added to that of a program, whose terminal is this process's.  Raises BotFailed, UsageError.
    """
    async with AsyncExitStack() as stack:
        if isinstance(source, Endpoint):
            ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            stream = await stack.enter_async_context(_dial(source))
        else:
            stream, ended = await stack.enter_async_context(_start(source.program, environment or {}))
        partner = Partner(Hello(), stream, ended)
        try:
            first = await asyncio.wait_for(partner.hear(), _START_S)
        except TimeoutError:
            raise BotFailed(f"it said no Hello within {_START_S:g} s") from None
        if first.WhichOneof("message") != "hello":
            raise BotFailed("its first message must be a Hello")
        partner.hello = first.hello
        if partner.hello.protocol != PROTOCOL:
            raise BotFailed(f"Hello.protocol {partner.hello.protocol}: the arena speaks {PROTOCOL}")
        await partner.tell(ArenaMessage(welcome=Welcome(protocol=PROTOCOL, max_frame_bytes=1 << 16)))
        try:
            yield partner
        finally:  # also where this side breaks off: without a goodbye the bot would connect again
            with suppress(BotFailed):
                await partner.tell(ArenaMessage(goodbye=Goodbye(reason="that was all")))


@asynccontextmanager
async def _dial(source: Endpoint) -> AsyncIterator[Any]:
    where = parse(source.address)
    roots = read_roots(os.environ.get("ARENA_CA", "")) if where.tls else None
    async with open_channel(where, roots, _OPTIONS) as channel:
        try:
            await asyncio.wait_for(channel.channel_ready(), _START_S if where.tls else 5.0)
        except TimeoutError:
            raise BotFailed(
                f"nobody answers at {source.address}; start it with --listen {source.address}"
            ) from None
        call: Any = channel.stream_stream(
            _METHOD,
            request_serializer=ConnectResponse.SerializeToString,
            response_deserializer=ConnectRequest.FromString,
        )(metadata=(("authorization", f"Bearer {source.secret}"),))
        try:
            yield call
        except grpc.aio.AioRpcError as error:
            raise BotFailed(explain(where, error.details() or error.code().name)) from error
        finally:
            call.cancel()


@asynccontextmanager
async def _start(
    program: str, environment: Mapping[str, str]
) -> AsyncIterator[tuple[Any, asyncio.Future[str]]]:
    arguments = command(program)
    token = secrets.token_hex(16)
    streams: asyncio.Queue[Any] = asyncio.Queue()
    over = asyncio.Event()

    async def connect(_requests: object, context: Any) -> None:  # noqa: ANN401 - grpc's own
        if dict(context.invocation_metadata() or ()).get("authorization") != f"Bearer {token}":
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED, "authorization: must be `Bearer <what ARENA_TOKEN says>`"
            )
        streams.put_nowait(context)
        await over.wait()

    with socket_folder() as folder:
        address = f"unix:{Path(folder, 'bots')}"
        server = grpc.aio.server(options=_OPTIONS)
        handler = grpc.stream_stream_rpc_method_handler(
            connect,
            request_deserializer=ConnectRequest.FromString,
            response_serializer=ConnectResponse.SerializeToString,
        )
        handlers = grpc.method_handlers_generic_handler("arena.v1.BotService", {"Connect": handler})
        server.add_generic_rpc_handlers((handlers,))
        server.add_insecure_port(grpc_target(address))
        await server.start()
        started = child_process.start(
            arguments,
            environment={
                "ARENA_REFEREE": address,
                "ARENA_TOKEN": token,
                "PYTHONUNBUFFERED": "1",
                **environment,
            },
            stdout=2,  # stdout is for results
            terminal=True,
            guarded=True,
        )
        waiting = asyncio.ensure_future(asyncio.to_thread(started.wait))
        ended = asyncio.ensure_future(_tell_end(waiting))
        try:
            try:
                stream = await _or_gone(streams.get(), ended, _START_S)
            except BotFailed as error:
                why = f"it never connected to ARENA_REFEREE: {error}"
                if waiting.done() and waiting.result() == 0:
                    why = f"{why}; {NOT_RUN}"
                raise BotFailed(why) from None
            yield stream, ended
        finally:
            over.set()
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(waiting), _LEAVE_S)
            child_process.stop_guarded(started, grace_s=_LEAVE_S)
            await ended
            await server.stop(None)


async def _tell_end(waiting: asyncio.Future[int]) -> str:
    code = await waiting
    return f"its process ended with {f'exit code {code}' if code >= 0 else f'signal {-code}'}"


async def _or_gone(doing: Any, ended: asyncio.Future[str], within_s: float | None = None) -> Any:  # noqa: ANN401
    """Wait for something, or for the bot's end.  Raises BotFailed."""
    task = asyncio.ensure_future(doing)
    await asyncio.wait({task, ended}, timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        task.cancel()
        raise await _gone(ended, f"nothing within {within_s} s")
    try:
        return task.result()
    except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError) as error:
        details = error.details() if isinstance(error, grpc.aio.AioRpcError) else ""
        raise await _gone(ended, details or "its connection broke") from error


async def _gone(ended: asyncio.Future[str], otherwise: str) -> BotFailed:
    """Return why the bot is gone: a process that crashed ends its stream a moment before itself."""
    if isinstance(ended, asyncio.Task):
        await asyncio.wait({ended}, timeout=_EXIT_S)
    return BotFailed(ended.result() if ended.done() else otherwise)
