"""Real parts for tests: they are started as `arena up` starts them, and gone when the test is over."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from arena.core import child_process
from arena.supervisor import embedded_redis
from tests.patience import Patience

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def patient(limit_s: float) -> float:
    """Give four times a limit where something else keeps the machine busy.

    An arena and its tests alone keep it at most at three runnable processes a core.
    """
    return limit_s if os.getloadavg()[0] <= 3 * (os.cpu_count() or 1) else 4 * limit_s


def wait_until(
    holds: Callable[[], object],
    what: str,
    *,
    within_s: float = 10.0,
    progress: Callable[[], object] = lambda: None,
) -> float:
    """Wait for a condition, as long as `progress` changes, and on a busy machine more patiently; the seconds it took."""
    began = time.monotonic()
    patience = Patience(within_s, progress)
    while not holds():
        # Once more: on a busy machine much may have happened while this process waited for a core itself.
        assert not patience.is_over() or holds(), f"not within {within_s} s: {what}"
        time.sleep(0.05)
    return time.monotonic() - began


class RunningRedis:
    """An embedded Redis that a test may kill and start again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "redis.sock"
        self.url = f"unix://{self.socket}"
        self.process: subprocess.Popen[bytes]

    def start(self) -> None:
        self.process = child_process.start(
            embedded_redis.command(self.socket, self.folder), environment={}, stdout=subprocess.DEVNULL
        )
        wait_until(lambda: embedded_redis.answers(self.socket), "Redis answers")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def forget(self) -> None:
        embedded_redis.set_aside(self.folder)


@contextmanager
def running_redis() -> Iterator[RunningRedis]:
    """Start an embedded Redis in a short path of its own."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        redis = RunningRedis(Path(folder))
        redis.start()
        try:
            yield redis
        finally:
            child_process.stop(redis.process, grace_s=2.0)
