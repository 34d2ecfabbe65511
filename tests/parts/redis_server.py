"""An embedded Redis for tests, started as `arena up` starts it, and gone when the test is over."""

from __future__ import annotations

import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from arena.core import child_process
from arena.supervisor import embedded_redis
from tests.patience import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator


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
