"""The starter in Go: its messages are those of the protos; built with Debian's Go, it plays at home and in the sandbox."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.devtools.starters import write_project
from arena.games.codec import codec
from arena.games.registry import GAMES
from protos import generate
from tests.cli.match.one_referee import kept_referee, one_referee, own_referee
from tests.cli.match.test_match_command import SEED, arena, played, records, without_ms
from tests.cli.running import run
from tests.sdk.test_author_docs import DOCS, answers_one_ask, programs

__all__ = ["kept_referee", "one_referee", "own_referee"]

LIBRARIES = Path("/usr/share/gocode")
"""Where Debian has Go's libraries, for a GOPATH."""


def test_a_change_of_a_proto_makes_its_messages_stale(tmp_path: Path) -> None:
    described = generate.describe(tmp_path / "described.binpb")
    assert [*generate.stale_go(described)] == []
    described.file[0].message_type[0].field[0].name += "_more"
    assert [*generate.stale_go(described)] == [f"{Path(described.file[0].name).stem}.pb.go"]


@pytest.mark.parametrize("game", GAMES)
def test_the_view_that_a_new_project_names_is_among_its_messages(game: str, tmp_path: Path) -> None:
    write_project(tmp_path / "bot", game, "go")
    kind = codec(game).VIEW_TYPE.rpartition(".")[2]
    assert f"decision.View.(*arenav1.{kind})" in (tmp_path / "bot" / "bot.go").read_text()
    assert f"type {kind} struct" in (tmp_path / "bot" / "arena" / "v1" / f"{game}.pb.go").read_text()


def test_a_new_project_says_how_it_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = run("bot", "new", "my-bot", "--game", "bottle_imp", "--language", "go")
    assert made.out.splitlines()[1:] == [
        "First: make -C my-bot",
        "Let it play: arena match my-bot greedy random --sets 20",
        "Then make my-bot/bot.go better.",
    ]


@pytest.fixture(scope="module")
def go() -> None:
    """Skip without Debian's Go and its libraries."""
    lacking = [name for name in ("go", "make", "protoc", "protoc-gen-go") if not shutil.which(name)]
    if not (LIBRARIES / "src" / "google.golang.org" / "grpc").is_dir():
        lacking.append("golang-google-grpc-dev")
    if lacking and "CI" not in os.environ:
        pytest.skip(f"no {', '.join(lacking)}: deploy/test-packages --long")
    assert not lacking


def environment_of(project: Path) -> dict[str, str]:
    """Put a project into a GOPATH under its module's name, beside Debian's libraries; return the variables."""
    path = project.parent / f"{project.name}.gopath"
    (path / "src").mkdir(parents=True)
    (path / "src" / "bot").symlink_to(project)
    return {**os.environ, "GO111MODULE": "off", "GOFLAGS": "", "GOPATH": f"{path}:{LIBRARIES}"}


def build(project: Path, *commands: str) -> None:
    environment = environment_of(project)
    folder = Path(environment["GOPATH"].partition(":")[0], "src", "bot")
    for command in commands:
        subprocess.run(["bash", "-c", f"cd {folder} && {command}"], env=environment, check=True)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, go: None) -> Path:
    """Write a project in Go and build it; return the folder that it is in."""
    home = tmp_path_factory.mktemp("home")
    write_project(home / "my-bot", "bottle_imp", "go")
    build(home / "my-bot", "make -s", "go vet .", 'test -z "$(gofmt -l .)"')
    return home


@pytest.mark.long
@pytest.mark.usefixtures("own_referee")
def test_it_plays_whole_matches_and_the_same_ones_again(home: Path) -> None:
    arguments = ("my-bot", "greedy", "random", "--option", "hands=1", "--seed", SEED, "--records")
    document = played(*arguments, "first", cwd=home)
    assert [bot["faults"] for bot in document["bots"]] == [0, 0, 0]
    played(*arguments, "again", cwd=home)
    first, again = records(home / "first"), records(home / "again")
    assert {name: without_ms(each) for name, each in first.items()} == {
        name: without_ms(each) for name, each in again.items()
    }


@pytest.mark.long
def test_it_is_ready_to_play_every_table_of_its_game_in_the_sandbox(home: Path) -> None:
    done = arena("bot", "check", "my-bot", "--matches", "1", "--json", cwd=home)
    findings = json.loads(done.out)["findings"]
    assert [finding["text"] for finding in findings if finding["verdict"] != "ok"] == []
    assert "as a submission's" in next(each["text"] for each in findings if each["what"] == "sandbox")
    assert done.code == 0


@pytest.mark.long
@pytest.mark.usefixtures("go", "own_referee")
def test_bot_of_the_page_plays_by_the_view(tmp_path: Path) -> None:
    write_project(tmp_path / "of-the-page", "lost_cities", "go")
    (tmp_path / "of-the-page" / "bot.go").write_text(programs("go.md", "go")[0], encoding="utf-8")
    build(tmp_path / "of-the-page", "make -s", "go vet .", 'test -z "$(gofmt -l .)"')
    document = played("of-the-page", "random", "--sets", "5", cwd=tmp_path)
    assert [bot["faults"] for bot in document["bots"]] == [0, 0]


@pytest.mark.long
@pytest.mark.usefixtures("go")
async def test_whole_bot_of_the_page_builds_by_the_commands_that_it_names_and_plays(tmp_path: Path) -> None:
    project = tmp_path / "bare"
    project.mkdir()
    (project / "protos").symlink_to(DOCS.parent / "protos")
    program = programs("go.md", "go")[1]
    (project / "main.go").write_text(program, encoding="utf-8")
    commands = [line.removeprefix("// ") for line in program.splitlines() if line.startswith("// ")]
    build(project, *commands, "go vet .", 'test -z "$(gofmt -l .)"')
    await answers_one_ask(tmp_path, str(project / "bot"))
