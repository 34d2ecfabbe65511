"""Nothing is left of a sandbox, however its referee ends."""

from __future__ import annotations

import asyncio
import signal
import subprocess
from pathlib import Path

import pytest

from arena.core import child_process
from arena.referee_client import Hosted
from arena.referee_client import Referee as Client
from tests.hostile.inside.conftest import bubblewrap
from tests.hostile.inside.conftest import own_folder as folder
from tests.hostile.inside.sandboxed_attacks import hostile, left, until_gone
from tests.patience import patient
from tests.referee.running_referee import house_bot, order

__all__ = ["bubblewrap", "folder"]

STAYS = """
for _ in range(3):
    if not os.fork():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
time.sleep(600)
"""


def start(folder: Path) -> subprocess.Popen[bytes]:
    sockets = ("--control", f"unix:{folder}/control", "--bots", f"unix:{folder}/bots")
    started = child_process.start(
        child_process.module("referee", *sockets, "--sandbox", "on", "--allow-files"),
        environment={},
        stdout=subprocess.PIPE,
    )
    assert started.stdout is not None
    assert started.stdout.readline() == b"ready\n"
    assert started.stdout.readline().startswith(b"full: ")
    return started


async def begin(folder: Path, bot: Hosted) -> None:
    """Have a match begin that never ends, and wait until the bot has its children."""
    async with Client(f"unix:{folder}/control") as client:

        async def play() -> None:
            async for _ in client.play([order("m", bot, house_bot())]):
                pass

        playing = asyncio.create_task(play())
        async with asyncio.timeout(patient(30)):
            # bubblewrap's two, the bot, its children
            while len(left(bot)) < 2 + 4:  # noqa: ASYNC110 - other processes begin
                await asyncio.sleep(0.05)
        playing.add_done_callback(lambda task: task.cancelled() or task.exception())


def traces() -> set[str]:
    """Return what a sandbox could leave behind: mounts, and files of its own."""
    mounts = Path("/proc/self/mountinfo").read_text().splitlines()
    return {*mounts, *(path.name for path in Path("/tmp").iterdir() if "sandbox" in path.name)}  # noqa: S108


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_nothing_is_left_of_sandboxes_when_their_referee_ends(
    folder: Path, number: signal.Signals
) -> None:
    before = traces()
    referee = start(folder)
    bot = hostile(folder, STAYS)
    try:
        began = asyncio.create_task(begin(folder, bot))
        await began
        referee.send_signal(number)
        await asyncio.to_thread(referee.wait)
        await until_gone(bot)
        assert traces() <= before
    finally:
        child_process.stop(referee, grace_s=0)
        assert referee.stdout is not None
        referee.stdout.close()


@pytest.mark.parametrize("notice", ["by a bot that ends", "within a second"])
async def test_watchdog_that_was_killed_is_replaced(folder: Path, notice: str) -> None:
    from referee.sandbox.watchdog_client import Watch
    from tests.hostile.inside.sandboxed_attacks import SMALL

    watch = Watch(SMALL)
    sleeper = child_process.start(("sleep", "600"), environment={})
    try:
        watch.add(sleeper.pid)
        first = watch._process
        first.kill()
        first.wait()
        if notice == "by a bot that ends":
            assert watch.remove(0) is None
        else:
            watch.check()
        assert watch._process.pid != first.pid
        watch.close()  # as when the referee has gone: what is still watched goes too
        await asyncio.to_thread(sleeper.wait)
    finally:
        child_process.stop(sleeper, grace_s=0)
