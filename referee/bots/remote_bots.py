"""Bots that run elsewhere: they may lose their connection during a match and reconnect."""

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
    """A bot whose matches wait for it, with their clocks running, when its connection is lost."""

    def __init__(
        self, source: Source, listener: BotListener, *, limits: RefereeLimits, clock: StallAwareClock
    ) -> None:
        super().__init__(source, listener)
        self._limits = limits
        self._clock = clock
        self._grace: asyncio.TimerHandle | None = None
        self._incident = ""
        """The incident of the last connection's loss."""

    def accept(self, connection: BotConnection) -> None:
        """Continue its matches over a connection that has sent its Hello; it replaces an older one."""
        older, self.connection = self.connection, connection
        if self._grace is not None:
            self._grace.cancel()
            self._grace = None
        if older is not None:
            older.close(grpc.StatusCode.ABORTED, "a newer connection of this bot replaced this one")
        for seat in self.seats():
            seat.resume(connection)
        self.listener.on_connected(self)

    def on_disconnected(self, connection: BotConnection) -> None:
        """Wait for the bot to reconnect if it is in a match."""
        if self.connection is not connection:
            return
        self.connection = None
        self._incident = connection.incident or new_incident()
        for seat in self.seats():
            seat.detach()
        if self.running:
            loop = asyncio.get_running_loop()
            self._grace = loop.call_later(self._limits.reconnect_s, self._give_up)
            self.reconnect()
        elif self.listener.has_orders_for(self):
            self.request_start()

    def reconnect(self) -> None:
        """Try to reconnect a bot whose connection was lost in a match; by itself it may come back, too."""

    def _give_up(self) -> None:
        self._grace = None
        self.charge_crash(
            f"its connection was lost and it did not come back within {self._limits.reconnect_s:g} s",
            self._clock.now_ms(),
            self._incident,
        )
        if self.listener.has_orders_for(self):
            self.request_start()


class DialInBot(RemoteBot):
    """A bot that connects by itself."""

    def __init__(
        self,
        source: DialIn,
        listener: BotListener,
        *,
        limits: RefereeLimits,
        clock: StallAwareClock,
        on_presence: Callable[[str, Hello | None], None],
    ) -> None:
        super().__init__(source, listener, limits=limits, clock=clock)
        self.token_id = source.token_id
        self.connects = TokenBucket(limits.connects_per_second, clock.now_ms())
        self._on_presence = on_presence

    def request_start(self) -> None:
        """Report it missing: the referee cannot reach a bot that dials in."""
        self.listener.on_missing(self, "it is not connected")

    def accept(self, connection: BotConnection) -> None:
        """Report its Hello, and begin its matches."""
        super().accept(connection)
        self._on_presence(self.token_id, connection.hello)

    def on_disconnected(self, connection: BotConnection) -> None:
        """Wait for the bot to reconnect if it is in a match."""
        if self.connection is connection:
            super().on_disconnected(connection)
            self._on_presence(self.token_id, None)

    def shut_down(self) -> None:
        """End its connection: its token no longer counts."""
        if self.connection is not None:
            self.connection.say_goodbye("this token may no longer connect", come_back=False)


class EndpointBot(RemoteBot):
    """A bot that listens at an address, which the referee dials."""

    def __init__(
        self,
        source: Endpoint,
        listener: BotListener,
        *,
        limits: RefereeLimits,
        clock: StallAwareClock,
        coalescer: WriteCoalescer,
        roots: bytes | None,
        private: bool,
        on_answered: Callable[[Endpoint, Hello], None],
    ) -> None:
        super().__init__(source, listener, limits=limits, clock=clock)
        self.endpoint = source
        self._on_answered = on_answered
        self._coalescer = coalescer
        self._roots = roots
        self._private = private
        self._address = address.parse(source.address)
        self._dialing: asyncio.Task[None] | None = None
        self._idle: asyncio.TimerHandle | None = None

    def request_start(self) -> None:
        """Dial it, unless that is going on."""
        if self._dialing is None:
            self._dialing = asyncio.create_task(self._keep_connected())

    def accept(self, connection: BotConnection) -> None:
        """Report its Hello, and begin its matches."""
        super().accept(connection)
        self._on_answered(self.endpoint, connection.hello)

    def on_match_over(self) -> None:
        """Hang up some time after the last match."""
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(self._limits.endpoint_idle_s, self._hang_up)

    def shut_down(self) -> None:
        """Hang up."""
        if self.connection is not None:
            self.connection.say_goodbye("no longer needed", come_back=True)

    def _hang_up(self) -> None:
        if not self.running and not self.listener.has_orders_for(self):
            self.shut_down()

    async def _keep_connected(self) -> None:
        try:
            while True:
                reason = await self._dial()
                if not self.running:
                    break
                await asyncio.sleep(_REDIAL_S)
        finally:
            self._dialing = None
        if self.listener.has_orders_for(self):
            self.listener.on_missing(self, f"endpoint {self.endpoint.address}: {reason}")

    async def _dial(self) -> str:
        """Dial the endpoint and serve the connection; return why it ended, or why it could not be made."""
        reasons = []
        try:
            async with asyncio.timeout(self._limits.dial_s):
                routes = await pin(self._address, private=self._private)
        except TimeoutError:
            return f"its name could not be looked up within {self._limits.dial_s:g} s"
        except OSError as error:
            return f"its name could not be looked up: {error.strerror}"
        except Forbidden as error:
            return str(error)
        for route in routes:
            met, reason = await self._serve(route)
            if met:
                return reason
            reasons.append(reason)
        return "; ".join(reasons)

    async def _serve(self, route: address.Address) -> tuple[bool, str]:
        """Dial one address; return whether the bot sent a Hello, and why the connection ended."""
        metadata = (("authorization", f"Bearer {self.endpoint.secret}"),) if self.endpoint.secret else None
        async with open_channel(route, self._roots, _CHANNEL_OPTIONS) as channel:
            call: Any = channel.stream_stream(_METHOD)(metadata=metadata)
            try:
                connection = await perform_handshake(
                    call,
                    wait_s=self._limits.dial_s,
                    clock=self._clock,
                    limits=self._limits,
                    coalescer=self._coalescer,
                )
            except HandshakeRejected as rejection:
                if not call.done():
                    call.cancel()
                    return False, rejection.details
                return False, await self._end_reason(call, rejection.details)
            except (grpc.RpcError, grpc.aio.BaseError) as error:
                return False, await self._end_reason(call, str(error))
            self.accept(connection)
            try:
                await connection.serve()
            finally:
                self.on_disconnected(connection)
                call.cancel()
            return True, "it closed its stream"

    async def _end_reason(self, call: Any, if_cancelled: str) -> str:  # noqa: ANN401 - grpc's own
        """Return why a call ended; for one that we cancelled, the given reason."""
        if await call.code() is grpc.StatusCode.CANCELLED:
            return if_cancelled
        details = await call.details() or if_cancelled
        return f"{(await call.code()).name}: {explain(self._address, details)}"
