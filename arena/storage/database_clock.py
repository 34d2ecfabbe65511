"""The database's clock: the one by which processes on all machines judge leases and other shared deadlines."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Double, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Session
from sqlalchemy.sql.functions import FunctionElement


class database_time(FunctionElement[float]):  # noqa: N801 - it is used as a function
    """The time at which a statement runs, in seconds since the epoch; of SQLite, that of this machine."""

    type = Double()
    inherit_cache = True


def read_time(session: Session) -> float:
    """Return the time now, after all that this transaction has waited for."""
    return session.scalars(select(database_time())).one()


@compiles(database_time, "postgresql")
def _postgresql(_element: database_time, _compiler: Any, **_more: Any) -> str:  # noqa: ANN401 - SQLAlchemy's own
    # Not now(), which is when the transaction began: that may have waited for a lock since.
    return "CAST(extract(epoch FROM clock_timestamp()) AS double precision)"


@compiles(database_time, "sqlite")
def _sqlite(_element: database_time, _compiler: Any, **_more: Any) -> str:  # noqa: ANN401
    return "((julianday('now') - 2440587.5) * 86400.0)"
