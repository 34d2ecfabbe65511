"""Addresses of this machine: sockets whose paths mean something in a URL, and no proxy in between."""

from __future__ import annotations

import asyncio
import socket
import tempfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import grpc
import pytest

from arena.client import RemoteArena
from arena.core.errors import UsageError
from arena.core.socket_folder import MAX_PATH_BYTES, socket_folder
from arena.net.address import Address, is_own
from arena.net.dialer import open_channel
from arena.net.listener_policy import listen
from arena.referee_client.control_channel import open_channel as open_control
from tests.odd_names import ODD_NAMES

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "grpc_proxy")
NOBODY = "http://127.0.0.1:9"


async def ready(channel: grpc.aio.Channel) -> None:
    async with channel:
        await asyncio.wait_for(channel.channel_ready(), 10)


@pytest.fixture
def proxied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name a proxy that is not there, in every variable."""
    for name in ("no_proxy", "NO_PROXY", "no_grpc_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in PROXIES:
        monkeypatch.setenv(name, NOBODY)
        monkeypatch.setenv(name.upper(), NOBODY)


def own_address() -> str:
    """Return an address of this machine that is not loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            pytest.skip("this machine has no address beside loopback")
        return str(probe.getsockname()[0])


@pytest.mark.parametrize("name", ODD_NAMES)
async def test_a_socket_is_reached_whatever_its_folder_is_called(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    path = tmp_path / name / "s"
    server = grpc.aio.server()
    if len(str(path).encode()) > MAX_PATH_BYTES:
        with pytest.raises(UsageError, match="a socket may have 107 bytes at most"):
            listen(server, f"unix:{path}", "--control", certificate=None)
        return
    listen(server, f"unix:{path}", "--control", certificate=None)
    await server.start()
    assert path.is_socket()
    await ready(open_channel(Address(f"unix:{path}", tls=False), None, ()))
    await ready(open_control(f"unix:{path}"))
    await server.stop(None)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_folder_for_sockets_is_short_enough(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / name))
    with socket_folder() as folder, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "control"))
    assert not folder.exists()


@pytest.mark.usefixtures("proxied")
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "own"])
async def test_no_proxy_is_asked_for_this_machine(host: str) -> None:
    host = own_address() if host == "own" else host
    server = grpc.aio.server()
    port = server.add_insecure_port(f"{host}:0")
    await server.start()
    await ready(open_channel(Address(f"{host}:{port}", tls=False), None, ()))
    await ready(open_control(f"{host}:{port}"))
    await server.stop(None)


@pytest.mark.usefixtures("proxied")
async def test_a_proxy_is_asked_for_other_machines() -> None:
    async with open_channel(Address("192.0.2.1:7001", tls=False), None, ()) as channel:
        call: Any = channel.unary_unary("/a.B/C", request_serializer=bytes)(b"")
        assert "connect" in (await call.details()).lower(), "the proxy, which is not there, was asked at once"


class _Health(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"names": ["well"]}')

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def web() -> Iterator[int]:
    server = HTTPServer(("127.0.0.1", 0), _Health)
    Thread(target=server.serve_forever).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


@pytest.mark.usefixtures("proxied")
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_the_client_of_the_api_asks_no_proxy_for_this_machine(web: int, host: str) -> None:
    with RemoteArena(f"http://{host}:{web}") as client:
        assert client.docs.list().names == ("well",)


@pytest.mark.parametrize(
    ("target", "own"),
    [
        *(("unix:/x", True), ("127.3.2.1:1", True), ("[::1]:1", True), ("localhost:1", True)),
        *(("192.0.2.1:1", False), ("[2001:db8::1]:1", False), ("arena.example.org:1", False)),
        (f"{socket.gethostname()}:1", True),
    ],
)
def test_what_is_on_this_machine_is_known(target: str, own: bool) -> None:  # noqa: FBT001
    assert is_own(target) is own
