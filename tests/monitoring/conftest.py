"""A whole arena with a monitoring port for each part, started once."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from tests.parts.arena_process import RunningArena, free_port


@dataclass(frozen=True)
class Monitored:
    """An arena of one web, one referee and one worker, and their monitoring ports."""

    arena: RunningArena
    web: int
    referee: int
    worker: int


def free_ports(count: int) -> int:
    """Return the first of so many free ports in a row."""
    while True:
        first = free_port()
        try:
            with ExitStack() as held:
                for port in range(first, first + count):
                    held.enter_context(socket.create_server(("127.0.0.1", port)))
                return first
        except OSError:
            continue


@pytest.fixture(scope="package")
def monitored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Monitored]:
    first = free_ports(3)
    data = tmp_path_factory.mktemp("monitored") / "data"
    environment = {"ARENA_MONITORING": f"127.0.0.1:{first}"}
    with RunningArena(data, workers=1, environment=environment) as arena:
        yield Monitored(arena, first, first + 1, first + 2)
