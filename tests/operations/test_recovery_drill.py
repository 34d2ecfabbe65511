"""The drill of docs/store.md, *Recovery to a point in time*: what was stored until a moment comes back, after a disaster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from arena.reports import exports, tournaments
from arena.storage import Store, upgrade
from tests import random_tournaments
from tests.parts import postgres_server
from tests.parts.postgres_server import Server
from tests.patience import wait_until

pytestmark = pytest.mark.postgres


def ask(server: Server, database: str, statement: str) -> str:
    with psycopg.connect(
        host=str(server.socket), user="arena", dbname=database, autocommit=True
    ) as connection:
        row = connection.execute(statement.encode()).fetchone()
    assert row is not None
    return str(row[0])


def archive_all(server: Server) -> None:
    """End the segment of the write-ahead log that is being written, and wait until it is in the archive."""
    last = ask(server, "postgres", "SELECT pg_walfile_name(pg_switch_wal())")
    wait_until(
        lambda: (
            ask(
                server,
                "postgres",
                "SELECT last_archived_wal >= %s FROM pg_stat_archiver".replace("%s", f"'{last}'"),
            )
            == "True"
        ),
        f"segment {last} is archived",
        within_s=30,
    )


@contextmanager
def recovered(base: Path, archive: Path, moment: str) -> Iterator[Server]:
    """Run a server on a base backup, with what the archive has up to a moment."""
    with (base / "postgresql.auto.conf").open("a") as settings:
        settings.write(
            f"restore_command = 'cp {archive}/%f %p'\nrecovery_target_time = '{moment}'\n"
            "recovery_target_action = 'promote'\narchive_mode = off\n"
        )
    (base / "recovery.signal").touch()
    with postgres_server.running(base) as server:
        yield server


def test_what_was_stored_until_a_moment_comes_back_after_a_disaster(tmp_path: Path) -> None:
    with postgres_server.folder() as shared:
        archive, base = shared / "archive", shared / "base"
        postgres_server.make_folder(archive)
        settings = {
            "archive_mode": "on",
            "archive_command": f"test ! -f {archive}/%f && cp %p {archive}/%f",
            "wal_level": "replica",
        }
        with postgres_server.running(settings=settings) as server:
            url = server.new_database()
            name = url.partition("@/")[2].partition("?")[0]
            upgrade(url)
            server.take_base_backup(base)
            store = Store.open(url)
            kept = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1)
            random_tournaments.play(store, kept.id)
            export = exports.export(store, kept.id)
            moment = ask(server, name, "SELECT clock_timestamp()")
            lost = random_tournaments.create(store, "lost_cities", "random", "cautious", hands=1)
            random_tournaments.play(store, lost.id)
            store.close()
            archive_all(server)
        with recovered(base, archive, moment) as server:
            wait_until(
                lambda: ask(server, name, "SELECT pg_is_in_recovery()") == "False",
                "recovery is over",
                within_s=30,
            )
            store = Store.open(server.url(name))
            assert exports.export(store, kept.id) == export
            assert [row.id for row in tournaments.listing(store)] == [kept.id]
            again = random_tournaments.create(store, "lost_cities", "random", "cautious", hands=1)
            random_tournaments.play(store, again.id)
            assert tournaments.row(store, again.id).state == "finished"
            store.close()
