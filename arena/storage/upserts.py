"""Statements of the hot path: inserts, INSERT … ON CONFLICT, a counter; written by SQLAlchemy once, then sent as text.

Every result of every match goes through these; building and binding a statement each time costs several times what
the database does with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias, cast

from sqlalchemy import Connection, CursorResult, Table, bindparam, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import psycopg
from sqlalchemy.dialects.sqlite import pysqlite
from sqlalchemy.sql.dml import UpdateBase

from arena.storage.schema import Base

Row: TypeAlias = Mapping[str, object]
_DIALECTS = {"sqlite": pysqlite.dialect(), "postgresql": psycopg.dialect()}  # type: ignore[no-untyped-call]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as its driver takes it; `positions` names the parameters of a driver that takes them in order."""

    sql: str
    positions: tuple[str, ...] | None

    def run(self, connection: Connection, row: Row) -> CursorResult[Any]:
        """Run it with one row of parameters."""
        return connection.exec_driver_sql(self.sql, self._parameters(row))

    def run_all(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Run it with each of these rows; with none it does nothing."""
        if rows:
            connection.exec_driver_sql(self.sql, [self._parameters(row) for row in rows])

    def _parameters(self, row: Row) -> Any:  # noqa: ANN401 - a tuple or a dictionary, as the driver wants it
        return dict(row) if self.positions is None else tuple(row[name] for name in self.positions)


@lru_cache
def insert(dialect: str, table: type[Base]) -> Statement:
    """Insert rows: all columns."""
    return _written(dialect, _insert(dialect, table), tuple(column.name for column in _table(table).c))


@lru_cache
def insert_new(dialect: str, table: type[Base], key: tuple[str, ...]) -> Statement:
    """Insert a row, all columns but `id`, unless one with its key is there; gives the new row's id, or no row."""
    columns = tuple(column.name for column in _table(table).c if column.name != "id")
    statement = _insert(dialect, table).on_conflict_do_nothing(index_elements=key)
    return _written(dialect, statement.returning(_table(table).c.id), columns)


@lru_cache
def insert_missing(dialect: str, table: type[Base], key: tuple[str, ...]) -> Statement:
    """Insert rows, all columns, leaving out those whose key is there."""
    statement = _insert(dialect, table).on_conflict_do_nothing(index_elements=key)
    return _written(dialect, statement, tuple(column.name for column in _table(table).c))


@lru_cache
def add_up(
    dialect: str,
    table: type[Base],
    key: tuple[str, ...],
    sums: tuple[str, ...],
    beside: tuple[str, ...] = (),
) -> Statement:
    """Insert a row, or add its sums to those of the row with its key; the columns `beside` stay as they are there."""
    statement = _insert(dialect, table)
    added = {name: _table(table).c[name] + statement.excluded[name] for name in sums}
    return _written(
        dialect, statement.on_conflict_do_update(index_elements=key, set_=added), (*key, *sums, *beside)
    )


@lru_cache
def put(dialect: str, table: type[Base], key: tuple[str, ...]) -> Statement:
    """Insert a row, all columns, or give the row with its key the new values."""
    statement = _insert(dialect, table)
    columns = tuple(column.name for column in _table(table).c)
    values = {name: statement.excluded[name] for name in columns if name not in key}
    return _written(dialect, statement.on_conflict_do_update(index_elements=key, set_=values), columns)


@lru_cache
def count_up(dialect: str, table: type[Base], counter: str, beside: tuple[str, ...]) -> Statement:
    """Add `count` to a counter of the row with the parameter `row_id`; return the new counter, and other columns."""
    columns = _table(table).c
    statement = (
        update(_table(table))
        .where(columns.id == bindparam("row_id"))
        .values({counter: columns[counter] + bindparam("count")})
        .returning(columns[counter], *(columns[name] for name in beside))
    )
    return _written(dialect, statement, None)


def _written(dialect: str, statement: UpdateBase, columns: tuple[str, ...] | None) -> Statement:
    compiled = statement.compile(
        dialect=_DIALECTS[dialect], column_keys=None if columns is None else list(columns)
    )
    return Statement(str(compiled), None if compiled.positiontup is None else tuple(compiled.positiontup))


def _insert(dialect: str, table: type[Base]) -> sqlite.Insert | postgresql.Insert:
    return sqlite.insert(_table(table)) if dialect == "sqlite" else postgresql.insert(_table(table))


def _table(table: type[Base]) -> Table:
    return cast("Table", table.__table__)
