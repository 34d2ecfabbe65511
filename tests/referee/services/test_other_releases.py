"""Referees and callers of other releases, at the control port; those that are too far apart are processes of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from arena.core.release import GENERATION, Peer, release
from arena.referee_client import Finished, RefereeUnreachable, peer_release
from arena.referee_client import Referee as Client
from arena.referee_client.control_stream import ControlStream, RefereeOnline
from arena.referee_client.reachability import why_unreachable
from arena.v1 import control_pb2, control_pb2_grpc
from tests.referee.running_referee import House, house_bot, order

_PROGRAM = """
import arena.core.release as release
release.GENERATION = {generation}
from arena.referee_client import peer_release
{patch}
from referee.__main__ import main
main()
"""
_SILENT = "import referee.wire.control_key as key; key.explain_distance = lambda *_: ''"
"""A referee that takes every caller, as one of release 0.1 does."""


@contextmanager
def referee(folder: Path, generation: int, patch: str = "") -> Iterator[str]:
    """Start a referee that speaks another generation."""
    control = f"unix:{folder / 'control'}"
    program = subprocess.Popen(
        [
            *(sys.executable, "-c", _PROGRAM.format(generation=generation, patch=patch)),
            *("--control", control, "--bots", f"unix:{folder / 'bots'}"),
        ],
        stdout=subprocess.PIPE,
    )
    try:
        assert program.stdout is not None
        assert program.stdout.readline() == b"ready\n"
        yield control
    finally:
        program.kill()
        program.communicate()


async def ask(house: House, *metadata: tuple[str, str]) -> grpc.aio.AioRpcError:
    """Ask for a match that does not run, with the metadata of some release."""
    async with grpc.aio.insecure_channel(house.referee.control_address) as channel:
        stub = control_pb2_grpc.RefereeServiceStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            async for _ in stub.Watch(control_pb2.WatchRequest(match="none"), metadata=metadata):
                pass
        return caught.value


@pytest.mark.parametrize("metadata", [(), (("arena-generation", str(GENERATION + 1)),)])
async def test_caller_that_names_none_or_the_next_generation_is_served(
    house: House, metadata: tuple[tuple[str, str], ...]
) -> None:
    error = await ask(house, *metadata)
    assert error.code() is grpc.StatusCode.NOT_FOUND
    # It says so at the beginning and at the end: gRPC may drop the beginning of a call that ends at once.
    ends = (*(error.initial_metadata() or ()), *(error.trailing_metadata() or ()))
    said = {str(name): str(value) for name, value in ends}
    assert (said["arena-generation"], said["arena-release"]) == (str(GENERATION), release())


async def test_caller_that_is_too_new_is_refused_and_told_to_upgrade_the_referee(house: House) -> None:
    error = await ask(house, ("arena-generation", str(GENERATION + 2)), ("arena-release", "7.0.0"))
    assert error.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert "(release 7.0.0) speaks generation" in str(error.details())
    assert "upgrade this referee" in str(error.details())


async def test_referee_of_the_next_generation_plays(tmp_path: Path) -> None:
    with referee(tmp_path, GENERATION + 1) as control:
        assert await why_unreachable(control) is None
        async with Client(control) as client:
            reports = [report async for report in client.play([order("m", house_bot(), house_bot(lane=1))])]
        assert isinstance(reports[-1], Finished)


async def test_referee_that_is_too_new_refuses_us_and_says_to_upgrade_us(tmp_path: Path) -> None:
    with referee(tmp_path, GENERATION + 2) as control:
        assert "upgrade the worker or web that calls" in str(await why_unreachable(control))
        with ControlStream(control) as stream, pytest.raises(RefereeUnreachable, match="upgrade the worker"):
            list(stream.news(30))


async def test_referee_that_does_not_look_is_left_alone_by_us_if_it_is_too_far(tmp_path: Path) -> None:
    with referee(tmp_path, GENERATION + 2, _SILENT) as control:
        assert "upgrade this process" in str(await why_unreachable(control))
        with (
            ControlStream(control) as stream,
            pytest.raises(RefereeUnreachable, match="upgrade this process"),
        ):
            list(stream.news(30))
        async with Client(control) as client:
            with pytest.raises(RefereeUnreachable, match="upgrade this process"):
                async for _ in client.play([order("m", house_bot(), house_bot(lane=1))]):
                    pass


def test_control_stream_says_the_release_and_generation_of_the_referee(tmp_path: Path) -> None:
    with referee(tmp_path, GENERATION + 1) as control, ControlStream(control) as stream:
        (here,) = stream.news(30)
        assert isinstance(here, RefereeOnline)
        assert (here.peer.release, here.peer.generation) == (release(), GENERATION + 1)


async def test_a_call_that_ends_at_once_says_the_generation_at_its_end_too(house: House) -> None:
    error = await ask(house, *peer_release.metadata())
    assert error.code() is grpc.StatusCode.NOT_FOUND
    assert peer_release.read_peer(error.trailing_metadata()) == Peer(release(), GENERATION)
