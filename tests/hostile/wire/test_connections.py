"""Strangers who never get as far as a call, or make thousands: they are few at a time, and bots get in beside them."""

from __future__ import annotations

import asyncio
import resource
import socket
import struct
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.net.certificate import Certificate
from tests.certificates import issue
from tests.hostile.wire.bystanders import undisturbed
from tests.referee.running_referee import QUICK, House, RawBot, open_house
from tests.sdk.scripted_arena import PATIENCE_S

LIMITS = replace(QUICK, handshake_s=1.0, unauthenticated_s=1.0, max_unauthenticated=8, max_connections=100)
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS, PING, HEADERS, CONTINUATION = 4, 6, 1, 9
THOUSANDS = 3000


def http2(kind: int, payload: bytes = b"", *, flags: int = 0, stream: int = 0) -> bytes:
    """Write a frame of HTTP/2 (RFC 9113, 4.1)."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


@asynccontextmanager
async def open_to_all(folder: Path, **more: Any) -> AsyncIterator[House]:
    """A referee that is open to other machines too, without TLS."""
    async with open_house(folder, **{"limits": LIMITS, "tls": False, **more}) as house:
        yield house


class Line:
    """A connection that the test speaks bytes over."""

    def __init__(self, house: House, *, unix: bool = False) -> None:
        self.socket = socket.socket(socket.AF_UNIX if unix else socket.AF_INET)
        self.socket.connect(house.bots.removeprefix("unix:") if unix else ("127.0.0.1", int(house.port)))
        self.socket.setblocking(False)  # noqa: FBT003 - the socket's own

    def send(self, data: bytes) -> None:
        try:
            self.socket.send(data)
        except (BlockingIOError, ConnectionError):
            return

    @property
    def ended(self) -> bool:
        """Whether the referee has hung up."""
        try:
            while self.socket.recv(1 << 16):
                pass
        except BlockingIOError:
            return False
        except ConnectionError:
            return True
        return True


@contextmanager
def lines(house: House, number: int, *, unix: bool = False) -> Iterator[list[Line]]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 10_000)), hard))
    with ExitStack() as stack:
        opened: list[Line] = []
        for _ in range(number):
            try:
                line = Line(house, unix=unix)
            except BlockingIOError:  # a Unix socket's queue is full
                continue
            opened.append(line)
            stack.callback(line.socket.close)
        yield opened


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 - what the other side does is told by nobody
            await asyncio.sleep(0.05)


def open_of(opened: list[Line]) -> int:
    return sum(not line.ended for line in opened)


async def gets_in(address: str) -> None:
    """See that a bot gets in; as bots do, it tries again."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            async with RawBot(address, "token-a") as bot:
                try:
                    await bot.hello()
                except (EOFError, grpc.aio.AioRpcError):  # its connection was among those that are closed
                    await asyncio.sleep(1.1)
                    continue
                return


async def test_connection_that_says_nothing_is_ended(tmp_path: Path) -> None:
    async with open_to_all(tmp_path) as house, undisturbed(house):
        with lines(house, 4) as opened:
            await until(lambda: not open_of(opened))


async def test_half_a_handshake_of_http_2_is_ended(tmp_path: Path) -> None:
    async with open_to_all(tmp_path) as house, undisturbed(house):
        with lines(house, 4) as opened:
            for line in opened:
                line.send(PREFACE[:10])
            await until(lambda: not open_of(opened))


async def test_half_a_handshake_of_tls_is_ended(tmp_path: Path) -> None:
    files = issue(tmp_path)
    certificate = Certificate(files.certificate, files.key)
    async with open_to_all(tmp_path, certificate=certificate, tls=True) as house, undisturbed(house):
        with lines(house, 4) as opened:
            for line in opened:
                line.send(
                    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
                )  # RFC 8446, 4.1.2: a ClientHello begins
            await until(lambda: not open_of(opened))


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: arena\r\n\r\n",
        b"\x00" * 5000,
        b"SSH-2.0-OpenSSH_9.2\r\n",
        bytes(range(256)) * 40,
    ],
)
async def test_what_is_no_http_2_is_ended(tmp_path: Path, data: bytes) -> None:
    async with open_to_all(tmp_path) as house, undisturbed(house):
        with lines(house, 4) as opened:
            for line in opened:
                line.send(data)
            await until(lambda: not open_of(opened))


