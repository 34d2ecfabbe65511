"""Wake-ups reach the listener, whatever came of earlier ones."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from arena.messaging.wakeup import Listener, wake
from tests.patience import wait_until

if TYPE_CHECKING:
    from redis import Redis


def test_listener_outlasts_an_error_of_what_it_calls(client: Redis, caplog: pytest.LogCaptureFixture) -> None:
    heard = threading.Event()

    def hear() -> None:
        if "failed" not in caplog.text:
            raise KeyError("a library's own error")
        heard.set()

    listener = Listener(client, hear)
    listener.start()

    def is_heard() -> bool:
        wake(client)
        return heard.wait(0.05)

    wait_until(is_heard, "a wake-up is heard", within_s=10)
    listener.close()
    assert "listening for wake-ups failed" in caplog.text
