"""Migrations in two steps: programs of two releases work on one store, and nothing is removed that one of them needs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.operations import backup
from arena.storage import (
    Store,
    StoreInUse,
    StoreNewer,
    StoreOlder,
    contract,
    migration,
    migration_chain,
    upgrade,
)
from arena.storage.engine import WRITES, connect, parse
from arena.storage.migration_chain import MigrationKind
from tests.patience import wait_until
from tests.schemas import CONTRACT, EXPAND, STOP, add_migrations
from tests.stores import BOTH

OURS = migration_chain.head()


class Releases:
    """This release and a later one, in one process: which of them it is can be chosen at any time."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._patch = patch

    def be_later(self, *scripts: str) -> None:
        """Be a release with more migrations."""
        add_migrations(self._folder, *scripts)
        self._patch.setattr(migration_chain, "SCRIPTS", str(self._folder))

    def be_this(self) -> None:
        self._patch.undo()


@pytest.fixture
def releases(tmp_path: Path) -> Iterator[Releases]:
    with pytest.MonkeyPatch.context() as patch:
        yield Releases(tmp_path / "migrations", patch)


def add_bot(store: Store, name: str) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", name)


def once_free(change: Callable[[], str | None]) -> str | None:
    """Do what is refused while the store is in use: PostgreSQL ends a connection a moment after a program closed it."""
    done: list[str | None] = []

    def is_done() -> bool:
        with suppress(StoreInUse):
            done.append(change())
        return bool(done)

    wait_until(is_done, "the store is free", within_s=10)
    return done[0]


def test_an_older_program_goes_on_with_an_expanded_store(own_url: str, releases: Releases) -> None:
    running = Store.open(own_url)
    releases.be_later(EXPAND, CONTRACT)
    assert upgrade(own_url) == OURS
    releases.be_this()
    add_bot(running, "before")
    started = Store.open(own_url)
    add_bot(started, "after")
    assert bots.find(running, "lost_cities", "after").source == "dial_in"
    started.close()
    running.close()


def test_a_newer_program_works_before_and_after_the_contraction(own_url: str, releases: Releases) -> None:
    releases.be_later(EXPAND, CONTRACT)
    upgrade(own_url)
    first = Store.open(own_url)
    add_bot(first, "expanded")
    assert contract(own_url) == "test2"
    add_bot(first, "contracted")
    first.close()
    Store.open(own_url).close()


def test_a_newer_program_refuses_a_store_that_is_not_expanded(own_url: str, releases: Releases) -> None:
    releases.be_later(EXPAND, CONTRACT)
    with pytest.raises(
        StoreOlder, match=rf"its schema is {OURS}, this version needs test2; run `arena db upgrade`"
    ):
        Store.open(own_url)


def test_a_new_store_has_all_at_once(tmp_path: Path, releases: Releases) -> None:
    url = f"sqlite:///{tmp_path}/new.db"
    releases.be_later(EXPAND, CONTRACT)
    upgrade(url)
    assert contract(url) == "test3"


def test_nothing_is_removed_while_an_older_program_has_the_store_open(
    own_url: str, releases: Releases
) -> None:
    older = Store.open(own_url)
    add_bot(older, "mine")
    releases.be_later(EXPAND, CONTRACT)
    upgrade(own_url)
    with pytest.raises(
        StoreInUse, match=rf"in use by .*\(schema {OURS}\).* needs programs of schema test2 or newer; stop"
    ):
        contract(own_url)
    older.close()
    assert once_free(lambda: contract(own_url)) == "test2"


def test_programs_of_the_same_release_do_not_keep_it_from_removing(own_url: str, releases: Releases) -> None:
    releases.be_later(EXPAND, CONTRACT)
    upgrade(own_url)
    same = Store.open(own_url)
    add_bot(same, "mine")
    assert contract(own_url) == "test2"
    same.close()


def test_an_older_program_refuses_a_contracted_store(own_url: str, releases: Releases) -> None:
    releases.be_later(EXPAND, CONTRACT)
    contract(own_url)
    releases.be_this()
    for act in (Store.open, upgrade):
        with pytest.raises(
            StoreNewer, match=r"test3 is of a newer version and needs .* test2 or newer; update Bot Arena"
        ):
            act(own_url)


@pytest.mark.parametrize("own_url", BOTH[1:], indirect=True)
def test_an_older_program_without_a_connection_is_refused_when_it_makes_one(
    own_url: str, releases: Releases
) -> None:
    older = Store.open(own_url)  # no connection yet
    releases.be_later(EXPAND, CONTRACT)
    contract(own_url)
    releases.be_this()
    with pytest.raises(StoreNewer, match="update Bot Arena"):
        add_bot(older, "mine")
    older.close()


def test_an_upgrade_by_an_older_release_leaves_an_expanded_store_alone(
    own_url: str, releases: Releases
) -> None:
    releases.be_later(EXPAND, CONTRACT)
    upgrade(own_url)
    releases.be_this()
    assert upgrade(own_url) == "test2"