async def test_connection_that_calls_nobody_is_ended(tmp_path: Path) -> None:
    async with open_to_all(tmp_path) as house, undisturbed(house):
        with lines(house, 4) as opened:
            for line in opened:
                line.send(PREFACE + http2(SETTINGS))
            await until(lambda: not open_of(opened))


async def test_headers_that_never_end_are_ended(tmp_path: Path) -> None:
    async with open_to_all(tmp_path) as house, undisturbed(house):
        with lines(house, 4) as opened:
            for line in opened:
                line.send(PREFACE + http2(SETTINGS) + http2(HEADERS, b"\x82", stream=1))
            while open_of(opened):
                for line in opened:
                    line.send(http2(CONTINUATION, b"\x82" * 100, stream=1))
                await asyncio.sleep(0.01)


async def test_flood_of_pings_is_ended(tmp_path: Path) -> None:
    async with open_to_all(tmp_path) as house, undisturbed(house):
        with lines(house, 4) as opened:
            for line in opened:
                line.send(PREFACE + http2(SETTINGS))
            async with asyncio.timeout(PATIENCE_S):
                while open_of(opened):
                    for line in opened:
                        line.send(http2(PING, bytes(8)) * 200)
                    await asyncio.sleep(0.005)


async def test_stranger_who_watches_our_health_for_ever_is_ended(tmp_path: Path) -> None:
    async with open_to_all(tmp_path) as house, undisturbed(house):
        options = (("grpc.use_local_subchannel_pool", 1),)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{house.port}", options=options) as channel:
            call: Any = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
            assert (await call.read()).status == health_pb2.HealthCheckResponse.SERVING
            async with asyncio.timeout(PATIENCE_S):
                assert await call.code() is grpc.StatusCode.UNAVAILABLE


async def test_bot_is_no_stranger_however_long_it_waits(tmp_path: Path) -> None:
    async with open_to_all(tmp_path) as house, RawBot(f"127.0.0.1:{house.port}", "token-a") as bot:
        await bot.hello()
        with lines(house, 20) as opened:
            await until(lambda: not open_of(opened))
        async with undisturbed(house, matches=1):
            bot.start()
        assert not bot.call.done()


@pytest.mark.parametrize("unix", [False, True], ids=["TCP", "Unix"])
async def test_thousands_of_connections_from_one_place_leave_few(tmp_path: Path, *, unix: bool) -> None:
    limits = replace(LIMITS, unauthenticated_s=60.0, handshake_s=60.0)
    async with open_to_all(tmp_path, limits=limits) as house, undisturbed(house):
        with lines(house, THOUSANDS, unix=unix) as opened:
            for line in opened:
                line.send(PREFACE + http2(SETTINGS))
            await until(lambda: open_of(opened) <= LIMITS.max_unauthenticated)
            await gets_in(f"127.0.0.1:{house.port}")


async def test_thousand_calls_on_one_connection_without_a_hello_are_ended(tmp_path: Path) -> None:
    async with open_to_all(tmp_path) as house, undisturbed(house):
        options = (("grpc.use_local_subchannel_pool", 1),)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{house.port}", options=options) as channel:
            method: Any = channel.stream_stream("/arena.v1.BotService/Connect")
            calls = [method(metadata=(("authorization", "Bearer wrong"),)) for _ in range(1000)]
            async with asyncio.timeout(PATIENCE_S):
                codes = {await call.code() for call in calls}
        assert codes <= {grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.UNAVAILABLE}
