"""Migrations."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from pathlib import Path

import pytest
from alembic.command import upgrade as run_migrations
from sqlalchemy import create_engine, inspect, text

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.reports import tournaments
from arena.storage import (
    MigrationFailed,
    Store,
    StoreNewer,
    StoreOlder,
    StoreUnreachable,
    migration,
    migration_chain,
    upgrade,
)
from arena.storage.engine import WRITES, connect, parse
from arena.storage.migration_chain import head
from tests.parts.postgres_server import Server
from tests.schemas import EXPAND, add_migrations, differences
from tests.stores import BOTH


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same package with one migration more."""
    add_migrations(tmp_path / "migrations", EXPAND)
    monkeypatch.setattr(migration_chain, "SCRIPTS", str(tmp_path / "migrations"))


def test_the_migrations_make_what_the_models_say(store: Store, url: str) -> None:
    engine = create_engine(parse(url))
    with engine.connect() as connection:
        assert differences(connection) == []
    engine.dispose()


def test_an_upgrade_of_this_version_changes_nothing(store: Store, url: str) -> None:
    assert upgrade(url) == head()


def test_an_upgrade_makes_the_folder_and_the_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/new/arena.db"
    assert upgrade(url) is None
    Store.open(url).close()


def test_an_older_schema_is_not_migrated_by_opening(own_url: str, next_version: None) -> None:
    with pytest.raises(StoreOlder, match=r"`arena db upgrade`"):
        Store.open(own_url)


def test_an_upgrade_brings_an_older_schema_up(own_url: str, next_version: None) -> None:
    assert upgrade(own_url) != "test2"
    opened = Store.open(own_url)
    with opened.read() as session:
        assert session.execute(text("SELECT count(*) FROM added")).scalar() == 0
    opened.close()


