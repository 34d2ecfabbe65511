"""The programs in the documentation for bot authors run as they stand there."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from tests.sdk.scripted_arena import ask, goodbye, open_stage, start, welcome

DOCS = Path(__file__).parents[2] / "docs"


def programs(page: str, language: str = "python") -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


async def test_bare_client_of_the_protocol_page_plays(tmp_path: Path) -> None:
    (program,) = programs("protocol.md")
    await answers_one_ask(tmp_path, sys.executable, "-c", program)


@pytest.mark.long
async def test_bare_client_in_cpp_compiles_by_the_commands_that_it_names_and_plays(tmp_path: Path) -> None:
    """It takes a compiler, and Debian's packages of gRPC (`deploy/test-packages`), a quarter of a minute of computing."""
    lacking = [name for name in ("bash", "c++", "protoc", "grpc_cpp_plugin", "pkg-config") if not which(name)]
    if lacking and "CI" not in os.environ:
        pytest.skip(f"no {', '.join(lacking)}")
    (program,) = programs("protocol.md", "cpp")
    (tmp_path / "bare.cc").write_text(program, encoding="utf-8")
    (tmp_path / "protos").symlink_to(DOCS.parent / "protos")
    commands = [line.removeprefix("// ") for line in program.splitlines() if line.startswith("// ")]
    assert [command.split()[0] for command in commands] == ["protoc", "c++"]
    for command in commands:
        done = await asyncio.create_subprocess_exec("bash", "-c", command, cwd=tmp_path)
        assert await done.wait() == 0
    await answers_one_ask(tmp_path, str(tmp_path / "bare"))


async def answers_one_ask(folder: Path, *program: str) -> None:
    """Start a client, ask it once, and send it away."""
    async with open_stage(folder) as stage:
        environment = os.environ | {"ARENA_REFEREE": stage.address, "ARENA_TOKEN": "sesame"}
        process = await asyncio.create_subprocess_exec(*program, env=environment)
        line = await stage.line()
        (hello,) = await line.read()
        await line.write(welcome(), start(3), ask(3, decision=5))
        (answer,) = await line.read()
        await line.write(goodbye(come_back=False))
        line.close()
        await asyncio.wait_for(process.wait(), 20)
    assert hello.hello.name == "bare"
    assert (answer.answer.table, answer.answer.decision, answer.answer.action) == (3, 5, 0)
    assert process.returncode == 0


def test_first_bot_of_the_python_page_plays_whole_matches() -> None:
    from arena.sdk import practise
    from bots.catalogue import house_bot

    names: dict[str, type] = {}
    exec(programs("bots.md")[0].replace("__main__", "never"), names)  # noqa: S102 - our own page
    bot = names["MyBot"]()
    assert practise("lost_cities", [bot, house_bot("lost_cities", "greedy")]).end == "completed"


def test_practice_of_the_python_page_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", programs("bots.md")[2]],
        capture_output=True,
        text=True,
        check=True,
        cwd=DOCS.parent,
    )
    assert len(done.stdout.splitlines()) == 10


@pytest.mark.parametrize("page", ["protocol.md", "bots.md", "adapting.md"])
def test_links_of_a_page_lead_somewhere(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    assert links
    assert [link for link in links if not (DOCS / link).exists()] == []


def test_every_message_of_the_protocol_is_on_its_page() -> None:
    from arena.v1 import bot_pb2

    text = (DOCS / "protocol.md").read_text(encoding="utf-8")
    messages = [
        field.message_type.name
        for message in (bot_pb2.BotMessage, bot_pb2.ArenaMessage)
        for field in message.DESCRIPTOR.fields
        if field.message_type is not None
    ]
    assert [name for name in messages if f"`{name}`" not in text] == []


def test_every_game_s_view_is_on_the_protocol_page() -> None:
    from arena.games.codec import codec
    from arena.games.registry import GAMES

    text = (DOCS / "protocol.md").read_text(encoding="utf-8")
    assert [game for game in GAMES if codec(game).VIEW_TYPE not in text] == []


def test_bot_of_the_python_page_that_searches_plays_each_kind_of_game() -> None:
    from arena.sdk import practise

    names: dict[str, type] = {}
    exec(programs("bots.md")[-1], names)  # noqa: S102 - our own page
    bots = [names["Dreamer"]() for _ in range(3)]
    assert practise("land_unter", bots, options={"rounds": 1}).end == "completed"
    assert practise("lost_cities", bots[:2], options={"hands": 1}).end == "completed"
