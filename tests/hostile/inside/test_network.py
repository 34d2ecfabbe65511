"""Bots that want to talk to somebody else than the referee."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from tests.hostile.inside.sandboxed_attacks import hostile, play
from tests.referee.running_referee import House

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_servers_on_loopback_cannot_be_reached(house: House, folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        outcome = await play(house, hostile(folder, f"socket.create_connection(('127.0.0.1', {port}))"))
    assert outcome.fault is None
    assert "Address family not supported" in outcome.said


@pytest.mark.parametrize(
    "attack",
    [
        "socket.create_connection(('169.254.169.254', 80), timeout=1)",
        "socket.create_connection(('fd00:ec2::254', 80), timeout=1)",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('8.8.8.8', 53))",
        "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
    ],
)
async def test_metadata_udp_and_raw_sockets_are_not_there(house: House, folder: Path, attack: str) -> None:
    outcome = await play(house, hostile(folder, attack))
    assert "Address family not supported" in outcome.said


@pytest.mark.parametrize("family", ["AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG"])
async def test_sockets_of_other_families_are_refused(house: House, folder: Path, family: str) -> None:
    outcome = await play(house, hostile(folder, f"socket.socket(socket.{family}, socket.SOCK_RAW)"))
    assert "stopped: PermissionError" in outcome.said


async def test_names_are_not_resolved(house: House, folder: Path) -> None:
    outcome = await play(house, hostile(folder, "return socket.getaddrinfo('example.org', 80)"))
    assert "stopped: gaierror" in outcome.said


async def test_abstract_sockets_of_the_machine_cannot_be_reached(house: House, folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0arena-hostile-test")
        server.listen()
        attack = "socket.socket(socket.AF_UNIX).connect('\\0arena-hostile-test')"
        outcome = await play(house, hostile(folder, attack))
    assert "stopped: ConnectionRefusedError" in outcome.said


async def test_control_port_cannot_be_reached(house: House, folder: Path) -> None:
    control = house.referee.control_address.removeprefix("unix:")
    outcome = await play(house, hostile(folder, f"socket.socket(socket.AF_UNIX).connect({control!r})"))
    assert "stopped: FileNotFoundError" in outcome.said


async def test_referees_socket_takes_no_second_stream_of_the_same_bot(house: House, folder: Path) -> None:
    attack = """
    import grpc
    with grpc.insecure_channel(os.environ["ARENA_REFEREE"], options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        call = channel.stream_stream("/arena.v1.BotService/Connect")(
            iter([]), metadata=[("authorization", "Bearer " + os.environ["ARENA_TOKEN"])])
        return call.code()
    """
    outcome = await play(house, hostile(folder, attack))
    assert "ALREADY_EXISTS" in outcome.said


async def test_thousands_of_connections_to_the_referee_hurt_nobody(house: House, folder: Path) -> None:
    attack = """
    opened = []
    try:
        while len(opened) < 5000:
            opened.append(socket.socket(socket.AF_UNIX))
            opened[-1].setblocking(False)
            opened[-1].connect(os.environ["ARENA_REFEREE"].removeprefix("unix:"))
            opened[-1].send(b"PRI")
    except OSError as error:
        return error.strerror
    """
    outcome = await play(house, hostile(folder, attack))
    assert "result:" in outcome.said
    await asyncio.sleep(0)
