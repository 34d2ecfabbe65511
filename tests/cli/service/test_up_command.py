"""What `arena up` refuses, before anything has started; that it works is in tests/recovery."""

import os
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.games import registry
from arena.supervisor.data_directory import locked
from tests.cli.running import Done, run, run_apart
from tests.parts.arena_process import clean_environment


def arena(*arguments: str, **environment: str) -> Done:
    return run_apart(*arguments, environment={**clean_environment(), **environment})


def assert_is_one_line(done: Done, *parts: str) -> None:
    assert done.code == 1
    assert done.out == ""
    assert len(done.error.splitlines()) == 1
    for part in parts:
        assert part in done.error


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number: int = listener.getsockname()[1]
    return number


def test_a_port_in_use_is_named_with_the_remedy(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number = listener.getsockname()[1]
        result = arena("up", "--data", str(tmp_path), "--port", str(number))
    assert_is_one_line(result, f"port {number}", "--port")


@pytest.mark.parametrize("by", ["option", "setting"])
def test_a_port_for_bots_in_use_is_named_with_the_remedy(tmp_path: Path, port: int, by: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number = str(listener.getsockname()[1])
        given = ("--bots-port", number) if by == "option" else ()
        environment = {} if by == "option" else {"ARENA_BOTS_PORT": number}
        result = arena("up", "--data", str(tmp_path), "--port", str(port), *given, **environment)
    assert_is_one_line(result, f"port {number}", "--bots-port")


def test_a_data_directory_in_use_is_named_with_the_process(tmp_path: Path, port: int) -> None:
    with locked(tmp_path, tmp_path / "run"):
        result = arena("up", "--data", str(tmp_path), "--port", str(port))
    assert_is_one_line(result, str(tmp_path), f"process {os.getpid()}", "--data")


def test_a_data_directory_of_a_newer_version_is_refused(tmp_path: Path, port: int) -> None:
    (tmp_path / "version").write_text("99\n")
    result = arena("up", "--data", str(tmp_path), "--port", str(port))
    assert_is_one_line(result, "version 99", "update")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock", "version"]


def test_a_redis_that_cannot_be_reached_is_named_with_the_remedy(tmp_path: Path, port: int) -> None:
    url = "redis://127.0.0.1:1/0"
    result = arena("up", "--data", str(tmp_path), "--port", str(port), ARENA_REDIS_URL=url)
    assert_is_one_line(result, url, "ARENA_REDIS_URL")
    assert not (tmp_path / "arena.db").exists()


def test_a_database_that_cannot_be_reached_is_named_with_the_remedy(tmp_path: Path, port: int) -> None:
    url = "postgresql://arena@127.0.0.1:1/arena"
    result = arena("up", "--data", str(tmp_path), "--port", str(port), ARENA_DATABASE_URL=url)
    assert_is_one_line(result, "127.0.0.1:1/arena", "ARENA_DATABASE_URL")


@pytest.mark.parametrize(
    "arguments", [("up",), ("serve",), ("serve", "web"), ("serve", "referee"), ("serve", "worker")]
)
def test_help_has_an_example(arguments: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main.arena, [*arguments, "--help"])
    assert result.exit_code == 0
    assert "Example:" in result.output


def test_help_promises_a_tournament_in_each_game_and_the_demo_has_them() -> None:
    words = " ".join(CliRunner().invoke(main.arena, ["up", "--help"]).output.split())
    assert "An empty store gets a tournament of house bots in each game." in words
    assert all(package.demo_cycles for package in registry.PACKAGES.values())


def test_a_worker_alone_names_the_redis_that_it_cannot_reach(tmp_path: Path) -> None:
    assert run("db", "upgrade", ARENA_DATA=str(tmp_path)).code == 0
    result = arena("serve", "worker", ARENA_DATA=str(tmp_path), ARENA_REDIS_URL="redis://127.0.0.1:1/0")
    assert_is_one_line(result, "redis://127.0.0.1:1/0", "ARENA_REDIS_URL")


def test_a_worker_alone_says_how_to_make_the_store(tmp_path: Path) -> None:
    assert_is_one_line(arena("serve", "worker", ARENA_DATA=str(tmp_path)), "arena db upgrade")
