"""An event loop that all jobs of a worker share, one after the other.

A loop takes a quarter of a megabyte, which is free only when the garbage collector comes: with one for each job, thousands an hour,
a worker had some of them at any time, and another number each time.  gRPC stays ready on it as well, in place of a thread of its own
that starts and ends with each job.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

import uvloop
from grpc import aio

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")


class KeptLoop:
    """Runs one coroutine after the other as `uvloop.run` does, on the same loop."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
        self._has_grpc = False

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end, which is also that of the tasks and threads that it has started."""
        with ThreadPoolExecutor(thread_name_prefix="job") as threads:
            return self._runner.run(self._run_alone(main, threads))

    def close(self) -> None:
        """Close the loop."""
        if self._has_grpc:
            aio.shutdown_grpc_aio()
        self._runner.close()

    async def _run_alone(self, main: Coroutine[Any, Any, T], threads: ThreadPoolExecutor) -> T:
        if not self._has_grpc:  # it takes the loop that runs
            aio.init_grpc_aio()
            self._has_grpc = True
        asyncio.get_running_loop().set_default_executor(threads)
        try:
            return await main
        finally:
            left = asyncio.all_tasks() - {asyncio.current_task()}
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
