"""What /health and the admin's overview say when something that the arena needs does not work."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from arena.store import Store
from tests.parts import wait_until
from tests.web.people import House, furnished, house

__all__ = ["furnished", "house"]


@contextmanager
def locked(store: Store) -> Iterator[None]:
    """Keep everybody else from writing to an SQLite store."""
    connection = sqlite3.connect(str(store.url.database), isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.close()


def test_a_redis_that_hangs_is_told_and_does_not_hold_up_the_answer(house: House) -> None:
    pid = house.redis.process.pid
    os.kill(pid, signal.SIGSTOP)
    try:
        with house.client() as client:
            answer = client.get("/health")
    finally:
        os.kill(pid, signal.SIGCONT)
    assert (answer.status_code, answer.json()["redis"]) == (200, "away")


def test_a_store_that_cannot_be_written_is_told_with_the_reason(house: House) -> None:
    with house.client() as client, locked(house.store):
        wait_until(lambda: client.get("/health").status_code == 503, "it is noticed", within_s=20)
        health = client.get("/health").json()
    assert (health["status"], health["store"]) == ("unwritable", "unwritable")
    assert f"by process {os.getpid()} (" in health["problem"]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Nothing can be stored"), ("es", "No se puede guardar nada")]
)
def test_admins_see_on_the_overview_that_nothing_can_be_stored(
    house: House, language: str, words: str
) -> None:
    with house.browser("root") as client, locked(house.store):
        headers = {"Accept-Language": language}
        wait_until(lambda: words in client.get("/admin", headers=headers).text, "it is shown", within_s=20)
