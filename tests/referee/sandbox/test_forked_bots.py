"""Bots of the fork server: as those that bubblewrap starts, sooner, and with nothing of each other."""

from __future__ import annotations

import asyncio
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import pytest

from arena.bundle_format.manifest import Manifest
from arena.match.faults import FaultKind
from arena.referee_client import Failed, Finished, Hosted, SeatOutput
from referee.launch import fork_server
from referee.launch.bundle_cache import Bundles
from referee.sandbox import inside, self_test
from referee.sandbox.bot_programs import local_file
from referee.sandbox.sandbox_launcher import SandboxLauncher
from referee.sandbox.sandboxed_process import SandboxedProcess
from tests.hostile.inside.conftest import bubblewrap
from tests.hostile.inside.conftest import own_folder as folder
from tests.hostile.inside.sandboxed_attacks import LIMITS, SMALL, hostile
from tests.parts.arena_process import descendants
from tests.patience import patient
from tests.referee.running_referee import House, house_bot, open_house, order

__all__ = ["bubblewrap", "folder"]

SHA256 = "ab" * 32
WITH_A_MODULE_OF_ITS_OWN = """
import inside
from arena.sdk import Bot, run
class Uploaded(Bot):
    def choose(self, decision):
        print(inside.WORD)
        return decision.legal[0]
run(Uploaded())
"""


@pytest.fixture
async def launcher() -> AsyncIterator[SandboxLauncher]:
    found = await self_test.choose("on", SMALL, allow_files=True, bundles=lambda _sha256: None)
    assert isinstance(found, SandboxLauncher)
    yield found
    found.close()


def run(
    launcher: SandboxLauncher, folder: Path, source: str, *, fork: bool = True, **environment: str
) -> SandboxedProcess:
    path = folder / "own.py"
    path.write_text(source)
    path.chmod(0o644)
    return launcher.run(local_file(path), environment, fork=fork)


async def words(process: SandboxedProcess) -> str:
    async with asyncio.timeout(patient(30)):
        await process.wait()
    return process.last_words()


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def oom_score(pid: int) -> int:
    return int(Path(f"/proc/{pid}/oom_score").read_text())


async def said(process: SandboxedProcess, word: bytes) -> None:
    async with asyncio.timeout(patient(30)):
        while word not in process.output(0)[0]:  # noqa: ASYNC110 - another process prints it
            await asyncio.sleep(0.01)


SLEEP = "import time; print('here', flush=True); time.sleep(600)"


async def test_a_bot_is_a_child_of_the_fork_server(launcher: SandboxLauncher, folder: Path) -> None:
    forked = run(launcher, folder, SLEEP)
    try:
        bubblewrap = parent(parent(forked.pid))
        assert launcher.fork_server is not None
        assert launcher.fork_server._process is not None
        assert bubblewrap == launcher.fork_server._process.pid
    finally:
        forked.kill()
        await forked.wait()


async def test_a_bot_that_has_hardly_begun_can_be_killed(launcher: SandboxLauncher, folder: Path) -> None:
    for _ in range(50):
        forked = run(launcher, folder, SLEEP)
        forked.kill()
        async with asyncio.timeout(patient(30)):
            await forked.wait()


@pytest.mark.parametrize("fork", [True, False])
async def test_when_memory_runs_out_the_kernel_prefers_all_processes_of_a_bot_to_the_referee(
    launcher: SandboxLauncher, folder: Path, *, fork: bool
) -> None:
    bot = run(launcher, folder, SLEEP, fork=fork)
    await said(bot, b"here")
    inside = descendants(bot.pid)
    assert len(inside) == 2
    assert min(map(oom_score, (bot.pid, *inside))) > oom_score(os.getpid())
    bot.kill()
    await words(bot)