@pytest.fixture(params=BOTH)
def first_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a store as the first version made it, with a bot."""
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    if request.param == "postgres":
        server: Server = request.getfixturevalue("server")
        url = server.new_database()
    engine = connect(parse(url))
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        config = migration._config(migration_chain.SCRIPTS)
        config.attributes["connection"] = connection
        run_migrations(config, "0001")
        connection.execute(
            text("INSERT INTO bot (game, name, house, created_at) VALUES ('lost_cities', 'greedy', true, 0)")
        )
        connection.execute(
            text(
                "INSERT INTO version (bot_id, version, source, program, talks, created_at) "
                "VALUES (1, '1', 'hosted', 'house:lost_cities/greedy', false, 0)"
            )
        )
    engine.dispose()
    return url


def test_the_bots_of_the_first_version_are_kept(first_url: str) -> None:
    assert upgrade(first_url) == "0001"
    store = Store.open(first_url)
    found = bots.find(store, "lost_cities", "greedy")
    assert (found.source, found.program, found.hosted) == ("hosted", "house:lost_cities/greedy", True)
    bots.add_dial_in(store, OPERATOR, "land_unter", "mine")
    assert len(bots.admitted(store)) == 1
    with store.read() as session:
        assert differences(session.connection()) == []
    store.close()


@pytest.fixture
def fourth_url(first_url: str) -> str:
    """The URL of a store of the fourth version, with a tournament that is over and one that runs."""
    engine = connect(parse(first_url))
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        config = migration._config(migration_chain.SCRIPTS)
        config.attributes["connection"] = connection
        run_migrations(config, "0004")
        for state, finished_at in (("finished", 8.0), ("running", None)):
            connection.execute(
                text(
                    "INSERT INTO tournament (name, format, game, variant, seats, options, base_ms, increment_ms, "
                    "cap_ms, talk_ms, cycles, trusted, secret, commitment, inputs, state, matches_total, "
                    "matches_done, created_at, finished_at) VALUES ('Old', 'round-robin', 'lost_cities', 'standard', "
                    "2, '{}', 1, 2, 3, 4, 5, true, :secret, :secret, :secret, :state, 2, 2, 7, :finished_at)"
                ),
                {"secret": bytes(32), "state": state, "finished_at": finished_at},
            )
        connection.execute(
            text(
                "INSERT INTO block (tournament_id, number, first_set, sets, done) "
                "SELECT id, 0, 0, 1, true FROM tournament"
            )
        )
        connection.execute(
            text("INSERT INTO entry (tournament_id, number, version_id) SELECT id, 0, 1 FROM tournament")
        )
    engine.dispose()
    return first_url


def test_tournaments_of_the_fourth_version_keep_their_entries_and_blocks(fourth_url: str) -> None:
    assert upgrade(fourth_url) == "0004"
    store = Store.open(fourth_url)
    with store.read() as session:
        for table in ("tournament", "entry", "block"):
            assert session.execute(text(f"SELECT count(*) FROM {table}")).scalar() == 2  # noqa: S608
        assert differences(session.connection()) == []
    store.close()


def test_tournaments_of_older_versions_get_their_owner_from_the_audit_log(fourth_url: str) -> None:
    engine = connect(parse(fourth_url))
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        connection.execute(
            text(
                "INSERT INTO audit (at, actor, action, subject, detail) "
                "VALUES (1, 'ada', 'tournament.create', 'tournament/2', '{}'), (2, 'bob', 'tournament.start', 'tournament/1', '{}')"
            )
        )
    engine.dispose()
    upgrade(fourth_url)
    store = Store.open(fourth_url)
    assert [row.id for row in tournaments.created_by(store, "ada")] == [2]
    assert tournaments.created_by(store, "bob") == ()
    store.close()


def test_chances_of_choices_in_teotlatolli_are_computed_anew(fourth_url: str) -> None:
    upgrade(fourth_url)
    engine = connect(parse(fourth_url))
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        for later in ("bundle_weights", "weights_part", "weights", "daily_puzzle", "puzzle_answer"):
            connection.execute(text(f"DROP TABLE {later}"))
        for table, column in (
            ("version", "plays"),
            ("version", "suspensions"),
            ("trial", "batch"),
            ("trial", "passed"),
            ("match_result", "absent"),
            ("match_result", "counted"),
            ("entry", "pinned"),
            ("version_total", "absences"),
            ("tournament", "description"),
        ):
            connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        connection.execute(text("UPDATE alembic_version SET version_num = '0020'"))
        connection.execute(text("UPDATE tournament SET game = 'teotlatolli' WHERE id = 1"))
        connection.execute(
            text(
                "INSERT INTO choice_chances (tournament_id, set_number, match_number, point, seat, data) "
                "SELECT id, 0, 0, 3, 1, '[]' FROM tournament"
            )
        )
    engine.dispose()
    assert upgrade(fourth_url) == "0020"
    store = Store.open(fourth_url)
    with store.read() as session:
        assert session.execute(text("SELECT tournament_id FROM choice_chances")).scalars().all() == [2]
    store.close()


def test_an_sqlite_file_is_copied_before_it_is_migrated(
    sqlite_template: Path, tmp_path: Path, next_version: None
) -> None:
    file = tmp_path / "arena.db"
    shutil.copy(sqlite_template, file)
    before = upgrade(f"sqlite:///{file}")
    copy = sqlite3.connect(tmp_path / f"arena.db.{before}")
    assert copy.execute("SELECT version_num FROM alembic_version").fetchall() == [(before,)]
    assert copy.execute("SELECT count(*) FROM bot").fetchall() == [(0,)]
    copy.close()


def test_a_failing_migration_leaves_the_schema_as_it_was(
    own_url: str, next_version: None, tmp_path: Path
) -> None:
    with (tmp_path / "migrations" / "versions" / "vtest0.py").open("a") as script:
        script.write('    op.execute("SELECT * FROM missing")\n')
    with pytest.raises(MigrationFailed, match=r"missing.* nothing was changed"):
        upgrade(own_url)
    with pytest.raises(StoreOlder):
        Store.open(own_url)
    engine = create_engine(parse(own_url))
    assert "added" not in inspect(engine).get_table_names()
    engine.dispose()


def test_a_newer_schema_is_refused_and_left_alone(own_url: str) -> None:
    store = Store.open(own_url)
    with store.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        session.execute(text("UPDATE schema_support SET works_from = '9999'"))
    store.close()
    for act in (upgrade, Store.open):
        with pytest.raises(
            StoreNewer, match=r"9999 is of a newer version and needs programs of schema 9999 or newer; update"
        ):
            act(own_url)


def test_a_store_that_is_not_there_is_not_made_by_opening(tmp_path: Path) -> None:
    with pytest.raises(StoreOlder, match=r"not there yet; .*`arena db upgrade`"):
        Store.open(f"sqlite:///{tmp_path}/arena.db")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "arena.db").write_text("not a database, but long enough to be read as one" * 100)
    with pytest.raises(StoreUnreachable, match=r"arena\.db: file is not a database"):
        upgrade(f"sqlite:///{tmp_path}/arena.db")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnreachable, match="file"):
        upgrade(f"sqlite:///{tmp_path}/file/arena.db")


def upgrade_at_once(url: str) -> list[str | None]:
    before: list[str | None] = []
    threads = [threading.Thread(target=lambda: before.append(upgrade(url))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return before


def test_upgrades_at_the_same_time_wait_for_each_other(tmp_path: Path) -> None:
    before = upgrade_at_once(f"sqlite:///{tmp_path}/arena.db")
    assert sorted(before, key=str) == [head(), head(), head(), None]


@pytest.mark.postgres
def test_upgrades_of_postgresql_at_the_same_time_wait_for_each_other(server: Server) -> None:
    before = upgrade_at_once(server.new_database())
    assert sorted(before, key=str) == [head(), head(), head(), None]
