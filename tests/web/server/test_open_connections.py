"""Connections of the web: how long one may be silent or slow, and how many there may be."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import httpx

from arena.web.http.web_limits import Limits
from tests.patience import wait_until
from tests.web.served_app import served

if TYPE_CHECKING:
    from tests.parts.redis_server import RunningRedis
    from tests.web.conftest import Cast

LIMITS = Limits()
HEAD = b"GET /health HTTP/1.1\r\nHost: test\r\n\r\n"
STRANGER = "127.0.0.2"
"""An address of this machine that is none of a proxy that is believed."""


@dataclass(frozen=True)
class Web:
    """A web in a thread of this process."""

    origin: str

    @contextmanager
    def connect(self, source: str = "127.0.0.1") -> Iterator[socket.socket]:
        port = int(self.origin.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(source, 0)) as line:
            yield line

    def answers(self) -> bool:
        return httpx.get(f"{self.origin}/health", timeout=20).status_code == 200


@contextmanager
def web(cast: Cast, redis: RunningRedis, limits: Limits) -> Iterator[Web]:
    with served(cast.store, redis, limits=limits) as origin:
        yield Web(origin)


def read_all(line: socket.socket) -> bytes:
    """Read to the end of a connection."""
    received = b""
    try:
        while chunk := line.recv(1 << 16):
            received += chunk
    except ConnectionError:
        pass
    return received


def is_hung_up_on(line: socket.socket, sent: bytes) -> bool:
    """Send something again and again, and return whether the other side ends it."""
    try:
        for _ in range(400):
            line.sendall(sent)
            time.sleep(0.05)
    except ConnectionError:
        return True
    return False


def is_closed(line: socket.socket) -> bool:
    line.settimeout(0)
    try:
        return line.recv(1 << 16) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_connection_that_says_nothing_is_closed(cast: Cast, redis_server: RunningRedis) -> None:
    with web(cast, redis_server, replace(LIMITS, head_s=0.3)) as found, found.connect() as line:
        assert read_all(line) == b""


def test_head_that_comes_byte_by_byte_is_answered_408(cast: Cast, redis_server: RunningRedis) -> None:
    with web(cast, redis_server, replace(LIMITS, head_s=0.5)) as found, found.connect() as line:
        line.sendall(HEAD[:20])
        assert is_hung_up_on(line, b"x")
    with web(cast, redis_server, replace(LIMITS, head_s=0.5)) as found, found.connect() as line:
        line.sendall(HEAD[:20])
        assert read_all(line).startswith(b"HTTP/1.1 408 ")


def test_second_head_of_a_connection_has_a_deadline_too(cast: Cast, redis_server: RunningRedis) -> None:
    with web(cast, redis_server, replace(LIMITS, head_s=0.5)) as found, found.connect() as line:
        line.sendall(HEAD)
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 200")
        line.sendall(HEAD[:20])
        assert b"HTTP/1.1 408 " in read_all(line)


def test_empty_lines_keep_no_connection_open(cast: Cast, redis_server: RunningRedis) -> None:
    with web(cast, redis_server, replace(LIMITS, head_s=0.5)) as found, found.connect() as line:
        line.sendall(HEAD)
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 200")
        assert is_hung_up_on(line, b"\r\n")


def test_head_without_end_is_answered_431(cast: Cast, redis_server: RunningRedis) -> None:
    with web(cast, redis_server, replace(LIMITS, max_head_bytes=4096)) as found, found.connect() as line:
        line.sendall(HEAD[:-2] + 10 * (b"X: " + b"y" * 1000 + b"\r\n"))
        assert read_all(line).startswith(b"HTTP/1.1 431 ")


def test_connection_that_pipelines_too_much_is_closed(cast: Cast, redis_server: RunningRedis) -> None:
    with web(cast, redis_server, replace(LIMITS, max_pipelined=4)) as found, found.connect() as line:
        line.sendall(HEAD * 50)
        assert read_all(line).count(b"HTTP/1.1 200") <= 5


def test_longest_silent_connection_of_an_address_makes_room_for_its_newest(
    cast: Cast, redis_server: RunningRedis
) -> None:
    limits = replace(LIMITS, max_connections_per_address=3)
    with web(cast, redis_server, limits) as found, ExitStack() as stack:
        lines = [stack.enter_context(found.connect(STRANGER)) for _ in range(5)]
        wait_until(lambda: is_closed(lines[0]) and is_closed(lines[1]), "the two oldest are closed")
        assert not any(is_closed(line) for line in lines[2:])
        assert found.answers()


def test_address_all_of_whose_connections_are_busy_gets_no_more(
    cast: Cast, redis_server: RunningRedis
) -> None:
    limits = replace(LIMITS, max_connections_per_address=2)
    with web(cast, redis_server, limits) as found, ExitStack() as stack:
        for _ in range(2):
            line = stack.enter_context(found.connect(STRANGER))
            line.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: test\r\n\r\n")
            assert line.recv(100).startswith(b"HTTP/1.1 200")
        assert read_all(stack.enter_context(found.connect(STRANGER))).startswith(b"HTTP/1.1 503 ")
        assert found.answers()


def test_proxy_that_is_believed_may_have_more_connections_than_an_address(
    cast: Cast, redis_server: RunningRedis
) -> None:
    limits = replace(LIMITS, max_connections_per_address=2)
    with web(cast, redis_server, limits) as found, ExitStack() as stack:
        lines = [stack.enter_context(found.connect("127.0.0.1")) for _ in range(5)]
        for line in lines:
            line.sendall(HEAD)
            assert line.recv(100).startswith(b"HTTP/1.1 200")


def test_longest_silent_connection_of_all_makes_room_where_all_places_are_taken(
    cast: Cast, redis_server: RunningRedis
) -> None:
    with web(cast, redis_server, replace(LIMITS, max_connections=3)) as found, ExitStack() as stack:
        lines = [stack.enter_context(found.connect(f"127.0.0.{number}")) for number in range(2, 7)]
        assert found.answers()
        wait_until(lambda: is_closed(lines[0]), "the oldest is closed")


def test_client_that_reads_nothing_is_hung_up_on(cast: Cast, redis_server: RunningRedis) -> None:
    with web(cast, redis_server, replace(LIMITS, stalled_s=0.5)) as found, found.connect() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n" * 10)

        def hung_up_on() -> bool:
            try:
                line.sendall(b"\r\n")
            except ConnectionError:
                return True
            return False

        wait_until(hung_up_on, "it is hung up on")


def test_rest_of_a_body_that_was_answered_already_is_not_read_for_ever(
    cast: Cast, redis_server: RunningRedis
) -> None:
    with web(cast, redis_server, replace(LIMITS, linger_s=0.5)) as found, found.connect() as line:
        line.sendall(
            b"POST /api/v1/bots/uploads?filename=a.py HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000\r\n\r\n"
        )
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 401")
        assert is_hung_up_on(line, b"x")


def test_streams_of_one_address_are_bounded_and_others_are_not_kept_out(
    cast: Cast, redis_server: RunningRedis
) -> None:
    limits = replace(LIMITS, max_streams_per_address=2)
    stream = "GET /api/v1/events HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: {}\r\n\r\n"
    with web(cast, redis_server, limits) as found, ExitStack() as stack:

        def follow(address: str) -> tuple[socket.socket, bytes]:
            line = stack.enter_context(found.connect())
            line.sendall(stream.format(address).encode())
            return line, line.recv(1 << 16)

        first, answer = follow("2001:db8::1")
        assert answer.startswith(b"HTTP/1.1 200")
        assert follow("2001:db8::2")[1].startswith(b"HTTP/1.1 200")
        _, refused = follow("2001:db8::3")
        assert refused.startswith(b"HTTP/1.1 429")
        assert b"retry-after: 30" in refused
        assert follow("2001:db8:0:1::1")[1].startswith(b"HTTP/1.1 200")
        first.close()
        wait_until(
            lambda: follow("2001:db8::3")[1].startswith(b"HTTP/1.1 200"), "the place of one that left is free"
        )


def test_all_streams_together_are_bounded(cast: Cast, redis_server: RunningRedis) -> None:
    with web(cast, redis_server, replace(LIMITS, max_streams=2)) as found, ExitStack() as stack:
        statuses = []
        for _ in range(3):
            line = stack.enter_context(found.connect())
            line.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: test\r\n\r\n")
            statuses.append(line.recv(12))
        assert statuses == [b"HTTP/1.1 200", b"HTTP/1.1 200", b"HTTP/1.1 503"]


def follow(found: Web, stack: ExitStack, address: str) -> tuple[socket.socket, bytes]:
    """Open an event stream as a client of the proxy; what is answered."""
    line = stack.enter_context(found.connect())
    line.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: {address}\r\n\r\n".encode())
    return line, line.recv(1 << 16)


def test_streams_of_many_networks_of_one_customer_are_bounded(cast: Cast, redis_server: RunningRedis) -> None:
    limits = replace(LIMITS, max_streams_per_address=2)
    with web(cast, redis_server, limits) as found, ExitStack() as stack:
        answers = [follow(found, stack, f"2001:db8:0:{number:x}::1")[1][:12] for number in range(16)]
        assert answers == [b"HTTP/1.1 200"] * 4 + [b"HTTP/1.1 429"] * 12
        assert follow(found, stack, "2001:db8:0:100::1")[1].startswith(b"HTTP/1.1 200")


def test_network_with_the_most_streams_gives_one_to_a_new_client_when_all_are_taken(
    cast: Cast, redis_server: RunningRedis
) -> None:
    with web(cast, redis_server, replace(LIMITS, max_streams=4)) as found, ExitStack() as stack:
        small, _ = follow(found, stack, "198.51.100.9")
        large = [follow(found, stack, f"2001:db8:0:{number:x}00::1")[0] for number in range(3)]
        new, answer = follow(found, stack, "203.0.113.7")
        assert answer.startswith(b"HTTP/1.1 200")
        received = large[0].recv(1 << 16)
        while not received.endswith(b"0\r\n\r\n"):
            received += large[0].recv(1 << 16)
        assert b"retry: 30000" in received, "it may come back in half a minute"
        assert follow(found, stack, "2001:db8::1")[1].startswith(b"HTTP/1.1 503"), "it has the most itself"
        other, answer = follow(found, stack, "192.0.2.1")
        assert answer.startswith(b"HTTP/1.1 200")
        assert follow(found, stack, "192.0.3.1")[1].startswith(b"HTTP/1.1 503"), "none has two more"
        for line in (small, new, other, large[2]):
            line.settimeout(0.2)
            with suppress(TimeoutError):
                assert not line.recv(1 << 16).endswith(b"0\r\n\r\n")


def test_connections_of_many_addresses_of_one_network_are_bounded(
    cast: Cast, redis_server: RunningRedis
) -> None:
    limits = replace(LIMITS, max_connections_per_address=1)
    with web(cast, redis_server, limits) as found, ExitStack() as stack:
        lines = [stack.enter_context(found.connect(f"127.0.0.{number}")) for number in range(2, 12)]
        wait_until(lambda: is_closed(lines[0]) and is_closed(lines[1]), "the two oldest are closed")
        assert not any(is_closed(line) for line in lines[2:])


def test_head_that_comes_in_one_piece_is_bounded_too(cast: Cast, redis_server: RunningRedis) -> None:
    def answer(size: int) -> bytes:
        with web(cast, redis_server, LIMITS) as found, found.connect() as line:
            line.sendall(HEAD[:-2] + b"X: " + b"y" * size + b"\r\n\r\n")
            return line.recv(1 << 16)

    assert answer(60 << 10).startswith(b"HTTP/1.1 200 ")
    assert answer(65 << 10).startswith(b"HTTP/1.1 431 ")


def test_head_without_end_behind_a_request_under_way_is_answered_431(
    cast: Cast, redis_server: RunningRedis
) -> None:
    with web(cast, redis_server, replace(LIMITS, max_head_bytes=4096)) as found, found.connect() as line:
        line.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: test\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 200")
        line.sendall(b"GET / HTTP/1.1\r\nX: ")
        assert is_hung_up_on(line, 1000 * b"y")


def test_long_head_before_a_body_is_not_counted_for_the_next_head(
    cast: Cast, redis_server: RunningRedis
) -> None:
    with web(cast, redis_server, LIMITS) as found, found.connect() as line:
        for _ in range(3):
            line.sendall(HEAD[:-2] + b"X: " + b"y" * (40 << 10) + b"\r\n\r\n")
            assert line.recv(1 << 16).startswith(b"HTTP/1.1 200 ")
