"""Stores for tests: fresh ones with this version's schema, on SQLite and on a PostgreSQL that the tests start."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

from arena.storage import Store, engine, upgrade
from arena.storage.engine import parse
from arena.storage.schema import Base
from tests.parts import postgres_server

BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]

_SERIAL = ("audit", "bot", "match_result", "pool", "tournament", "user", "version")
_EMPTY = "".join(
    (
        *(f'DELETE FROM "{table.name}";' for table in reversed(Base.metadata.sorted_tables)),  # noqa: S608
        # ALTER SEQUENCE … RESTART would make a new file each time.
        *(f"SELECT setval('{table}_id_seq', 1, false);" for table in _SERIAL),
    )
)


def new_sqlite(file: Path) -> str:
    """Make an empty SQLite store with this version's schema; give its URL."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(_empty_sqlite())
    return f"sqlite:///{file}"


def empty(store: Store) -> None:
    """Take everything out of a store."""
    with store.write() as session:
        for table in reversed(Base.metadata.sorted_tables):
            session.execute(table.delete())


@cache
def _empty_sqlite() -> bytes:
    """Run all migrations, which takes a quarter of a second: once for all tests."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arena.db"
        upgrade(f"sqlite:///{file}")
        return file.read_bytes()


@pytest.fixture(autouse=True, scope="session")
def shared_statements() -> Iterator[None]:
    """Compile each statement once for each kind of database, not for each store: it takes a fifth of these tests' time.

    SQLAlchemy keeps compiled statements with an engine, by its dialect.
    """
    kept: defaultdict[str, LRUCache[Any, Any]] = defaultdict(lambda: LRUCache(10_000))

    def create(*arguments: Any, **options: Any) -> Engine:
        made = create_engine(*arguments, **options)
        made._compiled_cache = kept[made.dialect.name]
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "create_engine", create)
        for dialect in (SQLiteDialect_pysqlite, PGDialect_psycopg):
            patch.setattr(dialect, "__eq__", lambda one, other: type(one) is type(other))
            patch.setattr(dialect, "__hash__", lambda one: hash(type(one)))
        yield


@pytest.fixture(scope="session")
def server() -> Iterator[postgres_server.Server]:
    with postgres_server.running() as running:
        yield running


@pytest.fixture(scope="session")
def postgres_template(server: postgres_server.Server) -> str:
    url = server.new_database()
    upgrade(url)
    return str(make_url(url).database)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty store, for tests that then change what the newest schema is."""
    file = tmp_path_factory.mktemp("template") / "arena.db"
    new_sqlite(file)
    return file


@pytest.fixture(scope="session")
def emptied(server: postgres_server.Server, postgres_template: str) -> Engine:
    """One database for all tests that leave its schema alone: emptying it is quicker than making another."""
    return engine.connect(parse(server.new_database(postgres_template)))


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store."""
    if request.param == "postgres":
        emptied: Engine = request.getfixturevalue("emptied")
        with emptied.begin() as connection:
            connection.exec_driver_sql(_EMPTY)
        return emptied.url.render_as_string()
    return new_sqlite(tmp_path / "arena.db")


@pytest.fixture(params=BOTH)
def own_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new store, whose schema a test may change."""
    if request.param == "postgres":
        running: postgres_server.Server = request.getfixturevalue("server")
        return running.new_database(request.getfixturevalue("postgres_template"))
    return new_sqlite(tmp_path / "arena.db")


@pytest.fixture
def store(request: pytest.FixtureRequest, url: str) -> Iterator[Store]:
    """An empty store.  Connections to PostgreSQL stay for the next one: making two takes longer than many tests."""
    if url.startswith("postgresql"):
        yield Store(request.getfixturevalue("emptied"))
        return
    opened = Store.open(url)
    yield opened
    opened.close()
