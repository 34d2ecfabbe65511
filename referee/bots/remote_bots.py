"""Bots that run elsewhere: they may lose their connection in the middle of a match and come back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import grpc

from arena.net import address
from arena.net.address_policy import Forbidden, pin
from arena.net.dialer import explain, open_channel
from arena.referee_client.orders import DialIn, Endpoint, Source
from arena.v1.bot_pb2 import Hello
from referee.bots.bot_handle import BotHandle, BotListener
from referee.launch.process_exit import new_incident
from referee.limits.match_clock import StallAwareClock
from referee.limits.referee_limits import RefereeLimits
from referee.limits.token_bucket import TokenBucket
from referee.wire.bot_connection import BotConnection
from referee.wire.handshake import HandshakeRejected, perform_handshake
from referee.wire.write_coalescer import WriteCoalescer

_METHOD = "/arena.v1.EndpointService/Serve"
_REDIAL_S = 0.5
_CHANNEL_OPTIONS = (
    ("grpc.max_receive_message_length", 4 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.use_local_subchannel_pool", 1),
)


class RemoteBot(BotHandle):
    """A bot whose matches wait for it, their clocks running, when its connection is lost."""

    def __init__(
        self, source: Source, host: BotListener, *, limits: RefereeLimits, timekeeper: StallAwareClock
    ) -> None:
        super().__init__(source, host)
        self.limits = limits
        self.timekeeper = timekeeper
        self._grace: asyncio.TimerHandle | None = None
        self._incident = ""
        """Names the loss of the last connection."""

    def accept(self, connection: BotConnection) -> None:
        """Take note that it has said Hello: its matches go on over this connection."""
        older, self.connection = self.connection, connection
        if self._grace is not None:
            self._grace.cancel()
            self._grace = None
        if older is not None:
            older.close(grpc.StatusCode.ABORTED, "a newer connection of this bot replaced this one")
        for chair in self.seats():
            if not chair.match.over:
                if chair.connection is not None:
                    chair.match.detach(chair)
                chair.match.attach(chair, connection, again=True)
        self.listener.on_connected(self)

    def on_disconnected(self, connection: BotConnection) -> None:
        """Take note that the stream has ended."""
        if self.connection is not connection:
            return
        self.connection = None
        self._incident = connection.incident or new_incident()
        for chair in self.seats():
            chair.match.detach(chair)
        if self.running:
            loop = asyncio.get_running_loop()
            self._grace = loop.call_later(self.limits.reconnect_s, self._give_up)
            self.find_again()
        elif self.queue:
            self.request_start()

    def find_again(self) -> None:
        """See to it that a bot that was lost in play comes back, if anything can be done for that."""

    def _give_up(self) -> None:
        self._grace = None
        self.charge_crash(
            f"its connection was lost and it did not come back within {self.limits.reconnect_s:g} s",
            self.timekeeper.now_ms(),
            self._incident,
        )
        if self.queue:
            self.request_start()


class DialInBot(RemoteBot):
    """A bot that connects by itself."""

    def __init__(
        self,
        source: DialIn,
        host: BotListener,
        *,
        limits: RefereeLimits,
        timekeeper: StallAwareClock,
        presence: Callable[[str, Hello | None], None],
    ) -> None:
        super().__init__(source, host, limits=limits, timekeeper=timekeeper)
        self.token_id = source.token_id
        self.connects = TokenBucket(limits.connects_per_second, timekeeper.now_ms())
        self._presence = presence

    def request_start(self) -> None:
        """Say that it is not there: nobody can fetch it."""
        self.listener.on_missing(self, "it is not connected")

    def accept(self, connection: BotConnection) -> None:
        """Take note that it has said Hello."""
        super().accept(connection)
        self._presence(self.token_id, connection.hello)

    def on_disconnected(self, connection: BotConnection) -> None:
        """Take note that the stream has ended."""
        if self.connection is connection:
            super().on_disconnected(connection)
            self._presence(self.token_id, None)

    def shut_down(self) -> None:
        """End its connection: its token no longer counts."""
        if self.connection is not None:
            self.connection.depart("this token may no longer connect", come_back=False)


class EndpointBot(RemoteBot):
    """A bot that listens, and is dialled."""

    def __init__(
        self,
        source: Endpoint,
        host: BotListener,
        *,
        limits: RefereeLimits,
        timekeeper: StallAwareClock,
        post: WriteCoalescer,
        roots: bytes | None,
        private: bool,
        answered: Callable[[Endpoint, Hello], None],
    ) -> None:
        super().__init__(source, host, limits=limits, timekeeper=timekeeper)
        self.endpoint = source
        self._answered = answered
        self._post = post
        self._roots = roots
        self._private = private
        self._address = address.parse(source.address)
        self._line: asyncio.Task[None] | None = None
        self._idle: asyncio.TimerHandle | None = None

    def request_start(self) -> None:
        """Dial it, unless that is going on."""
        if self._line is None:
            self._line = asyncio.create_task(self._keep_line())

    def accept(self, connection: BotConnection) -> None:
        """Take note that it has said Hello."""
        super().accept(connection)
        self._answered(self.endpoint, connection.hello)

    def on_match_over(self) -> None:
        """Hang up some time after the last match."""
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(self.limits.endpoint_idle_s, self._hang_up)

    def shut_down(self) -> None:
        """Hang up."""
        if self.connection is not None:
            self.connection.depart("no longer needed", come_back=True)

    def _hang_up(self) -> None:
        if not self.running and not self.queue:
            self.shut_down()

    async def _keep_line(self) -> None:
        try:
            while True:
                reason = await self._dial()
                if not self.running:
                    break
                await asyncio.sleep(_REDIAL_S)
        finally:
            self._line = None
        if self.queue:
            self.listener.on_missing(self, f"endpoint {self.endpoint.address}: {reason}")

    async def _dial(self) -> str:
        """Hold one connection from its Hello to its end; says how it ended, or why it never was."""
        reasons = []
        try:
            async with asyncio.timeout(self.limits.dial_s):
                ways = await pin(self._address, private=self._private)
        except TimeoutError:
            return f"its name could not be looked up within {self.limits.dial_s:g} s"
        except OSError as error:
            return f"its name could not be looked up: {error.strerror}"
        except Forbidden as error:
            return str(error)
        for way in ways:
            met, reason = await self._talk(way)
            if met:
                return reason
            reasons.append(reason)
        return "; ".join(reasons)

    async def _talk(self, way: address.Address) -> tuple[bool, str]:
        """Dial it one way; says whether it said Hello, and how it ended."""
        metadata = (("authorization", f"Bearer {self.endpoint.secret}"),) if self.endpoint.secret else None
        async with open_channel(way, self._roots, _CHANNEL_OPTIONS) as channel:
            call: Any = channel.stream_stream(_METHOD)(metadata=metadata)
            try:
                connection = await perform_handshake(
                    call,
                    wait_s=self.limits.dial_s,
                    timekeeper=self.timekeeper,
                    limits=self.limits,
                    post=self._post,
                )
            except HandshakeRejected as away:
                if not call.done():
                    call.cancel()
                    return False, away.details
                return False, await self._why(call, away.details)
            except (grpc.RpcError, grpc.aio.BaseError) as error:
                return False, await self._why(call, str(error))
            self.accept(connection)
            try:
                await connection.serve()
            finally:
                self.on_disconnected(connection)
                call.cancel()
            return True, "it closed its stream"

    async def _why(self, call: Any, otherwise: str) -> str:  # noqa: ANN401 - grpc's own
        """Return why a call ended; one that we cancelled ourselves, for the reason that we had."""
        if await call.code() is grpc.StatusCode.CANCELLED:
            return otherwise
        details = await call.details() or otherwise
        return f"{(await call.code()).name}: {explain(self._address, details)}"
