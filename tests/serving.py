"""The web as a process of its own, on a store and a Redis of a test's."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena import process
from tests.arena import START_S, clean_environment, free_port
from tests.parts import wait_until


@contextmanager
def serving(data: Path, redis_url: str, **environment: str) -> Iterator[str]:
    """Serve the web of a data directory; its URL."""
    port = free_port()
    web = subprocess.Popen(
        [sys.executable, "-m", "arena.web", "--port", str(port)],
        env={**clean_environment(), "ARENA_DATA": str(data), "ARENA_REDIS_URL": redis_url, **environment},
    )
    try:
        wait_until(lambda: web.poll() is not None or _answers(port), "the web answers", within_s=START_S)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.stop(web, grace_s=5.0)


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
