"""Uploads that are held open: those of one author neither fill the memory nor keep others out."""

from __future__ import annotations

import socket
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import httpx

from arena.bundle_format import zip_archive
from arena.client import RemoteArena
from tests.bundle_format.uploads import project
from tests.hostile.web.conftest import connect
from tests.patience import wait_until

if TYPE_CHECKING:
    from tests.hostile.web.conftest import House
    from tests.parts.web_process import WebProcess

SENT = 19 << 20
MAX_GROWTH_MIB = 60


def hold_open(web: WebProcess, token: str) -> socket.socket:
    """Send most of an upload, as far as the web takes it."""
    head = (
        f"POST /api/v1/bots/uploads?filename=mine.zip HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\n"
        f"Authorization: Bearer {token}\r\nContent-Length: {zip_archive.MAX_BYTES}\r\n\r\n"
    )
    connection = connect(web)
    connection.sendall(head.encode() + bytes(SENT))
    return connection


def status_of(connection: socket.socket) -> int | None:
    """Return the status of an answer that is there already."""
    connection.settimeout(0)
    try:
        line = connection.recv(100)
    except BlockingIOError:
        return None
    return int(line.split()[1])


def test_forty_uploads_of_one_author_that_are_held_open_take_no_memory_and_keep_nobody_out(
    house: House, web: WebProcess
) -> None:
    mallory, alice = house.token("mallory"), house.token("alice")
    httpx.get(f"{web.url}/", timeout=60)
    before = web.memory_mib()
    with ExitStack() as stack:
        held = [stack.enter_context(closing(hold_open(web, mallory))) for _ in range(40)]
        statuses: dict[socket.socket, int] = {}

        def refused() -> int:
            for connection in held:
                if connection not in statuses and (status := status_of(connection)) is not None:
                    statuses[connection] = status
            return len(statuses)

        wait_until(lambda: refused() >= 38, "all but two are refused", within_s=30)
        assert set(statuses.values()) == {429}
        assert len(statuses) == 38
        assert web.memory_mib() - before < MAX_GROWTH_MIB
        assert httpx.get(f"{web.url}/games", timeout=30).status_code == 200
        with RemoteArena(web.url, alice) as client:
            sent = client.bots.submit(project(), filename="mine.zip")
        assert sent[0].state == "waiting"
