"""The program `python -m referee`."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.sandbox import command
from tests.parts.arena_process import descendants


@contextmanager
def referee(
    directory: Path, *arguments: str, control: str = "", key: str = ""
) -> Iterator[subprocess.Popen[str]]:
    control = control or f"unix:{directory / 'control'}"
    program = subprocess.Popen(
        [sys.executable, "-m", "referee", "--control", control, "--log-level", "WARNING", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "ARENA_CONTROL_KEY": key},
    )
    try:
        yield program
    finally:
        program.kill()
        program.communicate()


def first_line(program: subprocess.Popen[str]) -> str:
    assert program.stdout is not None
    return program.stdout.readline()


def test_program_says_ready_and_ends_quietly_when_told_to(tmp_path: Path) -> None:
    with referee(tmp_path, "--bots", f"unix:{tmp_path / 'bots'}") as program:
        assert first_line(program) == "ready\n"
        program.send_signal(signal.SIGTERM)
        _, errors = program.communicate(timeout=60)
        assert (program.returncode, errors) == (0, "")


@pytest.mark.skipif(not command.find(), reason="needs bubblewrap, as its watchdog does")
def test_what_leads_to_the_store_is_not_in_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = ("ARENA_DATABASE_URL", "ARENA_REDIS_URL", "ARENA_SECRET", "PGPASSWORD")
    for name in private:
        monkeypatch.setenv(name, "private")
    with referee(tmp_path, "--bots", f"unix:{tmp_path / 'bots'}", "--sandbox", "auto", key="k") as program:
        assert first_line(program) == "ready\n"
        started = [program.pid, *descendants(program.pid)]  # itself and its watchdog
        environments = [Path(f"/proc/{pid}/environ").read_bytes().split(b"\0") for pid in started]
    assert len(environments) > 1
    assert b"ARENA_CONTROL_KEY=k" in environments[0]
    assert not [each for environment in environments for each in environment if b"private" in each]


@pytest.mark.parametrize("option", ["--bots", "--control"])
def test_port_in_use_is_one_line_and_exit_code_1(tmp_path: Path, option: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        bots = address if option == "--bots" else f"unix:{tmp_path / 'bots'}"
        control = address if option == "--control" else ""
        with referee(tmp_path, "--bots", bots, control=control, key="k") as program:
            _, errors = program.communicate(timeout=60)
        assert program.returncode == 1
        assert (
            errors
            == f"referee: {option} {address}: cannot listen there; is the port in use? Give a free one\n"
        )


def test_socket_that_another_referee_serves_is_not_taken_from_it(tmp_path: Path) -> None:
    bots = ("--bots", f"unix:{tmp_path / 'bots'}")
    with referee(tmp_path, *bots) as program:
        assert first_line(program) == "ready\n"
        with referee(tmp_path, *bots) as second:
            _, errors = second.communicate(timeout=60)
        assert second.returncode == 1
        assert "another program serves this socket" in errors


def test_socket_that_a_killed_referee_left_behind_is_taken_over(tmp_path: Path) -> None:
    bots = ("--bots", f"unix:{tmp_path / 'bots'}")
    with referee(tmp_path, *bots) as program:
        assert first_line(program) == "ready\n"
        program.kill()
        program.wait()
    with referee(tmp_path, *bots) as program:
        assert first_line(program) == "ready\n"


def test_control_port_over_tcp_needs_a_key(tmp_path: Path) -> None:
    with referee(tmp_path, "--bots", f"unix:{tmp_path / 'bots'}", control="127.0.0.1:0") as program:
        _, errors = program.communicate(timeout=60)
    assert program.returncode == 1
    assert "set ARENA_CONTROL_KEY" in errors


@pytest.mark.parametrize("public", ["play1", "play1:0", "unix:/tmp/x"])
def test_public_address_that_is_none_is_refused(tmp_path: Path, public: str) -> None:
    with referee(tmp_path, "--bots", f"unix:{tmp_path / 'bots'}", "--public", public) as program:
        _, errors = program.communicate(timeout=60)
    assert program.returncode == 2
    assert f"--public: {public!r}: must be HOST:PORT" in errors


def test_wrong_usage_exits_with_2(tmp_path: Path) -> None:
    with referee(tmp_path) as program:
        program.communicate(timeout=60)
    assert program.returncode == 2
