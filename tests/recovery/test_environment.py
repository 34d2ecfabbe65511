"""What the parts of a running arena know by their environment."""

from __future__ import annotations

from pathlib import Path

from tests.parts.arena_process import RunningArena, descendants

PRIVATE = {"ARENA_DATABASE_URL", "ARENA_REDIS_URL", "ARENA_SECRET"}


def names(pid: int) -> set[str]:
    """Names of the variables that a process was started with."""
    entries = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return {entry.partition(b"=")[0].decode() for entry in entries}


def test_the_referee_and_all_that_it_starts_know_of_no_store(arena: RunningArena) -> None:
    (pid,) = arena.pids("referee")
    for each in {pid, *descendants(pid)}:
        assert not names(each) & PRIVATE


def test_a_part_that_needs_the_store_knows_it(arena: RunningArena) -> None:
    assert "ARENA_DATABASE_URL" in names(arena.pids("worker")[0])
