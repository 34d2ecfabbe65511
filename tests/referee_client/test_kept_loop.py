"""An event loop that jobs share: none leaves anything on it."""

import asyncio
import time
from collections.abc import Iterator

import pytest

from arena.referee_client.kept_loop import KeptLoop


@pytest.fixture
def loop() -> Iterator[KeptLoop]:
    loop = KeptLoop()
    yield loop
    loop.close()


async def running() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


async def fail() -> None:
    raise ValueError("no")


def test_all_run_on_the_same_loop(loop: KeptLoop) -> None:
    first = loop.run(running())
    assert loop.run(running()) is first


def test_an_error_is_raised_and_the_next_one_runs(loop: KeptLoop) -> None:
    with pytest.raises(ValueError, match="no"):
        loop.run(fail())
    assert loop.run(asyncio.sleep(0, "yes")) == "yes"


def test_tasks_that_are_left_are_cancelled(loop: KeptLoop) -> None:
    left: list[asyncio.Task[None]] = []

    async def leave() -> None:
        left.append(asyncio.create_task(asyncio.sleep(3600)))

    loop.run(leave())
    assert left[0].cancelled()


def test_threads_have_ended_when_it_returns(loop: KeptLoop) -> None:
    ended: list[int] = []

    def work() -> None:
        time.sleep(0.2)
        ended.append(1)

    async def leave() -> None:
        working = asyncio.create_task(asyncio.to_thread(work))
        await asyncio.sleep(0.05)
        working.cancel()

    for count in (1, 2):
        loop.run(leave())
        assert len(ended) == count
