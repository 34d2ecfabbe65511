"""The memory of a bot that waits."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arena.sdk import idle_memory
from arena.sdk.idle_memory import IdleMemory, give_back


def resident_mb() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no VmRSS")


def test_what_is_free_among_what_is_in_use_is_given_back() -> None:
    blocks = [bytes(2_000) for _ in range(20_000)]
    kept = blocks[::500]
    blocks.clear()
    before = resident_mb()
    give_back()
    assert resident_mb() < before - 20
    assert len(kept) == 40


async def test_it_is_given_back_once_in_each_time_without_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    now = asyncio.get_running_loop().time
    monkeypatch.setattr(idle_memory, "AFTER_S", 0.05)
    monkeypatch.setattr(idle_memory, "give_back", lambda: given.append(now()))
    memory = IdleMemory()
    for _ in range(2):
        memory.note(idle=False)
        idle_at = now()
        memory.note(idle=True)
        memory.note(idle=True)
        await asyncio.sleep(0.2)
        memory.note(idle=True)
        await asyncio.sleep(0.1)
        assert given[-1] >= idle_at + 0.05
    assert len(given) == 2


async def test_a_match_that_begins_before_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[bool] = []
    monkeypatch.setattr(idle_memory, "AFTER_S", 0.05)
    monkeypatch.setattr(idle_memory, "give_back", lambda: given.append(True))
    memory = IdleMemory()
    memory.note(idle=True)
    memory.note(idle=False)
    await asyncio.sleep(0.2)
    memory.note(idle=True)
    memory.close()
    await asyncio.sleep(0.2)
    assert not given
