"""The doorkeeper, with real connections and a clock that the test turns."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.limits.connection_guard import ConnectionGuard
from referee.limits.referee_limits import RefereeLimits

LIMITS = RefereeLimits(max_unauthenticated=3, unauthenticated_s=60.0)


class Door:
    """A listener, the connections that were made to it, and who looks after them."""

    def __init__(self, stack: ExitStack, folder: Path | None = None) -> None:
        self._stack = stack
        family = socket.AF_INET if folder is None else socket.AF_UNIX
        self._listener = stack.enter_context(socket.socket(family))
        self._listener.bind(("127.0.0.1", 0) if folder is None else str(folder / "door"))
        self._listener.listen(100)
        name = self._listener.getsockname()
        address = f"unix:{name}" if folder is not None else f"127.0.0.1:{name[1]}"
        self.keeper = ConnectionGuard(LIMITS, lambda: (address,))
        self.callers: list[socket.socket] = []
        self._taken: list[socket.socket] = []

    def call(self, times: int = 1) -> None:
        for _ in range(times):
            caller = self._stack.enter_context(socket.socket(self._listener.family))
            caller.connect(self._listener.getsockname())
            caller.settimeout(0)
            self.callers.append(caller)
            self._taken.append(self._stack.enter_context(self._listener.accept()[0]))

    def look(self, at_s: float) -> list[int]:
        """Look who is there; gives the numbers of the callers that are still connected."""
        for _ in range(10):
            self.keeper.on_tick(at_s * 1000)
        return [number for number, caller in enumerate(self.callers) if not _ended(caller)]

    def peer(self, number: int) -> str:
        """Name a caller as grpc does."""
        host, port = self.callers[number].getsockname()
        return f"ipv4:{host}:{port}"


def _ended(caller: socket.socket) -> bool:
    try:
        return caller.recv(1) == b""
    except BlockingIOError:
        return False


@pytest.fixture
def door() -> Iterator[Door]:
    with ExitStack() as stack:
        yield Door(stack)


def test_few_strangers_may_stay_for_a_while(door: Door) -> None:
    door.call(3)
    assert door.look(at_s=0) == [0, 1, 2]
    assert door.look(at_s=59) == [0, 1, 2]
    assert door.look(at_s=61) == []


def test_of_many_strangers_of_one_place_the_newest_stay(door: Door) -> None:
    for second in range(6):
        door.call()
        door.look(at_s=second)
    assert door.look(at_s=6) == [3, 4, 5]


def test_bot_stays_and_counts_for_nothing(door: Door) -> None:
    door.call()
    door.keeper.on_hello(door.peer(0))
    door.look(at_s=0)
    door.call(3)
    assert door.look(at_s=10) == [0, 1, 2, 3]
    assert door.look(at_s=1000) == [0]


def test_connection_whose_bot_has_gone_has_its_time_from_then_on(door: Door) -> None:
    door.call()
    for _ in range(2):
        door.keeper.on_hello(door.peer(0))
    door.look(at_s=1000)
    for _ in range(2):
        door.keeper.on_stream_end(door.peer(0))
    assert door.look(at_s=1059) == [0]
    assert door.look(at_s=1061) == []


def test_other_sockets_of_the_referee_are_let_alone(door: Door) -> None:
    with ExitStack() as stack:
        other = Door(stack)
        other.call(10)
        assert door.look(at_s=0) == []
        assert door.look(at_s=1000) == []
        assert not any(map(_ended, other.callers))


def test_on_a_unix_socket_the_oldest_of_a_process_stay_for_good(tmp_path: Path) -> None:
    with ExitStack() as stack:
        door = Door(stack, tmp_path)
        for second in range(6):
            door.call()
            door.look(at_s=second)
        assert door.look(at_s=1000) == [0, 1, 2]


@pytest.mark.parametrize(
    ("peer", "host"), [("ipv4:192.0.2.1:4711", "192.0.2.1"), ("ipv6:%5B2001:db8::1%5D:4711", "2001:db8::1")]
)
def test_peers_are_named_as_grpc_writes_them(peer: str, host: str, door: Door) -> None:
    door.keeper.on_hello(peer)
    assert f"{host} 4711" in door.keeper._bots
    door.keeper.on_stream_end(peer)
    assert not door.keeper._bots