async def test_a_bot_sees_the_same_whether_it_is_forked_or_not(
    launcher: SandboxLauncher, folder: Path
) -> None:
    look = """
import os, resource, signal, sys
print(sys.argv, sys.path, sys.flags, os.getcwd(), os.getpid(), os.getppid(), os.uname().nodename, os.umask(0))
print(sorted(f"{name}={value}" for name, value in os.environ.items() if name != "PWD"))
print([resource.getrlimit(number) for number in range(resource.RLIM_NLIMITS)])
print([signal.getsignal(number) for number in range(1, 32)])
print(sorted(os.listdir("/bot")), sorted(os.listdir("/site")), sorted(os.listdir("/dev")))
print([number for number in range(64) if os.path.exists(f"/dev/fd/{number}")], os.get_terminal_size is not None)
open_files = []
for number in range(64):
    try:
        os.fstat(number); open_files.append(number)
    except OSError: pass
print(open_files, sys.excepthook is not None, gc_is_on := __import__("gc").isenabled())
"""
    forked = await words(run(launcher, folder, look, NAME="value"))
    assert "'NAME=value'" in forked
    assert forked == await words(run(launcher, folder, look, fork=False, NAME="value"))


async def test_an_error_is_printed_as_if_python_had_run_the_file(
    launcher: SandboxLauncher, folder: Path
) -> None:
    printed = await words(run(launcher, folder, "\nraise ValueError('oh no')"))
    assert re.fullmatch(
        r'Traceback \(most recent call last\):\n  File "/bot/own.py", line 2, in <module>\n.*ValueError: oh no',
        printed,
        re.DOTALL,
    )


async def test_a_file_of_any_bytes_is_the_same_inside(launcher: SandboxLauncher, folder: Path) -> None:
    source = "import hashlib; print(hashlib.sha256(open(__file__, 'rb').read()).hexdigest()) # Zürich ♞\n"
    assert await words(run(launcher, folder, source)) == sha256(source.encode()).hexdigest()


async def test_chance_is_each_bots_own(launcher: SandboxLauncher, folder: Path) -> None:
    draw = "import random, os; print(random.random(), os.urandom(8))"
    assert len({await words(run(launcher, folder, draw)) for _ in range(3)}) == 3


async def test_the_fork_server_never_has_what_only_one_bot_may_know(
    launcher: SandboxLauncher, folder: Path
) -> None:
    token = os.urandom(16).hex()
    forked = run(
        launcher,
        folder,
        "import os\nprint(os.environ['ARENA_TOKEN'], flush=True)\n" + SLEEP,
        ARENA_TOKEN=token,
    )
    try:
        await said(forked, b"here")
        assert token.encode() in forked.output(0)[0]
        assert token.encode() in memory(only_child(only_child(forked.pid))), "this test finds it where it is"
        assert token.encode() not in memory(parent(forked.pid))
    finally:
        forked.kill()
        await forked.wait()


def only_child(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text())


def memory(pid: int) -> bytes:
    """Return all that a process can write to."""
    parts = []
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as file:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            area, rights, *_ = line.split()
            if rights.startswith("rw") and "[v" not in line:
                start, end = (int(number, 16) for number in area.split("-"))
                file.seek(start)
                parts.append(file.read(end - start))
    return b"".join(parts)


async def test_a_bot_with_a_module_named_like_one_that_is_imported_gets_its_own(folder: Path) -> None:
    bundles = folder / "bundles"
    bot = bundles / SHA256 / "bot"
    bot.mkdir(parents=True)
    (bot / "main.py").write_text(WITH_A_MODULE_OF_ITS_OWN)
    (bot / "inside.py").write_text("WORD = 'mine'\n")
    (bot.parent / "manifest.json").write_text(Manifest("uploaded", ("lost_cities",), "main.py", ()).to_json())
    launcher = await self_test.choose("on", SMALL, allow_files=True, bundles=bundles.joinpath, folder=bundles)
    async with open_house(folder, bots=None, launcher=launcher, bundles=Bundles(bundles)) as house:
        ended = (await house.play(order("m", Hosted(f"bundle:{SHA256}"), house_bot())))["m"]
    assert isinstance(ended, Finished)
    (output,) = ended.outputs
    assert isinstance(output, SeatOutput)
    assert b"mine" in output.stderr


