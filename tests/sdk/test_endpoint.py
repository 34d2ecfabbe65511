"""A bot that listens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.v1 import bot_pb2 as pb
from arena.v1 import bot_pb2_grpc
from tests.sdk.scripted_arena import PATIENCE_S, ask, bot_process, ended, start, welcome

LAST = "return decision.legal[-1]"


async def listening(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    line = await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)
    return line.decode().removeprefix("listening on ").strip()


@asynccontextmanager
async def dial(address: str, secret: str = "") -> AsyncIterator[Any]:
    async with grpc.aio.insecure_channel(address) as channel:
        stub = bot_pb2_grpc.EndpointServiceStub(channel)
        yield stub.Serve(metadata=(("authorization", f"Bearer {secret}"),))


async def test_endpoint_plays_for_whoever_calls(tmp_path: Path) -> None:
    async with bot_process(tmp_path, LAST, "--listen", "127.0.0.1:0") as process:
        async with dial(await listening(process)) as call:
            await call.write(pb.ServeRequest(messages=[welcome(), start(), ask()]))
            hello = await call.read()
            answers = await call.read()
        assert hello.messages[0].hello.name == "Mine"
        assert answers.messages[0].answer.action == 2


async def test_endpoint_refuses_a_wrong_secret(tmp_path: Path) -> None:
    async with bot_process(tmp_path, LAST, "--listen", "127.0.0.1:0", "--secret", "s3") as process:
        async with dial(await listening(process), "guess") as call:
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await call.read()
        assert error.value.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_endpoint_lets_the_right_secret_in(tmp_path: Path) -> None:
    arguments = ("--listen", "127.0.0.1:0", "--secret", "s3")
    async with (
        bot_process(tmp_path, LAST, *arguments) as process,
        dial(await listening(process), "s3") as call,
    ):
        assert (await call.read()).messages[0].HasField("hello")


async def test_endpoint_ends_when_the_bot_crashes(tmp_path: Path) -> None:
    async with bot_process(tmp_path, "return 1 / 0", "--listen", "127.0.0.1:0") as process:
        async with dial(await listening(process)) as call:
            await call.write(pb.ServeRequest(messages=[welcome(), start(), ask()]))
            process.stdout = None
            code, stderr = await ended(process)
        assert (code, stderr.splitlines()[-1]) == (1, "ZeroDivisionError: division by zero")


async def test_endpoint_takes_it_quietly_when_the_arena_hangs_up(tmp_path: Path) -> None:
    async with bot_process(tmp_path, LAST, "--listen", "127.0.0.1:0") as process:
        address = await listening(process)
        async with dial(address) as call:
            await call.write(pb.ServeRequest(messages=[welcome(), start(), ask()]))
            await call.read()
            call.cancel()
        async with dial(address) as call:
            await call.read()
        process.stdout = None
        process.terminate()
        assert await ended(process) == (0, "")


async def test_port_in_use_is_named(tmp_path: Path) -> None:
    async with bot_process(tmp_path, LAST, "--listen", "127.0.0.1:0") as process:
        address = await listening(process)
        async with bot_process(tmp_path, LAST, "--listen", address) as second:
            code, stderr = await ended(second)
        assert code == 1
        assert stderr.endswith(
            f"--listen {address}: cannot listen there; is the port in use? Give a free one\n"
        )


async def test_address_without_a_port_is_refused(tmp_path: Path) -> None:
    async with bot_process(tmp_path, LAST, "--listen", "7001") as process:
        code, stderr = await ended(process)
    assert code == 2
    assert "'7001': must be HOST:PORT" in stderr
