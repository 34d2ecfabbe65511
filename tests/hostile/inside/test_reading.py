"""Bots that want to see what is not theirs."""

from __future__ import annotations

import os
from ast import literal_eval
from pathlib import Path

import pytest

from tests.hostile.inside.sandboxed_attacks import hostile, play
from tests.referee.running_referee import House

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/etc/shadow",
        "/etc/hostname",
        "/proc/1/environ",
        "/proc/self/maps",
        "/proc/net/tcp",
        "/sys/class/net/lo",
    ],
)
async def test_file_of_the_machine_is_not_there(house: House, folder: Path, path: str) -> None:
    outcome = await play(house, hostile(folder, f"return open({path!r}).read()"))
    assert outcome.fault is None
    assert outcome.said.startswith("stopped: FileNotFoundError")


async def test_other_bots_files_are_not_there(house: House, folder: Path) -> None:
    other = hostile(folder, "pass")
    path = other.program.removeprefix("file:")
    looks = f"return [open({path!r}).read(), os.listdir('/bot')]"
    outcome = await play(house, hostile(folder, looks), opponent=other)
    assert "stopped: FileNotFoundError" in outcome.said


async def test_only_its_own_file_is_in_its_folder(house: House, folder: Path) -> None:
    bot = hostile(folder, "return os.listdir('/bot')")
    hostile(folder, "pass")
    outcome = await play(house, bot)
    assert outcome.said == f"result: {[Path(bot.program).name]}\n"


async def test_environment_of_the_referee_does_not_come_in(
    house: House, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_CONTROL_KEY", "a secret of the operator's")
    outcome = await play(house, hostile(folder, "return sorted(os.environ)"))
    assert "ARENA_TOKEN" in outcome.said
    assert "ARENA_CONTROL_KEY" not in outcome.said
    assert set(os.environ) & set(literal_eval(outcome.said.removeprefix("result: "))) <= {
        "HOME", "LANG", "PATH", "PWD", "GRPC_ENABLE_FORK_SUPPORT", "GRPC_EXPERIMENTS", "GRPC_VERBOSITY",
    }  # fmt: skip


async def test_command_lines_show_no_token(house: House, folder: Path) -> None:
    bot = hostile(folder, "time.sleep(1); return os.environ['ARENA_TOKEN']")
    outcome = await play(house, bot)
    token = outcome.said.removeprefix("result: ").strip()
    assert len(token) > 20
    outcome = await play(house, hostile(folder, "return open('/proc/1/cmdline').read()"))
    assert token not in outcome.said


async def test_no_folder_of_the_machine_is_to_be_seen(house: House, folder: Path) -> None:
    outcome = await play(house, hostile(folder, "return sorted(os.listdir('/'))"))
    seen = set(literal_eval(outcome.said.removeprefix("result: ")))
    assert not seen & {"proc", "sys", "var", "home", "work", "opt", "srv", "bin", "sbin"}


async def test_disks_cannot_be_opened(house: House, folder: Path) -> None:
    attack = "import stat; os.mknod('/tmp/disk', 0o600 | stat.S_IFBLK, os.makedev(8, 0)); return open('/tmp/disk').read(1)"
    outcome = await play(house, hostile(folder, attack))
    assert outcome.said.startswith("stopped: PermissionError")
