"""Copies a store from SQLite into an empty database of PostgreSQL, quickly: COPY, without a look at the foreign keys."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, Integer, LargeBinary, Table, text

from arena.storage import upgrade
from arena.storage.engine import connect, parse
from arena.storage.schema import Base

_AT_ONCE = 5_000


def copy(source: Path, url: str) -> None:
    """Fill a new database with all rows of a file of this version's schema."""
    upgrade(url)
    engine = connect(parse(url), unlimited=True)
    with sqlite3.connect(source) as reading, engine.begin() as writing:
        writing.execute(text("SET LOCAL session_replication_role = replica"))
        cursor = writing.connection.cursor()
        for table in Base.metadata.sorted_tables:
            columns = ", ".join(f'"{column.name}"' for column in table.columns)
            cursor.execute(f'TRUNCATE "{table.name}" CASCADE')
            rows = reading.execute(f'SELECT {columns} FROM "{table.name}"')  # noqa: S608 - names of our own schema
            with cursor.copy(f'COPY "{table.name}" ({columns}) FROM STDIN') as target:
                while some := rows.fetchmany(_AT_ONCE):
                    target.write("".join(_line(table, row) for row in some))
            if isinstance(getattr(table.columns.get("id"), "type", None), Integer):
                _go_on_counting(cursor, table)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE"))
    engine.dispose()


def _line(table: Table, row: tuple[object, ...]) -> str:
    return (
        "\t".join(_field(column.type, value) for column, value in zip(table.columns, row, strict=True)) + "\n"
    )


def _field(kind: object, value: object) -> str:
    """Write a value as COPY's text format has it."""
    if value is None:
        return r"\N"
    if isinstance(kind, LargeBinary):
        assert isinstance(value, bytes)
        return rf"\\x{value.hex()}"
    if isinstance(kind, Boolean):
        return "t" if value else "f"
    if isinstance(value, str):
        return value.replace("\\", r"\\").replace("\t", r"\t").replace("\n", r"\n").replace("\r", r"\r")
    return repr(value)


def _go_on_counting(cursor: Any, table: Table) -> None:  # noqa: ANN401 - of psycopg, by way of SQLAlchemy
    """Have the next row get the next number."""
    cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", (f'"{table.name}"',))
    (sequence,) = cursor.fetchone()
    if sequence is not None:
        query = f'SELECT setval(%s, coalesce(max(id), 0) + 1, false) FROM "{table.name}"'  # noqa: S608 - see above
        cursor.execute(query, (sequence,))
