"""The clients of gRPC that were written by hand, in Python, TypeScript and C, on one server that does all that HTTP/2 allows."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hyperframe.frame import DataFrame, GoAwayFrame, PingFrame, PriorityFrame, RstStreamFrame, SettingsFrame

from arena.referee_client.programs import node
from arena.v1 import bot_pb2 as pb
from arena.v1 import lost_cities_pb2
from tests.referee.sandbox.static_program import compile_bot
from tests.sdk.http2_server import PATIENCE_S, Connection, Manner, serving
from tests.sdk.scripted_arena import BOT, ask, ended, goodbye, start, welcome

EXAMPLE = Path(__file__).parents[2] / "bots" / "typescript" / "bot.ts"
LANGUAGES = ("python", "typescript", "c")
WINDOW, TABLE, FRAME = (
    SettingsFrame.INITIAL_WINDOW_SIZE,
    SettingsFrame.HEADER_TABLE_SIZE,
    SettingsFrame.MAX_FRAME_SIZE,
)
OF_A_NEWER_KIND = b"\0\0\3c\0\0\0\0\0new"
MANNERS = {
    "plainly": Manner(),
    "byte by byte": Manner(write_bytes=1),
    "a byte a frame": Manner(frame_bytes=1),
    "frames of seven bytes in parts of five": Manner(frame_bytes=7, write_bytes=5),
    "padded": Manner(frame_bytes=50, padding=200),
    "all padding but a byte": Manner(frame_bytes=1, padding=255),
    "empty frames between": Manner(frame_bytes=9, between=DataFrame(1, b"").serialize()),
    "frames of a newer kind between": Manner(frame_bytes=9, between=OF_A_NEWER_KIND),
    "priorities between": Manner(between=PriorityFrame(1, depends_on=0, stream_weight=9).serialize()),
    "pings between": Manner(frame_bytes=99, between=PingFrame(0, b"are you?").serialize()),
    "settings between": Manner(
        frame_bytes=99, between=SettingsFrame(0, {TABLE: 0, FRAME: 20_000, 0x99: 1}).serialize()
    ),
    "header fields in parts": Manner(head_bytes=9),
    "header fields with padding and priority": Manner(head_flags=("PADDED", "PRIORITY")),
    "shutting down": Manner(between=GoAwayFrame(0, last_stream_id=2**31 - 1).serialize()),
    "a narrow window": Manner(settings=((WINDOW, 5),), grant_bytes=40),
    "no window": Manner(settings=((WINDOW, 0),), grant_bytes=40),
}
ENDS = {
    "reset": RstStreamFrame(1, error_code=7).serialize(),
    "gone": GoAwayFrame(0, last_stream_id=0).serialize(),
    "ended": DataFrame(1, b"", flags=["END_STREAM"]).serialize(),
    "compressed": DataFrame(1, b"\1\0\0\0\0").serialize(),
    "a frame that is too long": b"\1\0\0" + bytes(6),
    "all padding": b"\0\0\1\0\x08\0\0\0\1\5",
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, ...]]:
    """Write or compile a bot in each language; return their command lines."""
    folder = tmp_path_factory.mktemp("clients")
    (folder / "bot.py").write_text(BOT.format(choose="return decision.legal[-1]"))
    compiled = compile_bot(folder / "c")
    return {
        "python": (sys.executable, str(folder / "bot.py")),
        "typescript": (node(), str(EXAMPLE)),
        "c": (str(compiled / "bot"),),
    }


@asynccontextmanager
async def dialling(arguments: tuple[str, ...], path: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ARENA_")}
    process = await asyncio.create_subprocess_exec(
        *arguments,
        env={**environment, "ARENA_REFEREE": f"unix:{path}", "ARENA_TOKEN": "sesame"},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def answers(connection: Connection, decision: int) -> None:
    answer = (await connection.hear()).answer
    assert (answer.table, answer.decision) == (1, decision)
    assert answer.action < 3


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_it_plays_a_match_however_the_referee_writes(
    tmp_path: Path, programs: dict[str, tuple[str, ...]], language: str, manner: str
) -> None:
    path = tmp_path / "socket"
    async with serving(path, MANNERS[manner]) as connections, dialling(programs[language], path) as process:
        connection = await asyncio.wait_for(connections.get(), PATIENCE_S)
        await connection.begin()
        assert (await connection.hear()).hello.protocol == 1
        view = lost_cities_pb2.LostCitiesView(hand=["R2"] * 20).SerializeToString()
        await connection.say(welcome(), start(), ask(decision=1, view=view))
        await answers(connection, 1)
        await connection.say(ask(decision=2), ask(decision=3))
        await answers(connection, 2)
        await answers(connection, 3)
        await connection.say(pb.ArenaMessage(end=pb.End(table=1)), goodbye(come_back=False))
        await connection.head(("grpc-status", "0"), last=True)
        code, told = await ended(process)
    assert (code, told) == (0, "")
    assert set(connection.acknowledged) <= {b"are you?"}
    assert bool(connection.acknowledged) == ("pings" in manner)
    assert connection.settings_acknowledged > ("settings" in manner)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_it_lets_the_referee_send_again_what_padding_took(
    tmp_path: Path, programs: dict[str, tuple[str, ...]], language: str
) -> None:
    path = tmp_path / "socket"
    manner = Manner(frame_bytes=300, padding=255)
    async with serving(path, manner) as connections, dialling(programs[language], path):
        connection = await asyncio.wait_for(connections.get(), PATIENCE_S)
        await connection.begin()
        await connection.hear()
        await connection.say(start())
        for decision in range(1, 9):
            await connection.say(ask(decision=decision, view=bytes(300_000)))
            await answers(connection, decision)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_it_does_not_stay_where_its_call_has_ended(
    tmp_path: Path, programs: dict[str, tuple[str, ...]], language: str, end: str
) -> None:
    """It says why, and connects again; the one in C leaves that to whoever starts it."""
    path = tmp_path / "socket"
    async with serving(path, Manner()) as connections, dialling(programs[language], path) as process:
        connection = await asyncio.wait_for(connections.get(), PATIENCE_S)
        await connection.begin()
        await connection.hear()
        await connection.write(ENDS[end])
        assert process.stderr is not None
        assert await asyncio.wait_for(process.stderr.readline(), PATIENCE_S)
        if language == "c":
            assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 1
        else:
            await asyncio.wait_for(connections.get(), PATIENCE_S)
