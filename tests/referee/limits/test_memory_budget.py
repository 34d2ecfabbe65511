"""How much memory hosted bots may have together."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.limits.memory_budget import Budget, memory_budget
from referee.limits.sandbox_bounds import MIB, Bounds

GIB = 1024 * MIB
BOUNDS = Bounds(memory_bytes=512 * MIB, tmp_bytes=16 * MIB)


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine with 8 GiB available, whose control groups bound nothing."""
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/meminfo").write_text("MemTotal:  16777216 kB\nMemAvailable:    8388608 kB\n")
    (tmp_path / "proc/self/cgroup").write_text("0::/\n")
    return tmp_path


def group(folder: Path, **files: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in files.items():
        (folder / name.replace("__", ".")).write_text(f"{value}\n")


def test_a_reserve_is_left_of_the_memory_that_is_available(machine: Path) -> None:
    assert memory_budget(BOUNDS, None, root=machine).total_bytes == 8 * GIB - 512 * MIB - GIB


def test_what_was_set_counts_and_not_the_machine(machine: Path) -> None:
    assert memory_budget(BOUNDS, 3000, root=machine).total_bytes == 3000 * MIB


@pytest.mark.parametrize(
    ("line", "folder", "names"),
    [
        ("0::/arena.service/arena", "sys/fs/cgroup/arena.service", ("memory__max", "memory__current")),
        (
            "4:memory:/pod/arena",
            "sys/fs/cgroup/memory/pod",
            ("memory__limit_in_bytes", "memory__usage_in_bytes"),
        ),
    ],
    ids=["version_2", "version_1"],
)
def test_a_control_group_that_allows_less_counts(
    machine: Path, line: str, folder: str, names: tuple[str, str]
) -> None:
    (machine / "proc/self/cgroup").write_text(f"{line}\n")
    allowed, used = names
    group(machine / folder, **{allowed: 4 * GIB, used: 2 * GIB, "memory__stat": f"inactive_file {GIB}"})
    assert memory_budget(BOUNDS, None, root=machine).total_bytes == 3 * GIB - 512 * MIB - 3 * GIB // 8


def test_a_control_group_without_limit_does_not_count(machine: Path) -> None:
    group(machine / "sys/fs/cgroup", memory__max="max", memory__current=GIB, memory__stat="")
    assert memory_budget(BOUNDS, None, root=machine).total_bytes > 6 * GIB


def test_a_machine_with_less_than_the_reserve_has_none_to_give(machine: Path) -> None:
    (machine / "proc/meminfo").write_text("MemAvailable: 100000 kB\n")
    assert memory_budget(BOUNDS, None, root=machine).total_bytes == 0


def test_referees_beside_each_other_have_equal_parts_of_the_memory(machine: Path) -> None:
    whole = memory_budget(BOUNDS, None, root=machine).total_bytes
    assert memory_budget(BOUNDS, None, parts=2, root=machine).total_bytes == whole // 2
    assert memory_budget(BOUNDS, 3000, parts=3, root=machine).total_bytes == 1000 * MIB


@pytest.mark.parametrize(("available_kib", "is_scarce"), [(300_000, False), (200_000, True)])
def test_memory_is_scarce_when_half_of_the_reserve_is_used(
    machine: Path, available_kib: int, *, is_scarce: bool
) -> None:
    (machine / "proc/meminfo").write_text(f"MemAvailable: {available_kib} kB\n")
    assert Budget(root=machine).is_scarce() is is_scarce


def test_a_stranger_is_counted_with_its_limit_and_a_house_bot_with_less() -> None:
    both = Budget(GIB, 528 * MIB)
    assert both.charge("bundle:00") == 528 * MIB
    assert both.charge("house:lost_cities/greedy") == 64 * MIB


def test_it_says_how_many_fit() -> None:
    assert str(Budget(8 * GIB, 512 * MIB)) == (
        "8192 MiB of memory for hosted bots: 16 at 512 MiB each, or 128 house bots"
    )


def test_too_little_for_the_largest_table_is_said_with_what_would_fit() -> None:
    assert "with at most 341 MiB for each it would fit" in str(Budget(2 * GIB, 512 * MIB))
