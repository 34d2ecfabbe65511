"""Requests to a web server: at a steady rate, independent of its answers (open loop), or as fast as it answers (closed loop).

A small HTTP/1.1 of our own: at hundreds of requests a second a client like httpx would measure itself.
"""

from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

STANDARD = {"Accept-Encoding": "gzip", "User-Agent": "bench"}
_WITHIN_S = 30.0


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of the server."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """Return the body, unpacked."""
        packed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if packed else self.body).decode()


@dataclass
class Connection:
    """A connection that is kept; it is opened when it is first used."""

    port: int
    headers: Mapping[str, str] = field(default_factory=dict)
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, address: str) -> Answer:
        """Ask for an address.  Raises TimeoutError."""
        async with asyncio.timeout(_WITHIN_S):
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
            reader, writer = self._streams
            lines = [f"GET {address} HTTP/1.1", f"Host: 127.0.0.1:{self.port}"]
            lines += [f"{name}: {value}" for name, value in {**STANDARD, **self.headers}.items()]
            writer.write("\r\n".join([*lines, "", ""]).encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {
                name.lower(): value.strip()
                for name, _, value in (line.partition(":") for line in head[1:] if line)
            }
            status = int(head[0].split()[1])
            if headers.get("content-type", "").startswith("text/event-stream"):
                self.close()  # it has no end
                return Answer(status, headers, b"")
            return Answer(status, headers, await _body(reader, headers))

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if headers.get("transfer-encoding") != "chunked":
        return await reader.readexactly(int(headers.get("content-length", 0)))
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(parts)


async def steadily(
    port: int, addresses: Sequence[str], headers: Mapping[str, str], *, rate: float, count: int
) -> list[float]:
    """Ask for these addresses in turn, `rate` a second; gives the seconds from when each was due to its last byte."""
    idle: list[Connection] = []
    began = time.perf_counter()

    async def ask(number: int) -> float:
        due = began + number / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        connection = idle.pop() if idle else Connection(port, headers)
        answer = await connection.get(addresses[number % len(addresses)])
        took = time.perf_counter() - due
        assert answer.status == 200, f"{addresses[number % len(addresses)]}: {answer.status}"
        idle.append(connection)
        return took

    taken = await asyncio.gather(*map(ask, range(count)))
    for connection in idle:
        connection.close()
    return list(taken)


async def flat_out(port: int, address: str, *, connections: int, seconds: float) -> float:
    """Ask for an address on some connections without a pause; gives the answers a second."""
    began = time.perf_counter()

    async def ask() -> int:
        connection = Connection(port)
        answered = 0
        while time.perf_counter() < began + seconds:
            assert (await connection.get(address)).status == 200
            answered += 1
        connection.close()
        return answered

    answered = await asyncio.gather(*(ask() for _ in range(connections)))
    return sum(answered) / (time.perf_counter() - began)
