"""Strangers and bots that begin badly: each is turned away with the reason, and matches go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.referee_client import Hosted
from arena.v1.bot_pb2 import Answer, BotMessage, ConnectRequest
from tests.hostile.wire.bystanders import assert_unharmed, undisturbed
from tests.referee.running_referee import House, RawBot, good_bots, order
from tests.sdk.scripted_arena import PATIENCE_S

LEAKS = """
import os, pathlib, time
folder = pathlib.Path({folder!r})
(folder / "token").write_text(os.environ["ARENA_TOKEN"])
from arena.sdk import Bot, run

class Leaks(Bot):
    name = "leaks"

    def choose(self, decision):
        (folder / "asked").touch()
        while not (folder / "go").exists():
            time.sleep(0.01)
        return decision.legal[0]

run(Leaks())
"""
"""A hosted bot whose token anybody can read; its first decision lasts until the test lets it go on."""

UNKNOWN = "authorization: must be `Bearer <token>` with a token that this arena admits"


@pytest.mark.parametrize(
    "token",
    [
        "",
        "wrong",
        "token-a2",
        "token-",
        "TOKEN-A",
        "x" * 2000,
        "token-a, Bearer token-b",
        "'; drop table bot; --",
    ],
)
async def test_token_that_is_not_admitted_is_refused(house: House, token: str) -> None:
    async with undisturbed(house, matches=1), RawBot(house.bots, token) as bot:
        assert await bot.status() == (grpc.StatusCode.UNAUTHENTICATED, UNKNOWN)


@pytest.mark.parametrize(
    "metadata",
    [
        (),
        (("authorization", "token-a"),),
        (("authorization", "Basic token-a"),),
        (("authorization-bin", b"Bearer token-a"),),
        (("authorization", "Bearer wrong"), ("authorization", "Bearer token-a")),
    ],
)
async def test_metadata_without_the_token_first_is_refused(
    house: House, metadata: tuple[tuple[str, str | bytes], ...]
) -> None:
    async with undisturbed(house, matches=1), grpc.aio.insecure_channel(house.bots) as channel:
        call: Any = channel.stream_stream("/arena.v1.BotService/Connect")(metadata=metadata)
        assert (await call.code(), await call.details()) == (grpc.StatusCode.UNAUTHENTICATED, UNKNOWN)


async def test_megabyte_of_metadata_is_refused(house: House) -> None:
    async with undisturbed(house, matches=1):
        options = (("grpc.use_local_subchannel_pool", 1),)
        async with grpc.aio.insecure_channel(house.bots, options=options) as channel:
            metadata = tuple((f"x-{number}", "y" * 10_000) for number in range(100))
            call: Any = channel.stream_stream("/arena.v1.BotService/Connect")(metadata=metadata)
            assert await call.code() in {grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE}


async def test_revoked_token_is_refused(house: House) -> None:
    async with undisturbed(house, matches=1):
        await house.admit("b", "c", "d")
        async with house.bot("a") as bot:
            assert await bot.status() == (grpc.StatusCode.UNAUTHENTICATED, UNKNOWN)


async def test_token_of_a_hosted_bot_is_of_no_use_to_another(house: House, tmp_path: Path) -> None:
    """It leaked: somebody connects with it beside the process that it was made for."""
    program = tmp_path / "leaks.py"
    program.write_text(LEAKS.format(folder=str(tmp_path)))
    async with good_bots(house, "b"):
        playing = house.begin(order("m", Hosted(f"file:{program}", 0), "b"))
        async with asyncio.timeout(PATIENCE_S):
            while not (tmp_path / "asked").exists():  # noqa: ASYNC110 - a file tells nobody that it is there
                await asyncio.sleep(0.02)
        token = (tmp_path / "token").read_text()
        async with RawBot(house.bots, token) as thief:
            assert await thief.status() == (
                grpc.StatusCode.ALREADY_EXISTS,
                "this one-time token is in use",
            )
        (tmp_path / "go").touch()
        assert_unharmed((await playing)["m"])


@pytest.mark.parametrize(
    "method",
    [
        "/arena.v1.RefereeService/Play",
        "/arena.v1.RefereeService/Control",
        "/arena.v1.RefereeService/Watch",
        "/arena.v1.BotService/Admin",
    ],
)
async def test_control_port_is_not_found_at_the_bots_port(house: House, method: str) -> None:
    async with undisturbed(house, matches=1), grpc.aio.insecure_channel(house.bots) as channel:
        call: Any = channel.stream_stream(method)(metadata=(("authorization", "Bearer token-a"),))
        assert await call.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_bot_that_says_no_hello_is_sent_away(house: House) -> None:
    async with undisturbed(house, matches=1), house.bot("a") as bot:
        assert await bot.status() == (grpc.StatusCode.INVALID_ARGUMENT, "no Hello within 1 s")


async def _answer_first(bot: RawBot) -> None:
    await bot.say(BotMessage(answer=Answer(table=1)))


async def _empty_first(bot: RawBot) -> None:
    await bot.call.write(ConnectRequest().SerializeToString())


async def _garbage_first(bot: RawBot) -> None:
    await bot.call.write(b"\x00\x01\x02 garbage")


async def _large_first(bot: RawBot) -> None:
    await bot.call.write(bytes(70_000))


async def _nothing_first(bot: RawBot) -> None:
    await bot.call.done_writing()


@pytest.mark.parametrize(
    ("begin", "words"),
    [
        (_answer_first, "the first message must be a Hello"),
        (_empty_first, "the first message must be a Hello"),
        (_garbage_first, "the first frame is no arena.v1.ConnectRequest"),
        (_large_first, "a first frame of 70000 bytes: at most 65536 are allowed"),
        (_nothing_first, "the stream ended before a Hello"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_stream_that_does_not_begin_with_hello_is_ended(
    house: House, begin: Callable[[RawBot], Awaitable[None]], words: str
) -> None:
    async with undisturbed(house, matches=1), house.bot("a") as bot:
        await begin(bot)
        assert await bot.status() == (grpc.StatusCode.INVALID_ARGUMENT, words)


@pytest.mark.parametrize(
    ("hello", "code", "words"),
    [
        ({"protocol": 0}, grpc.StatusCode.FAILED_PRECONDITION, "Hello.protocol 0: this referee speaks 1"),
        ({"protocol": 9}, grpc.StatusCode.FAILED_PRECONDITION, "Hello.protocol 9: this referee speaks 1"),
        (
            {"name": "n" * 65},
            grpc.StatusCode.INVALID_ARGUMENT,
            "Hello.name of 65 bytes: at most 64 are allowed",
        ),
        (
            {"name": "\x1b[2Jbot"},
            grpc.StatusCode.INVALID_ARGUMENT,
            "Hello.name '\\x1b[2Jbot': must have printable characters only",
        ),
        (
            {"version": "1\u202e2"},
            grpc.StatusCode.INVALID_ARGUMENT,
            "Hello.version '1\\u202e2': must have printable characters only",
        ),
        *(
            (
                {"version": version},
                grpc.StatusCode.INVALID_ARGUMENT,
                f"Hello.version '{version}': must be without blanks, `@`, `,` and `/`",
            )
            for version in ("1 beta", "1@2", "1,2", "1/2", " ")
        ),
        (
            {"sdk": "a\nb"},
            grpc.StatusCode.INVALID_ARGUMENT,
            "Hello.sdk 'a\\nb': must have printable characters only",
        ),
        (
            {"games": [{"game": "g"}] * 65},
            grpc.StatusCode.INVALID_ARGUMENT,
            "Hello.games has 65 entries: at most 64 are allowed",
        ),
        (
            {"games": [{"game": "g" * 65}]},
            grpc.StatusCode.INVALID_ARGUMENT,
            "Hello.games.game of 65 bytes: at most 64 are allowed",
        ),
        (
            {"games": [{"game": "g", "variants": ["v"] * 65}]},
            grpc.StatusCode.INVALID_ARGUMENT,
            "Hello.games.variants has 65 entries: at most 64 are allowed",
        ),
        (
            {"games": [{"game": "lost_cities", "seat_counts": [2] * 65}]},
            grpc.StatusCode.INVALID_ARGUMENT,
            "Hello.games.seat_counts has 65 entries: at most 64 are allowed",
        ),
        (
            {"games": [{"game": "lost_cities", "variants": ["long"]}]},
            grpc.StatusCode.INVALID_ARGUMENT,
            "Hello.games.variants 'long': there is no such table; the variants, each with its seat counts, are lost_cities: standard (2)",
        ),
        (
            {"games": [{"game": "lost_cities", "seat_counts": [3]}]},
            grpc.StatusCode.INVALID_ARGUMENT,
            "Hello.games.seat_counts 3: there is no such table; the variants, each with its seat counts, are lost_cities: standard (2)",
        ),
    ],
)
async def test_hello_that_is_not_right_is_refused(
    house: House, hello: dict[str, Any], code: grpc.StatusCode, words: str
) -> None:
    async with undisturbed(house, matches=1), house.bot("a") as bot:
        with pytest.raises(EOFError):
            await bot.hello(**hello)
        assert (await bot.call.code(), await bot.call.details()) == (code, words)


async def test_bot_that_asks_for_all_matches_at_once_gets_as_many_as_are_allowed(house: House) -> None:
    async with undisturbed(house, matches=1), house.bot("a") as bot:
        await bot.hello(matches_at_once=2**32 - 1)
        await asyncio.sleep(0)
        (guest,) = [
            guest for guest in house.referee.dispatcher.bots() if guest.is_connected and _is(guest, "a")
        ]
        assert guest.connection is not None
        assert guest.connection.capacity == 256


def _is(guest: Any, token_id: str) -> bool:
    return getattr(guest, "token_id", "") == token_id


async def test_bot_that_does_not_play_the_game_postpones_the_match(house: House) -> None:
    async with undisturbed(house, matches=1), good_bots(house, "b"), house.bot("a") as bot:
        await bot.hello(games=[{"game": "chess"}])
        ended = await house.play(order("m", "a", "b"))
        assert "does not play lost_cities (standard) at 2 seats: its Hello offers chess only" in str(
            ended["m"]
        )


async def test_bot_that_connects_without_end_is_told_to_wait(house: House) -> None:
    async with undisturbed(house, matches=1):
        for _ in range(10):
            async with house.bot("a") as bot:
                await bot.hello()
        async with house.bot("a") as bot:
            code, words = await bot.status()
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert words == "this token connects too often: 1 a second is allowed; wait longer"
