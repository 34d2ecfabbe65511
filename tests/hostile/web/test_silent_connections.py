"""Connections that say nothing, or little: whoever holds them open keeps nobody else out."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.hostile.web.conftest import connect
from tests.parts.web_process import web_process

if TYPE_CHECKING:
    from tests.hostile.web.conftest import House


@pytest.mark.parametrize("descriptors", ["1024:4096", "1024:1024"])
def test_eleven_hundred_silent_connections_keep_nobody_out(house: House, descriptors: str) -> None:
    with web_process(house.data, house.redis.url, descriptors=descriptors) as web, ExitStack() as stack:
        for _ in range(1100):
            stack.enter_context(connect(web))
        for _ in range(3):
            assert httpx.get(f"{web.url}/health", timeout=10).status_code == 200
