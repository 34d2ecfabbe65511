"""Which errors of a database pass by themselves."""

from __future__ import annotations

import socket

import pytest
from sqlalchemy.exc import DBAPIError

from arena.storage.engine import connect, parse
from arena.storage.transient_errors import is_transient

pytestmark = pytest.mark.postgres


def test_server_that_says_nothing_may_answer_later() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        _, port = silent.getsockname()
        engine = connect(parse(f"postgresql://arena@127.0.0.1:{port}/arena?connect_timeout=2"))
        with pytest.raises(DBAPIError, match="timeout") as raised:
            engine.connect()
    assert is_transient(raised.value)


def test_server_that_is_not_there_may_come_back() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        _, port = closed.getsockname()
    with pytest.raises(DBAPIError) as raised:
        connect(parse(f"postgresql://arena@127.0.0.1:{port}/arena")).connect()
    assert is_transient(raised.value)
