"""`python -m arena.web` as a process."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from typing import TYPE_CHECKING

import pytest

from arena.store import upgrade
from tests.arena import clean_environment, free_port
from tests.parts import wait_until

if TYPE_CHECKING:
    from pathlib import Path


def _start(data: Path, port: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "arena.web", "--port", str(port)],
        env={**clean_environment(), "ARENA_DATA": str(data), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2) as answer:
            return answer.status == 200
    except OSError:
        return False


@pytest.fixture
def data(tmp_path: Path) -> Path:
    upgrade(f"sqlite:///{tmp_path / 'arena.db'}")
    return tmp_path


def test_port_in_use_is_one_line_and_exit_1(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = _start(data, port)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert len(said.splitlines()) == 1
    assert f"127.0.0.1:{port}" in said
    assert "--port" in said


def test_store_that_is_not_there_is_one_line_and_exit_1(tmp_path: Path) -> None:
    process = _start(tmp_path, free_port())
    _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert len(said.splitlines()) == 1
    assert "arena db upgrade" in said


def test_sigterm_ends_it_though_a_page_is_live(data: Path) -> None:
    port = free_port()
    process = _start(data, port)
    try:
        wait_until(lambda: _answers(port), "the web answers", within_s=30)
        with socket.create_connection(("127.0.0.1", port)) as page:
            page.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: test\r\n\r\n")
            assert page.recv(100).startswith(b"HTTP/1.1 200")
            os.kill(process.pid, signal.SIGTERM)
            assert process.wait(10) == 0
    finally:
        process.kill()
        process.communicate()
