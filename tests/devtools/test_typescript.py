"""The bot in TypeScript: gRPC and the protos only, played for real in all three ways."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.referee_client.programs import node
from tests.cli.match.one_referee import kept_referee, one_referee, own_referee
from tests.cli.match.test_match_command import SEED, arena, played, records, without_ms
from tests.cli.running import run
from tests.sdk.scripted_arena import ask, ended, goodbye, open_stage, start, welcome

__all__ = ["kept_referee", "one_referee", "own_referee"]

EXAMPLE = Path(__file__).parents[2] / "bots" / "typescript"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a project in TypeScript, as its author would."""
    folder = tmp_path_factory.mktemp("home") / "my-bot"
    done = run("bot", "new", str(folder), "--game", "lifeboats", "--language", "typescript")
    assert done.code == 0
    assert "npm install" not in done.out
    assert not (folder / "node_modules").exists()
    return folder


@pytest.mark.usefixtures("own_referee")
def test_example_plays_whole_matches_and_the_same_ones_again(tmp_path: Path) -> None:
    arguments = (str(EXAMPLE), "random", "--option", "hands=1", "--seed", SEED, "--records")
    document = played(*arguments, "first", cwd=tmp_path)
    assert [bot["faults"] for bot in document["bots"]] == [0, 0]
    played(*arguments, "again", cwd=tmp_path)
    first, again = records(tmp_path / "first"), records(tmp_path / "again")
    assert {name: without_ms(each) for name, each in first.items()} == {
        name: without_ms(each) for name, each in again.items()
    }


def test_a_new_project_is_ready_to_play_every_table_of_its_game(project: Path) -> None:
    done = arena("bot", "check", project.name, "--matches", "1", "--json", cwd=project.parent)
    findings = json.loads(done.out)["findings"]
    assert [finding["text"] for finding in findings if finding["verdict"] != "ok"] == []
    assert len(findings) == 9 + 4
    assert done.code == 0


def test_it_reads_the_view_and_the_history_and_can_talk(project: Path) -> None:
    folder = project.parent / "talker"
    run("bot", "new", str(folder), "--game", "lifeboats", "--language", "typescript")
    bot = folder / "bot.ts"
    text = bot.read_text().replace(
        "  // Chooses one",
        "  say: (decision) => ({ text: `round ${decision.view.talkRound}` }),\n\n  // Chooses one",
    )
    bot.write_text(
        text.replace(
            "return decision.random();", "return decision.view.seats.length + decision.history.length;"
        )
    )
    document = played(
        "talker", "random", "random", "--option", "dealt=1", "--records", "out", cwd=folder.parent
    )
    assert [bot["faults"] for bot in document["bots"]] == [0, 0, 0]
    for record in records(folder.parent / "out").values():
        said = [step["say"]["text"] for step in record["steps"] if "say" in step]
        assert {text.rstrip("0123456789") for text in said} == {"round "}


def test_it_notes_what_it_thought(project: Path) -> None:
    folder = project.parent / "noting"
    run("bot", "new", str(folder), "--game", "lost_cities", "--language", "typescript")
    bot = folder / "bot.ts"
    text = bot.read_text().replace(
        "  choose(decision) {",
        "  choose(decision) {\n    decision.note({ values: Object.fromEntries(decision.legal.map((each, rank) => [each, rank])), numbers: { win: 0.5 }, text: 'so' });",
    )
    bot.write_text(text)
    played("noting", "random", "--option", "hands=1", "--records", "noted", cwd=folder.parent)
    files = sorted((folder.parent / "noted").glob("*.notes.jsonl"))
    assert len(files) == 2
    for file in files:
        (noted,) = map(json.loads, file.read_text().splitlines())
        assert noted["dropped"] == 0
        record = json.loads(file.with_name(file.name.replace(".notes.jsonl", ".json")).read_text())
        for each in noted["steps"]:
            action = record["steps"][each["step"]]["action"]
            assert action in [candidate for candidate, _ in each["candidates"]]
            assert (each["numbers"], each["text"]) == ({"win": 0.5}, "so")


def test_bot_of_the_docs_plays_without_a_fault(project: Path) -> None:
    folder = project.parent / "of-the-docs"
    run("bot", "new", str(folder), "--game", "lost_cities", "--language", "typescript")
    page = (EXAMPLE.parents[1] / "docs" / "bots.md").read_text(encoding="utf-8")
    (folder / "bot.ts").write_text(page.partition("```typescript\n")[2].partition("```")[0])
    document = played(folder.name, "random", "--option", "hands=1", "--records", "docs", cwd=folder.parent)
    assert [bot["faults"] for bot in document["bots"]] == [0, 0]


