"""The referee with two bots in processes of their own, beside a bare echo over the same kind of stream.

The echo has the same message sizes (an ask one way, an answer back), the same event loop, Unix socket and number of
processes, and nothing else: no messages are built or read.  All three are measured in turn, several times, and the
best of each compared, since other programs share the machine.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import uvloop

from arena import process
from arena.games import registry
from arena.games.kernel import Played, advance
from arena.match.record import Record
from arena.play import Finished, Hosted, Order, Referee, SeatOrder, local_referee
from bench.figures import Figure

ROUNDS = 4
ECHO_TRIPS = 2_000
AT_ONCE = 64
ASK_BYTES, ANSWER_BYTES = 420, 12
"""About what an ask of Lost Cities and its answer weigh as frames of one message."""

GAME = "lost_cities"
BOTS = ("random", "random")
_METHOD = "/bench.Echo/Play"


def measure() -> list[Figure]:
    """Measure round trips of the echo and decisions of the referee."""
    echo, one, many = uvloop.run(_measure())
    return [
        Figure("bare echo, one in flight", echo, "round trips/s"),
        Figure("referee, 1 match", one, "decisions/s", 0.6 * echo, note="limit: 0.6 × the echo"),
        Figure(
            f"referee, {AT_ONCE} matches at once",
            many,
            "decisions/s",
            2.5 * echo,
            note="limit: 2.5 × the echo",
        ),
    ]


async def _measure() -> tuple[float, float, float]:
    with local_referee(slots=2) as control:
        async with _echo() as trips, Referee(control) as referee:
            await _decisions(referee, "warm", matches=4, hands=1)
            rounds = [
                (
                    await trips(ECHO_TRIPS),
                    await _decisions(referee, f"one {number}", matches=1, hands=5),
                    await _decisions(referee, f"many {number}", matches=2 * AT_ONCE, hands=1),
                )
                for number in range(ROUNDS)
            ]
    echo, one, many = zip(*rounds, strict=True)
    return max(echo), max(one), max(many)


# --- the referee ----------------------------------------------------------------------------------------------


async def _decisions(referee: Referee, name: str, *, matches: int, hands: int) -> float:
    """Have matches played; gives the decisions a second that a bot was really asked for."""
    seats = tuple(SeatOrder(bot, "1", Hosted(f"house:{GAME}/{bot}", lane)) for lane, bot in enumerate(BOTS))
    orders = [
        Order(f"{name} {number}", GAME, "standard", seats, number.to_bytes(32, "big"), {"hands": hands})
        for number in range(matches)
    ]
    began = time.perf_counter()
    reports = [report async for report in referee.play(orders)]
    took_s = time.perf_counter() - began
    records = [report.record for report in reports if isinstance(report, Finished)]
    assert len(records) == matches
    assert all(record.result.fault is None for record in records)
    return sum(map(_asked, records)) / took_s


def _asked(record: Record) -> int:
    """Count the decisions of a match that had more than one legal action."""
    game = registry.find(record.game)
    state, _ = game.new(game.setup(2, options=record.options), record.seed)
    asked = 0
    for recorded in record.steps:
        if isinstance(recorded.step, Played):
            asked += len(game.legal(state, recorded.step.seat)) > 1
            state, _, _ = advance(game, state, (recorded.step.action,), 0)
    return asked


# --- the echo -------------------------------------------------------------------------------------------------


@asynccontextmanager
async def _echo() -> AsyncIterator[Any]:
    """Serve a stream to a process that answers each message; gives a function that measures a number of trips."""
    streams: asyncio.Queue[Any] = asyncio.Queue()
    done = asyncio.Event()

    async def serve(_requests: object, context: Any) -> None:  # noqa: ANN401 - grpc's own
        await streams.put(context)
        await done.wait()

    async def trips(count: int) -> float:
        message = bytes(ASK_BYTES)
        began = time.perf_counter()
        for _ in range(count):
            await stream.write(message)
            await stream.read()
        return count / (time.perf_counter() - began)

    with tempfile.TemporaryDirectory() as directory:
        address = f"unix:{Path(directory, 'echo')}"
        server = grpc.aio.server()
        handler = grpc.stream_stream_rpc_method_handler(serve)
        service = _METHOD.split("/")[1]
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {"Play": handler}),))
        server.add_insecure_port(address)
        await server.start()
        other = process.start([sys.executable, "-m", "bench.referee", address], environment={})
        try:
            stream = await streams.get()
            await trips(200)
            yield trips
        finally:
            done.set()
            await server.stop(None)
            process.stop(other, grace_s=1)


async def _answer(address: str) -> None:
    """Be the other side of the echo."""
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.stream_stream(_METHOD)()
        answer = bytes(ANSWER_BYTES)
        while await call.read() is not grpc.aio.EOF:
            await call.write(answer)


def main(arguments: Sequence[str]) -> None:
    """Be the other side of the echo, in a process of its own."""
    uvloop.run(_answer(arguments[0]))


if __name__ == "__main__":
    main(sys.argv[1:])