@pytest.fixture
async def house(folder: Path) -> AsyncIterator[House]:
    address = f"unix:{folder / 'bots'}"
    launcher = await self_test.choose(
        "on", SMALL, allow_files=True, bundles=lambda _sha256: None, address=address
    )
    async with open_house(folder, limits=LIMITS, launcher=launcher) as house:
        yield house


async def test_when_the_fork_server_is_killed_no_bot_is_charged_and_the_next_play(
    house: House, folder: Path
) -> None:
    launcher = house.referee._launcher
    assert isinstance(launcher, SandboxLauncher)
    server = launcher.fork_server
    assert server is not None
    playing = house.begin(order("m", hostile(folder, "time.sleep(600)"), house_bot()))
    async with asyncio.timeout(patient(30)):
        while len(server._children) < 2:  # noqa: ASYNC110 - other processes begin
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.5)
        assert server._process is not None
        os.kill(server._process.pid, signal.SIGKILL)
        ended = (await playing)["m"]
    assert isinstance(ended, Failed)
    assert "its sandbox was ended from outside" in ended.reason
    assert not server.is_ready
    ended = (await house.play(order("next", house_bot("greedy"), house_bot())))["next"]
    assert isinstance(ended, Finished)
    assert ended.record.result.end == "completed"


async def test_a_fork_server_that_was_killed_is_started_again(
    launcher: SandboxLauncher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.launch.fork_server_client.AGAIN_S", 0.1)
    server = launcher.fork_server
    assert server is not None
    assert server._process is not None
    os.kill(server._process.pid, signal.SIGKILL)
    async with asyncio.timeout(patient(30)):
        while server.is_ready:  # noqa: ASYNC110 - it is noticed on the socket
            await asyncio.sleep(0.02)
        while not server.is_ready:
            launcher.check_helpers()
            await asyncio.sleep(0.1)


def test_a_fork_server_whose_referee_is_killed_ends_without_a_word() -> None:
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    config = {"path": [str(Path(inside.__file__).parent)], "modules": [], "proc": None}
    program = subprocess.Popen(
        [sys.executable, fork_server.__file__, str(its.fileno()), json.dumps(config)],
        pass_fds=[its.fileno()],
        stderr=subprocess.PIPE,
    )
    its.close()
    assert select.select([ours], [], [], patient(30))[0]  # it is ready; that is not read
    ours.close()
    _, errors = program.communicate(timeout=patient(30))
    assert (program.returncode, errors) == (0, b"")


OFFERS_ANOTHER_GAME = """
from arena.sdk import Bot, run

class Mine(Bot):
    games = ("bottle_imp",)

    def choose(self, decision):
        return decision.legal[0]

run(Mine())
"""


async def test_an_upload_whose_hello_leaves_out_what_its_manifest_declares_is_at_fault(folder: Path) -> None:
    bundles = folder / "bundles"
    bot = bundles / SHA256 / "bot"
    bot.mkdir(parents=True)
    (bot / "main.py").write_text(OFFERS_ANOTHER_GAME)
    (bot.parent / "manifest.json").write_text(Manifest("uploaded", ("lost_cities",), "main.py", ()).to_json())
    launcher = await self_test.choose("on", SMALL, allow_files=True, bundles=bundles.joinpath, folder=bundles)
    async with open_house(folder, bots=None, launcher=launcher, bundles=Bundles(bundles)) as house:
        ended = (await house.play(order("m", house_bot(), Hosted(f"bundle:{SHA256}"))))["m"]
    assert isinstance(ended, Finished)
    fault = ended.record.result.fault
    assert fault is not None
    assert (fault.seat, fault.kind) == (1, FaultKind.PROTOCOL)
    assert fault.message == (
        "it does not play lost_cities (standard) at 2 seats: its Hello offers bottle_imp only; declare the same in bot.toml"
    )
