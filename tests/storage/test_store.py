"""Opening a store, and its transactions."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from arena.core.errors import UsageError
from arena.storage import Store, StoreUnreachable
from arena.storage.schema import Bot, Meta


def add(store: Store, key: str) -> None:
    with store.write() as session:
        session.add(Meta(key=key, value="1"))


def keys(store: Store) -> set[str]:
    with store.read() as session:
        return set(session.scalars(select(Meta.key)))


def test_what_was_written_is_read_by_another_store(store: Store, url: str) -> None:
    add(store, "here")
    other = Store.open(url)
    assert keys(other) == {"here"}
    other.close()


def test_an_exception_takes_back_what_was_written(store: Store) -> None:
    def fail() -> None:
        with store.write() as session:
            session.add(Meta(key="gone", value="1"))
            session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert keys(store) == set()


def test_foreign_keys_are_enforced(store: Store) -> None:
    with pytest.raises(IntegrityError), store.write() as session:
        session.execute(text("INSERT INTO rating VALUES (1, 2, 0, 1, 1500.0, 3, 1, 1, 50.0)"))


def test_a_read_sees_one_moment(store: Store) -> None:
    add(store, "before")
    with store.read() as session:
        session.scalars(select(Meta.key)).all()
        add(store, "after")
        assert session.scalars(select(Meta.key)).all() == ["before"]


def test_many_threads_write_without_losing_anything(store: Store) -> None:
    add(store, "count")

    def count() -> None:
        for _ in range(20):
            with store.write() as session:
                row = session.get_one(Meta, "count", with_for_update=True)
                row.value = str(int(row.value) + 1)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as session:
        assert session.get_one(Meta, "count").value == "81"


def test_rows_outlive_their_session(store: Store) -> None:
    with store.write() as session:
        bot = Bot(game="lost_cities", name="greedy", house=True, created_at=0.0)
        session.add(bot)
    assert bot.name == "greedy"


def test_sqlite_keeps_a_write_ahead_log(sqlite_template: Path, tmp_path: Path) -> None:
    (tmp_path / "arena.db").write_bytes(sqlite_template.read_bytes())
    store = Store.open(f"sqlite:///{tmp_path}/arena.db")
    with store.read() as session:
        pragmas = [
            session.execute(text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")
        ]
    assert pragmas == ["wal", 1]


@pytest.mark.parametrize("wrong", ["nonsense", "sqlite://", "sqlite:///:memory:", "mysql://host/arena"])
def test_a_url_that_is_no_store_is_refused_with_those_that_are(wrong: str) -> None:
    with pytest.raises(UsageError, match=r"sqlite:///PATH or postgresql://"):
        Store.open(wrong)


def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    with pytest.raises(StoreUnreachable) as raised:
        Store.open("postgresql://arena:secret@127.0.0.1:1/arena")
    message = str(raised.value)
    assert "127.0.0.1:1" in message
    assert "ARENA_DATABASE_URL" in message
    assert "secret" not in message
    assert "\n" not in message


def test_version_of_a_store_is_another_one_after_each_commit_and_only_then(store: Store, url: str) -> None:
    seen = [store.version(), store.version()]
    keys(store)
    seen.append(store.version())
    assert len(set(seen)) == 1
    add(store, "mine")
    seen.append(store.version())
    other = Store.open(url)
    add(other, "another's")
    other.close()
    seen.append(store.version())
    assert len(set(seen)) == 3
