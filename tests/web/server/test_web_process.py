"""`python -m arena.web` as a process."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

import pytest

from tests.parts.arena_process import clean_environment, free_port
from tests.parts.notify import listening
from tests.patience import wait_until
from tests.stores import new_sqlite

if TYPE_CHECKING:
    from pathlib import Path


def _start(data: Path, port: int, **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "arena.web", "--port", str(port)],
        env={**clean_environment(), "ARENA_DATA": str(data), "PYTHONUNBUFFERED": "1", **more},
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


def _ask(port: int, path: str) -> tuple[int, str, str]:
    """Ask for a path: the status, the Retry-After header and the body; status 0 while nobody listens."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return answer.status, "", answer.read().decode()
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.code, answer.headers["Retry-After"] or "", answer.read().decode()
    except OSError:
        return 0, "", ""


def _first_answer(data: Path) -> float:
    """When a start's first answer came, as a part of the time until the app answers."""
    port = free_port()
    process = _start(data, port)
    began = time.monotonic()
    try:
        wait_until(lambda: _ask(port, "/health")[0], "the web answers", within_s=30)
        first_s = time.monotonic() - began
        wait_until(lambda: _answers(port), "the app answers", within_s=30)
        return first_s / (time.monotonic() - began)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    new_sqlite(tmp_path / "arena.db")
    return tmp_path


def test_port_in_use_is_one_line_and_exit_1(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = _start(data, port)
        _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert len(said.splitlines()) == 1
    assert f"127.0.0.1:{port}" in said
    assert "--port" in said


def test_store_that_is_not_there_is_one_line_and_exit_1(tmp_path: Path) -> None:
    process = _start(tmp_path, free_port())
    _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert len(said.splitlines()) == 1
    assert "arena db upgrade" in said


def test_health_is_answered_long_before_the_app_is_imported(data: Path) -> None:
    assert any(_first_answer(data) < 1 / 3 for _ in range(3))


def test_what_is_asked_for_while_it_starts_is_told_to_come_again(data: Path) -> None:
    port = free_port()
    process = _start(data, port)
    try:
        wait_until(lambda: _ask(port, "/health")[0], "the web answers", within_s=30)
        health, page, api = (_ask(port, path) for path in ("/health", "/games", "/api/v1/games"))
        assert (health[0], json.loads(health[2])["status"]) == (503, "starting")
        assert (page[0], page[1], "is starting" in page[2]) == (503, "1", True)
        assert (api[0], json.loads(api[2])["code"]) == (503, "starting")
        wait_until(lambda: _answers(port), "the app answers", within_s=30)
        assert _ask(port, "/games")[0] == 200
    finally:
        process.kill()
        process.communicate()


def test_nobody_is_refused_while_it_starts(data: Path) -> None:
    port = free_port()
    process = _start(data, port)
    try:
        wait_until(lambda: _ask(port, "/health")[0], "the web answers", within_s=30)
        statuses: list[int] = []
        wait_until(
            lambda: statuses.append(_ask(port, "/health")[0]) or statuses[-1] == 200, "ready", within_s=30
        )
        assert set(statuses) == {503, 200}
    finally:
        process.kill()
        process.communicate()


def test_a_silent_client_does_not_hold_up_the_start(data: Path) -> None:
    port = free_port()
    process = _start(data, port)
    try:
        wait_until(lambda: _ask(port, "/health")[0], "the web answers", within_s=30)
        with socket.create_connection(("127.0.0.1", port)):
            wait_until(lambda: _answers(port), "the app answers", within_s=30)
    finally:
        process.kill()
        process.communicate()


def test_its_supervisor_hears_when_it_serves_that_it_lives_and_that_it_stops(data: Path) -> None:
    port = free_port()
    with listening(data) as supervisor:
        process = _start(data, port, NOTIFY_SOCKET=supervisor.address)
        try:
            before = supervisor.hear("READY=1")
            assert "WATCHDOG=1" not in before  # it is the event loop that tells
            assert _ask(port, "/games")[0] == 200
            supervisor.hear("WATCHDOG=1")
            process.terminate()
            supervisor.hear("STOPPING=1")
        finally:
            process.kill()
            process.communicate()


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
