"""A machine that has no memory left: here a control group that holds the referee and all its sandboxes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest

from arena.core import child_process
from arena.referee_client import Failed, Finished, Hosted, Postponed, Started
from arena.referee_client import Referee as Client
from referee.limits.sandbox_bounds import MIB
from tests.hostile.inside.test_disputed_deaths import MATCHES, forfeits, loser, orders
from tests.parts.arena_process import descendants
from tests.patience import patient, wait_until

_LIMIT_BYTES = 250 * MIB
"""Far more than the referee and its opponent have, so that the kernel chooses the bot."""
_USED = ("memory.usage_in_bytes", "memory.current")
_KEEPS = "kept = bytearray(b'x') * ({mib} << 20); time.sleep(600)"


@pytest.fixture
def group() -> Iterator[Path]:
    """A control group with little memory."""
    root = Path("/sys/fs/cgroup/memory") if Path("/sys/fs/cgroup/memory").is_dir() else Path("/sys/fs/cgroup")
    made = root / f"arena-test-{uuid.uuid4().hex[:8]}"
    limit = "memory.limit_in_bytes" if root.name == "memory" else "memory.max"
    try:
        made.mkdir()
        (made / limit).write_text(str(_LIMIT_BYTES))
        Path("/dev/kmsg").open("rb").close()
    except OSError as error:
        with suppress(OSError):
            made.rmdir()
        pytest.skip(f"needs a control group for memory, and the kernel's log: {error}")
    yield made
    wait_until(lambda: not (made / "cgroup.procs").read_text(), "nothing runs in it any more")
    made.rmdir()


@pytest.fixture
def control(own_folder: Path, group: Path) -> Iterator[str]:
    """The control port of a referee that has little memory."""
    sockets = ("--control", f"unix:{own_folder}/control", "--bots", f"unix:{own_folder}/bots")
    started = child_process.start(
        child_process.module("referee", *sockets, "--sandbox", "on", "--allow-files"),
        environment={},
        stdout=subprocess.PIPE,
    )
    assert started.stdout is not None
    try:
        assert started.stdout.readline() == b"ready\n"
        for pid in (started.pid, *descendants(started.pid)):  # the fork server, too
            (group / "cgroup.procs").write_text(str(pid))
        yield f"unix:{own_folder}/control"
    finally:
        child_process.stop(started, grace_s=5)
        started.stdout.close()


def fill(group: Path, pages: IO[bytes], *, leave_bytes: int) -> None:
    """Fill a control group's memory with pages of a file in memory, so that no process has them."""
    used = next(path for name in _USED if (path := group / name).exists())
    size = _LIMIT_BYTES - int(used.read_text()) - leave_bytes
    enter = ("/bin/sh", "-c", f"echo 0 >{group}/cgroup.procs && exec head -c {size} /dev/zero")
    subprocess.run(enter, stdout=pages, check=True)


async def play(
    control: str, bot: Hosted, *, once_all_play: Callable[[], object] = lambda: None
) -> dict[str, Finished | Postponed | Failed]:
    started = set()
    ended: dict[str, Finished | Postponed | Failed] = {}
    async with asyncio.timeout(patient(60)), Client(control) as client:
        async for report in client.play(orders(bot)):
            if isinstance(report, Started):
                started.add(report.match)
                if len(started) == MATCHES:
                    once_all_play()
            if isinstance(report, Finished | Postponed | Failed):
                ended[report.match] = report
    return ended


async def test_bot_within_its_bounds_is_not_charged_for_the_machines_want_of_memory(
    control: str, own_folder: Path
) -> None:
    ended = await play(control, loser(own_folder, _KEEPS.format(mib=400)))
    assert {type(each) for each in ended.values()} == {Failed}
    assert all(
        "the machine had no memory left" in each.reason for each in ended.values() if isinstance(each, Failed)
    )


async def test_next_such_death_of_a_bot_is_charged_for_it_may_bring_them_about(
    control: str, own_folder: Path
) -> None:
    bot = loser(own_folder, _KEEPS.format(mib=400))
    await play(control, bot)
    forfeits(await play(control, bot))


async def test_bot_that_only_kills_itself_while_others_want_for_memory_is_charged(
    control: str, own_folder: Path, group: Path
) -> None:
    code = f"import os; open('{group}/cgroup.procs', 'w').write(str(os.getpid())); x = bytearray(b'x') * (400 << 20)"
    hungry = child_process.start((sys.executable, "-c", code), environment={})
    ended = await play(control, loser(own_folder, "os.kill(os.getpid(), signal.SIGKILL)"))
    assert await asyncio.to_thread(hungry.wait) == -signal.SIGKILL
    forfeits(ended)


async def test_kernel_chooses_a_bot_before_the_referee_though_that_uses_more(
    control: str, own_folder: Path, group: Path
) -> None:
    bot = loser(own_folder, "time.sleep(3); " + _KEEPS.format(mib=100))
    with os.fdopen(os.memfd_create("pages"), "wb") as pages:
        ended = await play(control, bot, once_all_play=lambda: fill(group, pages, leave_bytes=8 * MIB))
    assert {type(each) for each in ended.values()} == {Failed}
