"""How long others wait for a transaction whose process stands still, or whose machine is gone: on PostgreSQL."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Engine, select, text
from sqlalchemy.exc import DBAPIError

from arena.storage import Store
from arena.storage.engine import connect, parse
from arena.storage.migration import alone
from arena.storage.schema import Meta
from arena.storage.transient_errors import is_transient
from tests.patience import patient

pytestmark = pytest.mark.postgres

GOES_ON_S = 30.0


@pytest.fixture
def url(emptied: Engine) -> str:
    return emptied.url.render_as_string()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store.open(url)
    with store.write() as session:
        session.execute(text("DELETE FROM meta WHERE key = 'count'"))
        session.add(Meta(key="count", value="0"))
    yield store
    store.close()


def count(store: Store) -> None:
    with store.write() as session:
        row = session.get_one(Meta, "count", with_for_update=True)
        row.value = str(int(row.value) + 1)


def shown(store_or_engine: Engine, name: str) -> str:
    with store_or_engine.connect() as connection:
        return str(connection.scalar(text(f"SHOW {name}")))


def test_a_write_that_stands_still_is_ended_and_others_go_on(store: Store) -> None:
    with pytest.raises(DBAPIError) as raised, store.write() as session:  # noqa: PT012 - it ends at its end
        session.get_one(Meta, "count", with_for_update=True)
        began = time.monotonic()
        other = threading.Thread(target=count, args=(store,))
        other.start()
        other.join(patient(GOES_ON_S))
        assert not other.is_alive()
        assert time.monotonic() - began < patient(GOES_ON_S)
        session.execute(text("SELECT 1"))
    assert is_transient(raised.value)
    count(store)
    with store.read() as session:
        assert session.get_one(Meta, "count").value == "2", "nothing was lost or doubled"


def test_a_read_may_stand_still_for_longer(store: Store) -> None:
    with store.read() as session:
        before = session.scalar(text("SHOW idle_in_transaction_session_timeout"))
        assert session.scalar(select(Meta.value).where(Meta.key == "count")) == "0"
    assert before == "10min"


def test_a_lock_is_not_waited_for_without_end(store: Store, url: str) -> None:
    engine = connect(parse(url), unlimited=True)  # stands still for as long as it likes
    with engine.begin() as holder:
        holder.execute(text("SELECT * FROM meta WHERE key = 'count' FOR UPDATE"))
        with (  # noqa: PT012 - its own limit is set inside
            pytest.raises(DBAPIError, match="lock timeout") as raised,
            store.write() as session,
        ):
            session.execute(text("SET LOCAL lock_timeout = '200ms'"))
            session.get_one(Meta, "count", with_for_update=True)
    assert is_transient(raised.value)
    engine.dispose()


def test_both_sides_notice_a_machine_that_is_gone(url: str) -> None:
    engine = connect(parse(url))
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        told = driver.info.get_parameters()
    assert {name: told[name] for name in ("keepalives_idle", "keepalives_interval", "keepalives_count")} == {
        "keepalives_idle": "5",
        "keepalives_interval": "2",
        "keepalives_count": "3",
    }
    assert told["tcp_user_timeout"] == "10000"
    for name in ("tcp_keepalives_idle=5", "tcp_keepalives_interval=2", "tcp_user_timeout=10000"):
        assert f"-c {name}" in told["options"]
    engine.dispose()


def test_a_migration_has_no_time_limit(url: str) -> None:
    with alone(parse(url)) as connection:
        for name in ("idle_in_transaction_session_timeout", "lock_timeout"):
            assert connection.scalar(text(f"SHOW {name}")) == "0"


def test_what_the_operator_says_in_the_url_holds(url: str) -> None:
    engine = connect(parse(f"{url}&options=-c%20lock_timeout%3D3s"))
    assert shown(engine, "lock_timeout") == "3s"
    assert shown(engine, "idle_in_transaction_session_timeout") == "10s"
    engine.dispose()
