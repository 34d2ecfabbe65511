"""Sizes of the tables of a store."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select, text
from sqlalchemy.exc import OperationalError

from arena.storage.schema import Base
from arena.storage.store import Store


@dataclass(frozen=True, slots=True)
class TableSize:
    """Size of a table; `size_bytes`, with its indexes, is None if the database does not provide it."""

    table: str
    rows: int
    size_bytes: int | None


def table_sizes(store: Store) -> tuple[TableSize, ...]:
    """Return the size of each table, the largest first.  It reads the whole store, so it takes a while with a large one."""
    with store.read() as session:
        connection = session.connection()
        taken = _sqlite(connection) if store.dialect == "sqlite" else _postgresql(connection)
        sizes = [
            TableSize(
                name,
                connection.execute(select(func.count()).select_from(table)).scalar_one(),
                None if taken is None else taken.get(name, 0),
            )
            for name, table in Base.metadata.tables.items()
        ]
    return tuple(sorted(sizes, key=lambda size: (-(size.size_bytes or 0), -size.rows, size.table)))


def _sqlite(connection: Connection) -> dict[str, int] | None:
    """Return bytes by table from SQLite's dbstat; None where SQLite was built without it."""
    query = """
        SELECT schema.tbl_name, sum(stat.pgsize)
        FROM dbstat AS stat JOIN sqlite_schema AS schema ON schema.name = stat.name
        GROUP BY 1
    """
    try:
        return {row[0]: row[1] for row in connection.execute(text(query))}
    except OperationalError:
        return None


def _postgresql(connection: Connection) -> dict[str, int]:
    """Return bytes by table, with indexes and what is stored out of line."""
    query = "SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables"
    return {row[0]: row[1] for row in connection.execute(text(query))}
