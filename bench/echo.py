"""A bare echo over a bidirectional stream of grpc.aio: what the referee is held against.

It has the message sizes of an ask of Lost Cities and its answer, the same event loop, a Unix socket and a process on either
side, and nothing else: no messages are built or read.  With two others, which take turns, it is what a match of two bots
cannot be faster than: each sleeps twice as long.  Bare is with grpc as it comes; tuned is with its settings of
`arena.core.grpc_environment`, as in the referee and the SDK.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import uvloop

from arena.core import child_process, grpc_environment

ASK_BYTES, ANSWER_BYTES = 420, 12
_TRIPS = 2_000
_WARM_TRIPS = 200
_METHOD = "/bench.Echo/Play"


def trips_per_s(*, tuned: bool, others: int = 1) -> float:
    """Measure in processes of its own, bare or tuned, between one process and others in turn."""
    environment = dict(os.environ) | grpc_environment.SETTINGS
    if not tuned:
        del environment["GRPC_EXPERIMENTS"]
    measured = subprocess.run(
        child_process.module("bench.echo", str(others)),
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return float(measured.stdout)


async def _ask(others: int) -> float:
    """Be the asking side of some others."""
    streams: asyncio.Queue[Any] = asyncio.Queue()
    done = asyncio.Event()

    async def serve(_requests: object, context: Any) -> None:  # noqa: ANN401 - grpc's own
        await streams.put(context)
        await done.wait()

    async def trips(asked: list[Any], count: int) -> float:
        message = bytes(ASK_BYTES)
        began = time.perf_counter()
        for number in range(count):
            stream = asked[number % len(asked)]
            await stream.write(message)
            await stream.read()
        return count / (time.perf_counter() - began)

    with tempfile.TemporaryDirectory() as directory:
        address = f"unix:{Path(directory, 'echo')}"
        server = grpc.aio.server()
        handler: Any = grpc.stream_stream_rpc_method_handler(serve)
        service = _METHOD.split("/")[1]
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {"Play": handler}),))
        server.add_insecure_port(address)
        await server.start()
        answering = [
            child_process.start(child_process.module("bench.echo", address), environment={})
            for _ in range(others)
        ]
        try:
            asked = [await streams.get() for _ in answering]
            await trips(asked, _WARM_TRIPS)
            return await trips(asked, _TRIPS)
        finally:
            done.set()
            await server.stop(None)
            for each in answering:
                child_process.stop(each, grace_s=1)


async def _answer(address: str) -> None:
    """Be the answering side."""
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.stream_stream(_METHOD)()
        answer = bytes(ANSWER_BYTES)
        with suppress(grpc.RpcError):  # the other side goes when it has measured
            while await call.read() is not grpc.aio.EOF:
                await call.write(answer)


if __name__ == "__main__":
    if sys.argv[1].startswith("unix:"):
        uvloop.run(_answer(sys.argv[1]))
    else:
        print(uvloop.run(_ask(int(sys.argv[1]))))
