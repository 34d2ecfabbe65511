"""Control groups: which one is delegated, and, where one is, that the kernel bounds a sandbox as a whole."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.sandbox import self_test
from referee.sandbox.cgroups import Cgroups, Group, NotDelegated, delegated
from referee.sandbox.sandbox_launcher import SandboxLauncher
from tests.hostile.inside.conftest import bubblewrap
from tests.hostile.inside.conftest import own_folder as folder
from tests.hostile.inside.pairs import run
from tests.hostile.inside.sandboxed_attacks import SMALL
from tests.patience import patient

__all__ = ["bubblewrap", "folder"]

MOUNT = "35 24 0:30 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"
ALL = "cpuset cpu io memory hugetlb pids"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine whose control groups are of version 2."""
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/mountinfo").write_text("22 1 8:1 / / rw - ext4 /dev/sda1 rw\n" + MOUNT)
    group(tmp_path, "", type_=False)
    return tmp_path


def group(machine: Path, path: str, *, controllers: str = ALL, type_: bool = True) -> Path:
    """Make a group as it looks to who reads it."""
    made = machine / "sys/fs/cgroup" / path
    made.mkdir(parents=True, exist_ok=True)
    for name in ("cgroup.procs", "cgroup.subtree_control"):
        (made / name).write_text("")
    (made / "cgroup.controllers").write_text(f"{controllers}\n")
    if type_:
        (made / "cgroup.type").write_text("domain\n")
    return made


def lies_in(machine: Path, path: str) -> None:
    (machine / "proc/self/cgroup").write_text(f"4:memory:/elsewhere\n0::/{path}\n")


def mark(made: Path) -> None:
    """Mark a group as systemd does for Delegate=yes."""
    try:
        os.setxattr(made, "user.delegate", b"1")
    except OSError:
        pytest.skip("the file system of the temporary folder has no extended attributes")


def test_a_unit_with_delegate_is_found(machine: Path) -> None:
    made = group(machine, "system.slice/arena.service")
    mark(made)
    lies_in(machine, "system.slice/arena.service")
    assert delegated(machine) == made


@pytest.mark.parametrize("leaf", ["arena", "of-systemd"])
def test_it_is_found_from_the_group_below_it_where_its_processes_are(machine: Path, leaf: str) -> None:
    made = group(machine, "system.slice/arena.service")
    mark(made)
    group(machine, f"system.slice/arena.service/{leaf}")
    lies_in(machine, f"system.slice/arena.service/{leaf}")
    assert delegated(machine) == made


def test_a_unit_without_delegate_is_systemds_own(machine: Path) -> None:
    group(machine, "system.slice/arena.service")
    lies_in(machine, "system.slice/arena.service")
    with pytest.raises(NotDelegated, match=r"/system\.slice/arena\.service is not delegated"):
        delegated(machine)


@pytest.mark.parametrize("path", ["", "arena"])
def test_the_root_of_a_containers_own_hierarchy_is_its_own(machine: Path, path: str) -> None:
    made = group(machine, "")
    group(machine, path)
    lies_in(machine, path)
    assert delegated(machine) == made


def test_the_root_of_a_machine_is_not_delegated(machine: Path) -> None:
    lies_in(machine, "")
    with pytest.raises(NotDelegated, match="is not delegated"):
        delegated(machine)


def test_a_machine_with_version_1_alone_has_none(machine: Path) -> None:
    (machine / "proc/self/cgroup").write_text("4:memory:/\n")
    with pytest.raises(NotDelegated, match="no control groups of version 2"):
        delegated(machine)


def test_controllers_that_are_missing_are_named(machine: Path) -> None:
    mark(group(machine, "arena.service", controllers="cpu io"))
    lies_in(machine, "arena.service")
    with pytest.raises(NotDelegated, match="lacks the controllers memory, pids"):
        delegated(machine)


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ("oom 0\noom_kill 0\n", ""),
        ("oom 3\noom_kill 5\n", "it used more than 128 MiB of memory, 128 MiB are allowed"),
        ("oom 0\noom_kill 5\n", ""),
    ],
    ids=["none", "its_own_limit", "memory_of_the_machine"],
)
def test_only_its_own_limit_is_charged_to_a_bot(tmp_path: Path, events: str, words: str) -> None:
    (tmp_path / "memory.events").write_text(f"low 0\nhigh 0\nmax 7\n{events}")
    assert Group(tmp_path, 128 << 20).exceeded() == words


async def test_what_bounds_a_sandbox_as_a_whole_is_said(launcher: SandboxLauncher) -> None:
    words = ("each has a control group of its own", "a watchdog counts the memory of each, since ")
    assert any(word in str(launcher.protection) for word in words)


@pytest.fixture
async def launcher() -> AsyncIterator[SandboxLauncher]:
    launcher = await self_test.choose("on", SMALL, allow_files=True, bundles=lambda _sha256: None)
    assert isinstance(launcher, SandboxLauncher)
    yield launcher
    launcher.close()


@pytest.fixture
def groups(launcher: SandboxLauncher) -> Cgroups:
    """The control groups of this machine, where some are delegated to the tests.

    An expected failure, and so none in CI either: a control group cannot be made by those who have none.
    """
    if launcher.groups is None:
        pytest.xfail(f"needs a delegated control group: {launcher.protection}")
    return launcher.groups


@pytest.mark.usefixtures("groups")
async def test_the_kernel_bounds_memory_without_the_watchdog(launcher: SandboxLauncher, folder: Path) -> None:
    attack = """
    children = []
    for number in range(12):
        child = os.fork()
        if not child:
            kept = mmap.mmap(-1, 100 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            for position in range(0, 100 << 20, 4096):
                kept[position] = 1
            time.sleep(600)
        children.append(child)
    os.waitpid(children[0], 0)
    """
    watchdog = launcher._watch._process
    watchdog.send_signal(signal.SIGSTOP)
    try:
        process = run(launcher, folder, attack)
        assert "it used more than 128 MiB of memory" in (await process.wait()).words
    finally:
        watchdog.send_signal(signal.SIGCONT)


async def test_the_group_of_a_sandbox_is_gone_with_it(
    launcher: SandboxLauncher, groups: Cgroups, folder: Path
) -> None:
    process = run(launcher, folder, "return 1")
    assert list(groups.base.glob(f"sandbox-{os.getpid()}-*"))
    await process.wait()
    launcher.close()
    assert not list(groups.base.glob(f"sandbox-{os.getpid()}-*"))


async def test_what_a_killed_referee_left_is_removed(launcher: SandboxLauncher, groups: Cgroups) -> None:
    left = groups.base / "sandbox-999999999-1"
    left.mkdir()
    Cgroups(groups.base)
    assert not left.exists()


async def test_a_sandbox_is_in_its_group_with_its_bounds(
    launcher: SandboxLauncher, groups: Cgroups, folder: Path
) -> None:
    process = run(launcher, folder, "time.sleep(600)")
    (made,) = groups.base.glob(f"sandbox-{os.getpid()}-*")
    async with asyncio.timeout(patient(30)):
        while str(process.pid) not in (made / "cgroup.procs").read_text().split():  # noqa: ASYNC110 - it moves itself
            await asyncio.sleep(0.01)
    bounds = {name: (made / name).read_text().strip() for name in ("memory.max", "pids.max", "cpu.max")}
    most = SMALL.memory_bytes + SMALL.tmp_bytes
    assert bounds == {"memory.max": str(most), "pids.max": "40", "cpu.max": "300000 100000"}
    process.kill()
    await process.wait()
