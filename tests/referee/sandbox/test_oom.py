"""What the kernel's log says of processes that were ended for want of memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.sandbox.cgroups import Group
from referee.sandbox.oom import OomLog, Victim, is_shared

CHOSEN = (
    "6,2054,4874826262,-;oom-kill:constraint={constraint},nodemask=(null),cpuset=/,mems_allowed=0,{where},"
    "task_memcg={task},task={comm},pid=7204,uid=1785762365"
)
KILLED = (
    "3,2055,4874826325,-;{begin}: Killed process 7204 ({comm}) total-vm:986172kB, anon-rss:228652kB, "
    "file-rss:23692kB, shmem-rss:0kB, UID:1785762365 pgtables:620kB oom_score_adj:0"
)
USED = (228_652 + 23_692 + 620) * 1024


def read(chosen: str, killed: str, pid: int = 7204) -> Victim | None:
    log = OomLog()
    try:
        log.note(f"{chosen}\n SUBSYSTEM=memory\n")
        log.note(f"{killed}\n")
        return log.take(pid)
    finally:
        log.close()


def machine(comm: str = "python3.11") -> str:
    return CHOSEN.format(constraint="CONSTRAINT_NONE", where="global_oom", task="/arena", comm=comm)


def of_group(comm: str = "python3.11") -> str:
    return CHOSEN.format(constraint="CONSTRAINT_MEMCG", where="oom_memcg=/arena", task="/arena/x", comm=comm)


def test_process_that_the_machine_had_no_memory_for_is_found() -> None:
    assert read(machine(), KILLED.format(begin="Out of memory", comm="python3.11")) == Victim("", USED)


def test_process_that_a_control_group_had_no_memory_for_is_found() -> None:
    killed = KILLED.format(begin="Memory cgroup out of memory", comm="python3.11")
    assert read(of_group(), killed) == Victim("/arena", USED)


def test_another_process_is_not() -> None:
    assert read(machine(), KILLED.format(begin="Out of memory", comm="python3.11"), pid=7205) is None


@pytest.mark.parametrize("comm", ["a,pid=1,uid=0", ") total-vm:1kB,", "x,oom_memcg=/", "x,global_oom,"])
def test_name_that_a_process_gives_itself_changes_nothing(comm: str) -> None:
    killed = KILLED.format(begin="Memory cgroup out of memory", comm=comm)
    assert read(of_group(comm), killed) == Victim("/arena", USED)


@pytest.mark.parametrize(
    "line",
    [
        "6,1,1,-;Out of memory: [7204]: segfault at 0 ip 0 sp 0 error 4",
        "12,1,1,-;someone says: Out of memory: Killed process 7204 (x) total-vm:1kB, anon-rss:1kB, file-rss:1kB",
    ],
)
def test_line_that_only_looks_like_it_is_none(line: str) -> None:
    assert read(machine(), line) is None


def test_memory_of_the_machine_and_of_a_group_around_the_referee_is_shared() -> None:
    assert is_shared("")
    own = next(
        path
        for _, controllers, path in (
            line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()
        )
        if controllers in {"", "memory"}
    )
    assert is_shared(own)


def test_memory_of_a_group_of_a_sandbox_is_not_shared() -> None:
    assert not is_shared("/arena.service/sandbox-1-1")


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ("oom 0\noom_kill 0\n", (False, False)),
        ("oom 1\noom_kill 2\n", (True, False)),
        ("oom 0\noom_kill 2\n", (False, True)),
    ],
    ids=["none", "its_own_limit", "elsewhere"],
)
def test_group_tells_its_own_limit_from_the_machines(
    tmp_path: Path, events: str, told: tuple[bool, bool]
) -> None:
    (tmp_path / "memory.events").write_text(f"low 0\nhigh 0\nmax 3\n{events}oom_group_kill 0\n")
    group = Group(tmp_path, 1 << 20)
    assert (bool(group.exceeded()), group.was_machine_out_of_memory()) == told
