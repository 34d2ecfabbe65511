"""A PostgreSQL that allows fewer connections than the parts that run may need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import text

from arena.core.translatable import mark, say
from arena.messaging.part_presence import RunningPart
from arena.storage import Store

SPARE = 10
"""Connections that a process opens beyond those that it keeps, and that commands of the operator need."""
_MORE = 1.4
"""Factor by which the advised number exceeds the needed one, as room for more parts."""

TOO_FEW = mark(
    "PostgreSQL allows {usable} connections, and the webs and workers that run ({parts}) may need {needed}: set max_connections = {enough} and restart it"
)
TOO_FEW_OF_ROLE = mark(
    "PostgreSQL allows the user {role} or its database {usable} connections, and the webs and workers that run ({parts}) may need {needed}: raise its CONNECTION LIMIT to {enough}"
)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Connections that PostgreSQL allows: in all, without those reserved for administrators, and those of our user."""

    most: int
    reserved: int
    role: str
    most_of_role: int | None

    @property
    def usable(self) -> int:
        """Return how many the arena can have."""
        free = self.most - self.reserved
        return free if self.most_of_role is None else min(free, self.most_of_role)


_QUERY = text("""
    SELECT current_setting('max_connections')::int,
           current_setting('superuser_reserved_connections')::int
             + coalesce(current_setting('reserved_connections', true)::int, 0),
           current_user::text,
           (SELECT min(most) FROM (
              SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user
              UNION ALL SELECT datconnlimit FROM pg_database WHERE datname = current_database()
            ) AS limits (most) WHERE most >= 0)
""")


def read_limits(store: Store) -> ConnectionLimits | None:
    """Ask PostgreSQL; None for SQLite, which has no such limit.  Raises SQLAlchemyError."""
    if store.dialect != "postgresql":
        return None
    with store.read() as session:
        return ConnectionLimits(*session.execute(_QUERY).one())


def check_limits(limits: ConnectionLimits | None, parts: Sequence[RunningPart]) -> Iterator[str]:
    """Yield a warning if the connections that the parts keep, and some to spare, are more than there are."""
    needed = sum(part.connections for part in parts) + SPARE
    if limits is None or limits.usable >= needed:
        return
    enough = -(-round(needed * _MORE) // 10) * 10
    values = {"usable": limits.usable, "parts": len(parts), "needed": needed, "enough": enough}
    if limits.most_of_role is not None and limits.usable == limits.most_of_role:
        yield say(TOO_FEW_OF_ROLE, role=limits.role, **values)
    else:
        yield say(TOO_FEW, **values)
