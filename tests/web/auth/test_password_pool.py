"""Work on passwords waits its turn, and nothing else waits for it."""

from __future__ import annotations

import asyncio
import threading

import pytest

from arena.core.errors import Refusal, RefusalKind
from arena.web.auth.password_pool import _MAX_WAITING, PasswordPool


async def test_others_go_on_while_passwords_wait_and_too_many_are_told_to_come_again() -> None:
    hashing, gate = PasswordPool(), threading.Event()
    waiting = [asyncio.create_task(hashing.run(gate.wait)) for _ in range(_MAX_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Refusal) as caught:
        await hashing.run(gate.wait)
    assert (caught.value.code, caught.value.kind) == ("busy", RefusalKind.UNAVAILABLE)
    assert await asyncio.to_thread(lambda: "served") == "served"
    gate.set()
    assert all(await asyncio.gather(*waiting))
    assert await hashing.run(lambda: "its turn") == "its turn"


async def test_who_hangs_up_makes_room() -> None:
    hashing, gate = PasswordPool(), threading.Event()
    waiting = [asyncio.create_task(hashing.run(gate.wait)) for _ in range(_MAX_WAITING)]
    await asyncio.sleep(0)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    gate.set()
    assert await hashing.run(lambda: "its turn") == "its turn"