def test_project_without_its_packages_says_how_to_get_them(tmp_path: Path, project: Path) -> None:
    folder = tmp_path / "bare"
    folder.mkdir()
    for name in ("bot.toml", "bot.ts"):
        (folder / name).write_bytes((project / name).read_bytes())
    (folder / "package.json").write_text('{"dependencies": {"left-pad": "1"}}')
    done = arena("match", "bare", "greedy", "random", cwd=tmp_path)
    assert done.code == 2
    assert (
        done.error == "arena: bot 'bare': its packages are missing; get them with: cd bare && npm install\n"
    )


def test_a_node_that_is_too_old_is_told_which_one_it_takes(project: Path, tmp_path: Path) -> None:
    """The version is what the program looks at; the rest is a Node that could play."""
    (tmp_path / "older.cjs").write_text(
        'Object.defineProperty(process.versions, "node", { value: "20.11.1" });'
    )
    arguments = [node(), "--require", str(tmp_path / "older.cjs"), "start.js"]
    done = subprocess.run(arguments, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("bot.ts needs Node 22.18 or newer, which runs TypeScript as it is; ")
    assert "is Node 20.11.1.\n" in done.stderr
    assert "its .venv/bin/node is new enough" in done.stderr


def test_it_is_started_with_its_options_by_a_node_that_is_new_enough(project: Path) -> None:
    arguments = [node(), "start.js", "--listen", "127.0.0.1:0"]
    with subprocess.Popen(arguments, cwd=project, stdout=subprocess.PIPE, text=True) as bot:
        try:
            assert bot.stdout is not None
            assert "127.0.0.1:" in bot.stdout.readline()
        finally:
            bot.kill()


def test_lock_names_no_host() -> None:
    assert "resolved" not in (EXAMPLE / "package-lock.json").read_text()


def test_it_listens_and_wants_to_hear_the_secret(tmp_path: Path) -> None:
    arguments: list[str | Path] = [
        node(),
        EXAMPLE / "bot.ts",
        "--listen",
        "127.0.0.1:0",
        "--secret",
        "sesame",
    ]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as bot:
        try:
            assert bot.stdout is not None
            address = bot.stdout.readline().split()[-1]
            match = ("lost_cities", address, "random", "--option", "hands=1")
            document = played(*match, cwd=tmp_path, ARENA_BOT_SECRET="sesame")
            refused = arena("match", *match, cwd=tmp_path, ARENA_BOT_SECRET="other")
        finally:
            bot.kill()
    assert [each["faults"] for each in document["bots"]] == [0, 0]
    assert refused.code == 1
    assert "must be `Bearer <the bot's secret>`" in refused.error


@asynccontextmanager
async def dialling(address: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        node(),
        str(EXAMPLE / "bot.ts"),
        env={**os.environ, "ARENA_REFEREE": address, "ARENA_TOKEN": "sesame"},
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def answer_of(line: Any, *messages: Any) -> Any:
    await line.write(*messages)
    (message,) = await line.read()
    return message.answer


async def test_it_connects_again_and_goes_on_with_its_match(tmp_path: Path) -> None:
    async with open_stage(tmp_path) as stage, dialling(stage.address) as process:
        line = await stage.line()
        assert line.token == "Bearer sesame"
        (hello,) = await line.read()
        assert (hello.hello.protocol, hello.hello.name) == (1, "typescript")
        first = await answer_of(line, welcome(), start(1, match="m"), ask(1, decision=5))
        line.close()
        line = await stage.line()
        await line.read()
        again = await answer_of(line, welcome(), start(7, match="m"), ask(7, decision=5))
        assert (again.table, again.decision, again.action) == (7, 5, first.action)
        await line.write(goodbye(come_back=False))
        line.close()
        code, told = await ended(process)
    assert code == 0
    assert "connecting again in" in told


async def test_it_keeps_a_stream_to_each_referee_that_is_named(tmp_path: Path) -> None:
    async with open_stage(tmp_path, "one") as one, open_stage(tmp_path, "two") as two, dialling(one.address):
        line = await one.line()
        await line.read()
        await line.write(welcome(two.address))
        other = await two.line()
        (hello,) = await other.read()
        assert hello.HasField("hello")
        line.close()
        other.close()


async def test_it_gives_up_where_its_token_is_not_known(tmp_path: Path) -> None:
    async with open_stage(tmp_path) as stage:
        stage.refusal = (grpc.StatusCode.UNAUTHENTICATED, "this token is unknown")
        async with dialling(stage.address) as process:
            code, told = await ended(process)
    assert code == 1
    assert "the arena refused the connection: this token is unknown" in told
