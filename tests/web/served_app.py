"""The web on an address of its own, in a thread of this process, for a browser."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from arena.messaging.redis_connection import connect_async
from arena.storage import Store
from arena.web.app import create_app
from arena.web.http.web_limits import Limits
from arena.web.play.human_games import PlayTerms
from arena.web.server.uvicorn_server import Server, configure
from arena.web.server.web_address import listen
from tests.parts.redis_server import RunningRedis
from tests.patience import wait_until
from tests.web.access import ACCESS

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


@contextmanager
def served(
    store: Store,
    redis: RunningRedis,
    playing: PlayTerms | None = None,
    *,
    limits: Limits | None = None,
    clock: Callable[[], float] = time.time,
) -> Iterator[str]:
    """Serve a store; its origin."""
    limits = limits or Limits()
    listener = listen("127.0.0.1", 0)
    app = create_app(store, connect_async(redis.url), ACCESS, playing=playing, limits=limits, clock=clock)
    config = configure(app, limits, "info")
    config.timeout_graceful_shutdown = 1
    server = Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        wait_until(lambda: server.started, "the web serves")
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


def wire_bytes(client: TestClient, address: str) -> int:
    """Return the size of an answer as a browser gets it, compressed where the server compresses."""
    with client.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as answer:
        assert answer.status_code == 200, address
        return sum(map(len, answer.iter_raw()))
