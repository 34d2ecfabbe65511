"""Which other referees dial-in bots are told of, and who may connect to one that has just started."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from arena.v1 import control_pb2
from referee.limits.referee_limits import RefereeLimits
from referee.server import public_address
from referee.wire.peer_referees import PeerReferees
from tests.referee.running_referee import House, house_bot, open_house, order


async def tell_others(house: House, *addresses: str) -> None:
    others = control_pb2.OtherReferees(addresses=addresses)
    await house.requests.put(control_pb2.ControlRequest(others=others))


async def test_dial_in_bot_is_told_of_the_other_referees(house: House) -> None:
    async with house.bot("a") as bot:
        assert list((await bot.hello()).welcome.referees) == []
        await tell_others(house, "play2:7000", "play1:7000")
        assert list((await bot.hear_of("welcome")).referees) == ["play1:7000", "play2:7000"]
        async with house.bot("b") as later:
            assert list((await later.hello()).welcome.referees) == ["play1:7000", "play2:7000"]


async def test_the_same_others_are_no_news(house: House) -> None:
    async with house.bot("a") as bot:
        await bot.hello()
        await tell_others(house, "play2:7000")
        await tell_others(house, "play2:7000")
        await tell_others(house)
        assert list((await bot.hear_of("welcome")).referees) == ["play2:7000"]
        assert list((await bot.hear_of("welcome")).referees) == []


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        yield listener


async def test_hosted_bots_dial_no_other_referee(house: House, listener: socket.socket) -> None:
    await tell_others(house, f"127.0.0.1:{listener.getsockname()[1]}")
    ended = await house.play(order("m", house_bot(), house_bot("greedy")))
    assert "completed" in str(ended["m"])
    with pytest.raises(BlockingIOError):
        listener.accept()


async def test_arena_is_told_where_bots_reach_the_referee_first(house: House) -> None:
    assert house.news[0].WhichOneof("response") == "here"


async def test_referee_that_has_not_been_told_who_may_connect_asks_bots_to_come_again(tmp_path: Path) -> None:
    async with open_house(tmp_path, bots=None) as house:
        async with house.bot("a") as bot:
            code, details = await bot.status()
            assert code is grpc.StatusCode.UNAVAILABLE
            assert "try again" in details
        await house.admit("b")
        async with house.bot("a") as bot:
            assert (await bot.status())[0] is grpc.StatusCode.UNAUTHENTICATED


async def test_token_that_is_admitted_while_its_bot_waits_lets_it_in(tmp_path: Path) -> None:
    async with (
        open_house(tmp_path, limits=RefereeLimits(unknown_token_s=1.0)) as house,
        house.bot("z") as bot,
    ):
        await asyncio.sleep(0.1)
        await house.admit("z")
        assert (await bot.hello()).welcome.protocol == 1


@pytest.mark.parametrize(
    "address",
    ["", "play1", "play1:", "play1:0", "play1:65536", "unix:/tmp/x", "http://play1:1", "p" * 300 + ":1"],
)
def test_what_is_no_address_is_left_out(address: str) -> None:
    others = PeerReferees(RefereeLimits())
    assert not others.replace([address])
    assert others.addresses == ()


def test_no_more_than_64_are_taken() -> None:
    others = PeerReferees(RefereeLimits())
    assert others.replace(f"play{number}:7000" for number in range(1000))
    assert len(others.addresses) == 64


@pytest.mark.parametrize(
    ("bots", "public"),
    [
        (["unix:/run/bots.sock"], ""),
        (["127.0.0.1:7000", "[::1]:7000", "localhost:7000"], ""),
        (["0.0.0.0:7000", "[::]:7000"], ""),
        (["unix:/run/bots.sock", "127.0.0.1:7000", "10.0.0.5:7000", "play1:7000"], "10.0.0.5:7000"),
        (["play1.example.org:7000"], "play1.example.org:7000"),
        (["[2001:db8::1]:7000"], "[2001:db8::1]:7000"),
    ],
)
def test_public_address_is_the_first_that_others_can_dial(bots: list[str], public: str) -> None:
    assert public_address(bots) == public
