"""Nothing is left of a bot's processes when `arena match` or its referee is killed, with and without a sandbox."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.core import child_process
from referee.sandbox import command
from tests.core.test_process_guard import alive
from tests.parts.arena_process import command_line, descendants
from tests.patience import wait_until

BOT = """
import os, signal, time
from arena.sdk import Bot, run

def stay():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(600)

class Parent(Bot):
    matches_at_once = 1
    def choose(self, decision):
        if not os.fork():
            stay()
        if not os.fork():
            try:
                os.setsid()  # the sandbox refuses it
            except OSError:
                pass
            if not os.fork():
                stay()
            os._exit(0)
        time.sleep(600)

run(Parent())
"""
ARENA = str(Path(sys.executable).parent / "arena")
FAMILY = 3
"""The bot, its child, and a daemon."""


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / f"bot-{uuid.uuid4().hex}.py"
    file.write_text(BOT)
    yield file
    for pid in alive(file.name):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("sandbox", [False, True], ids=["plain", "sandboxed"])
@pytest.mark.parametrize("killed", ["match", "referee"])
def test_nothing_is_left_of_a_bot_and_what_it_started(bot: Path, killed: str, sandbox: bool) -> None:  # noqa: FBT001
    if sandbox and not command.find():
        pytest.skip("needs bubblewrap: apt-get install bubblewrap libseccomp2")
    match = child_process.start(
        (ARENA, "match", "lost_cities", str(bot), "greedy", *(["--sandbox"] if sandbox else [])),
        environment={},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:

        def family() -> list[int]:
            return [pid for pid in alive(bot.name) if pid != match.pid]

        wait_until(lambda: len(family()) >= FAMILY + 1, "the bot has its children", within_s=60)
        referees = [
            pid
            for pid in descendants(match.pid)
            if "-m referee" in command_line(pid) and "watchdog" not in command_line(pid)
        ]
        os.kill(match.pid if killed == "match" else referees[0], signal.SIGKILL)
        wait_until(lambda: not family(), "nothing is left", within_s=20)
    finally:
        child_process.stop(match, grace_s=0)
