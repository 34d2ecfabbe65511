"""A web process that is told to stop while pages follow what it sends."""

from __future__ import annotations

import http.client
import os
import re
import signal
from contextlib import ExitStack
from typing import TYPE_CHECKING

from arena.web.http import sse
from tests.parts.redis_server import running_redis
from tests.parts.web_process import web_process
from tests.stores import new_sqlite

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi.testclient import TestClient

PAGES = 20
PATH = "/live/events"


def test_streams_end_with_a_hint_when_to_come_back_that_is_not_the_same_for_all(tmp_path: Path) -> None:
    new_sqlite(tmp_path / "arena.db")
    with ExitStack() as stack:
        redis = stack.enter_context(running_redis())
        web = stack.enter_context(web_process(tmp_path, redis.url))
        streams = []
        for _ in range(PAGES):
            connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=60)
            stack.callback(connection.close)
            connection.request("GET", PATH)
            streams.append(connection.getresponse())
        assert {stream.status for stream in streams} == {200}
        os.kill(web.pid, signal.SIGTERM)
        last = [
            stream.read().replace(b"\r\n", b"\n") for stream in streams
        ]  # each ends whole: else this raises
    hints = [re.search(rb"(?:^|\n)retry: (\d+)\n\n$", text) for text in last]
    found = [int(hint[1]) for hint in hints if hint is not None]
    assert len(found) == PAGES
    assert all(sse.RETURN_MS[0] <= ms < sse.RETURN_MS[1] for ms in found)
    assert len(set(found)) > PAGES // 2


def test_stream_that_would_begin_while_it_stops_is_told_to_come_again(client: TestClient) -> None:
    with sse.stopping():
        answer = client.get(PATH)
    assert answer.status_code == 503
    assert 1 <= int(answer.headers["retry-after"]) <= sse.RETURN_MS[1] // 1000
