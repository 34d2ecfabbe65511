"""The web as a process of its own, on a store and a Redis of a test's."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.core import child_process
from tests.parts.arena_process import START_S, clean_environment, free_port
from tests.parts.forked_parts import server_of
from tests.patience import wait_until


@dataclass(frozen=True)
class WebProcess:
    """A web that serves on 127.0.0.1."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def memory_mib(self) -> float:
        """Return its resident memory."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@contextmanager
def serving(data: Path, redis_url: str, **environment: str) -> Iterator[str]:
    """Serve the web of a data directory; its URL."""
    with web_process(data, redis_url, **environment) as web:
        yield web.url


@contextmanager
def web_process(
    data: Path, redis_url: str, *, descriptors: str = "", **environment: str
) -> Iterator[WebProcess]:
    """Serve the web of a data directory; `descriptors` are its soft and hard limit, as `prlimit --nofile` takes them."""
    port = free_port()
    given = {**clean_environment(), "ARENA_DATA": str(data), "ARENA_REDIS_URL": redis_url, **environment}
    arguments = ("--port", str(port))
    web: subprocess.Popen[bytes]
    if descriptors:
        limited = ("prlimit", f"--nofile={descriptors}", sys.executable, "-m", "arena.web", *arguments)
        web = subprocess.Popen(limited, env=given)
    else:
        web = server_of("arena.web").start(arguments, environment=given)
    try:
        wait_until(lambda: web.poll() is not None or _answers(port), "the web answers", within_s=START_S)
        yield WebProcess(port, web.pid)
    finally:
        child_process.stop(web, grace_s=5.0)


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
