"""The kernel's memory beyond what belongs to processes: its growth, and which sandboxes may have caused it."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.limits.sandbox_bounds import MIB
from referee.sandbox.kernel_memory import KernelMemory, held

LIMIT = 256 * MIB


class Machine:
    """The files of /proc that say what the kernel holds."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.system_s = 1000.0
        (root / "proc").mkdir()
        self.set(mib=100)
        self.memory = KernelMemory(LIMIT, held(root), lambda: self.system_s, root)
        self.memory.is_exceeded(has_sandboxes=False)

    def set(self, mib: int, *, tasks: int = 200, available_mib: int = 8192) -> None:
        """Have the kernel hold so much, three quarters of it in slabs."""
        slab, vmalloc = mib * 768, mib * 256
        lines = (
            f"SUnreclaim: {slab} kB",
            f"VmallocUsed: {vmalloc} kB",
            f"MemAvailable: {available_mib << 10} kB",
        )
        (self.root / "proc/meminfo").write_text("\n".join((*lines, "SReclaimable: 99999999 kB", "")))
        (self.root / "proc/loadavg").write_text(f"0.1 0.1 0.1 3/{tasks} 4711\n")

    def spend(self, *, others_s: float = 0.0, **sandboxes: float) -> None:
        """Let sandboxes and the rest of the machine have used system time, and attribute the growth."""
        self.system_s += others_s + sum(sandboxes.values())
        before = getattr(self, "used", {})
        self.used = {name: before.get(name, 0.0) + seconds for name, seconds in sandboxes.items()}
        self.memory.attribute({int(name[1:]): seconds for name, seconds in self.used.items()})


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_growth_up_to_the_limit_is_allowed(machine: Machine) -> None:
    machine.set(mib=356)
    assert not machine.memory.is_exceeded(has_sandboxes=True)
    machine.set(mib=357)
    assert machine.memory.is_exceeded(has_sandboxes=True)


def test_what_processes_and_threads_need_does_not_count(machine: Machine) -> None:
    machine.set(mib=100 + 256 + 60, tasks=200 + 500)
    assert not machine.memory.is_exceeded(has_sandboxes=True)


def test_processes_that_have_ended_leave_no_room_to_fewer(machine: Machine) -> None:
    machine.set(mib=90, tasks=1000)
    assert not machine.memory.is_exceeded(has_sandboxes=True)
    machine.set(mib=300, tasks=200)
    assert not machine.memory.is_exceeded(has_sandboxes=True)
    machine.set(mib=350, tasks=200)
    assert machine.memory.is_exceeded(has_sandboxes=True)


def test_what_was_there_before_any_sandbox_does_not_count(machine: Machine) -> None:
    machine.set(mib=900)
    assert not machine.memory.is_exceeded(has_sandboxes=False)
    assert not machine.memory.is_exceeded(has_sandboxes=True)


def test_memory_that_cannot_be_read_is_never_exceeded(machine: Machine) -> None:
    (machine.root / "proc/meminfo").unlink()
    assert not machine.memory.is_exceeded(has_sandboxes=True)


def test_the_sandbox_that_used_the_system_time_is_suspected_and_no_other(machine: Machine) -> None:
    machine.spend(_1=0.1, _2=0.1, _3=0.1)
    machine.set(mib=400)
    machine.spend(_1=0.0, _2=2.0, _3=0.0, others_s=0.5)
    assert machine.memory.suspects([1, 2, 3]) == [2]


def test_sandboxes_that_share_in_it_are_suspected_the_most_likely_first(machine: Machine) -> None:
    machine.spend(_1=0.0, _2=0.0, _3=0.0)
    machine.set(mib=400)
    machine.spend(_1=1.0, _2=2.0, _3=0.01)
    assert machine.memory.suspects([1, 2, 3]) == [2]
    machine.set(mib=700)
    machine.spend(_1=1.0, _2=1.0, _3=0.0)
    assert machine.memory.suspects([1, 2, 3]) == [2, 1]


def test_the_newest_of_equally_likely_sandboxes_is_suspected(machine: Machine) -> None:
    machine.spend(_1=0.0, _2=0.0, _3=0.0)
    machine.set(mib=400)
    machine.spend(_1=1.0, _2=1.0, _3=1.0)
    assert machine.memory.suspects([1, 2, 3])[0] == 3


def test_what_was_given_back_is_no_reason_to_suspect(machine: Machine) -> None:
    machine.spend(_1=0.0, _2=0.0)
    machine.set(mib=300)
    machine.spend(_1=1.0, _2=0.0)
    machine.set(mib=100)
    machine.spend(_1=0.0, _2=0.0)
    machine.set(mib=400)
    machine.spend(_1=0.0, _2=1.0)
    assert machine.memory.suspects([1, 2]) == [2]


def test_growth_that_no_sandbox_caused_ends_none_and_counts_no_more(machine: Machine) -> None:
    machine.spend(_1=0.0)
    machine.set(mib=900)
    machine.spend(_1=0.01, others_s=5.0)
    assert machine.memory.is_exceeded(has_sandboxes=True)
    assert machine.memory.suspects([1]) == []
    assert not machine.memory.is_exceeded(has_sandboxes=True)


def test_growth_that_no_sandbox_caused_ends_the_newest_where_memory_is_scarce(machine: Machine) -> None:
    machine.spend(_1=0.0, _2=0.0)
    machine.set(mib=900, available_mib=100)
    machine.spend(_1=0.01, _2=0.01, others_s=5.0)
    assert machine.memory.suspects([1, 2]) == [2]