def test_a_migration_that_stops_all_is_refused_while_a_program_has_the_store_open(
    own_url: str, releases: Releases
) -> None:
    older = Store.open(own_url)
    add_bot(older, "mine")
    releases.be_later(STOP)
    with pytest.raises(StoreInUse, match="in use by"):
        upgrade(own_url)
    older.close()
    assert once_free(lambda: upgrade(own_url)) == OURS


def test_a_backup_by_an_older_release_is_refused_since_it_would_leave_something_out(
    own_url: str, releases: Releases, tmp_path: Path
) -> None:
    older = Store.open(own_url)
    releases.be_later(EXPAND, CONTRACT)
    upgrade(own_url)
    releases.be_this()
    with pytest.raises(backup.BackupFailed, match="schema test2 is of a newer version"):
        backup.write(older, tmp_path / "backup.zip")
    older.close()


@pytest.mark.parametrize("own_url", BOTH[1:], indirect=True)
def test_an_expansion_that_waits_for_a_table_holds_up_nobody(own_url: str, releases: Releases) -> None:
    store = Store.open(own_url)
    with store.read() as one, store.read() as other:  # two connections of an older program
        assert [each.scalar(text("SELECT 1")) for each in (one, other)] == [1, 1]
    releases.be_later(EXPAND)
    upgrading = threading.Thread(target=upgrade, args=(own_url,))
    with store.read() as long_reader:
        long_reader.execute(text("SELECT count(*) FROM tournament"))
        upgrading.start()
        for _ in range(3):
            assert tournaments_can_be_read(store)
            upgrading.join(1.5)
        assert upgrading.is_alive()
    wait_until(lambda: not upgrading.is_alive(), "the store is upgraded", within_s=30)
    assert upgrade(own_url) == "test2"
    store.close()


def tournaments_can_be_read(store: Store) -> bool:
    with store.read() as session:
        return session.execute(text("SELECT count(*) FROM tournament")).scalar() == 0


# --- what each migration declares -----------------------------------------------------------------------------


@contextmanager
def schema_at(url: str, revision: str) -> Iterator[Connection]:
    """Bring a store to a revision, whatever it does."""
    parsed = parse(url)
    engine = connect(parsed)
    with engine.execution_options(**{WRITES: True}).connect() as connection:
        migration.migrate(parsed, connection, revision)
        yield connection
        connection.commit()
    engine.dispose()


def columns(connection: Connection) -> dict[tuple[str, str], tuple[str, bool, bool]]:
    """Return the type of each column, whether it may be empty, and whether rows can be added without naming it."""
    found = inspect(connection)
    return {
        (table, column["name"]): (
            str(column["type"]),
            column["nullable"],
            column["nullable"] or column["default"] is not None or bool(column.get("autoincrement") is True),
        )
        for table in found.get_table_names()
        for column in found.get_columns(table)
    }


def breaks(
    before: dict[tuple[str, str], tuple[str, bool, bool]],
    after: dict[tuple[str, str], tuple[str, bool, bool]],
) -> list[str]:
    """Return what an older program would stumble over."""
    old_tables = {table for table, _ in before}
    return [
        *(f"{'.'.join(name)} is gone" for name in before if name not in after),
        *(f"{'.'.join(name)} is another" for name in before if name in after and before[name] != after[name]),
        *(
            f"{'.'.join(name)} has to be named"
            for name in after
            if name not in before and name[0] in old_tables and not after[name][2]
        ),
    ]


def test_migrations_that_expand_only_add(tmp_path: Path, releases: Releases) -> None:
    releases.be_later(EXPAND)
    url = f"sqlite:///{tmp_path}/steps.db"
    before: dict[tuple[str, str], tuple[str, bool, bool]] = {}
    for step in migration_chain.chain():
        with schema_at(url, step.revision) as connection:
            after = columns(connection)
        if step.kind is MigrationKind.EXPAND:
            assert breaks(before, after) == [], step.revision
        before = after
    assert ("tournament", "motto") in before


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("ALTER TABLE tournament DROP COLUMN owner", "tournament.owner is gone"),
        ("ALTER TABLE tournament RENAME COLUMN owner TO creator", "tournament.owner is gone"),
        ("ALTER TABLE tournament ADD COLUMN motto VARCHAR(64) NOT NULL", "tournament.motto has to be named"),
        ("DROP TABLE meta", "meta.key is gone"),
    ],
)
def test_what_older_programs_would_stumble_over_is_found(
    tmp_path: Path, releases: Releases, statement: str, broken: str
) -> None:
    url = f"sqlite:///{tmp_path}/steps.db"
    with schema_at(url, OURS) as connection:
        before = columns(connection)
        connection.execute(text("DROP INDEX IF EXISTS ix_tournament_owner"))
        connection.execute(text(statement))
        assert broken in breaks(before, columns(connection))
