"""Where bots reach the arena, and whether one of somebody's own is there now, as the registrars say in Redis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from redis.exceptions import RedisError

from arena.messaging import presence

if TYPE_CHECKING:
    from redis import Redis

    from arena.reports.author_overview import Reached


@dataclass(frozen=True, slots=True)
class Connection:
    """How a bot is connected: `present` is None where that cannot be known, `declared` the version that it says it is.

    `address` is that of an endpoint; `referees` are the addresses of the bots' ports.
    """

    token_id: str | None
    token_created_at: float | None
    address: str | None
    present: bool | None
    declared: str | None
    referees: tuple[str, ...]


def connection(queue: Redis, reached: Reached) -> Connection:
    """Look how a bot is connected; one that the arena dials or starts is never present by itself."""
    present: bool | None = None
    declared: str | None = None
    referees: tuple[str, ...] = ()
    if reached.address is None and not reached.uploaded:
        try:
            found = presence.present(queue).get(reached.token_id or "")
            referees = tuple(sorted(set(presence.addresses(queue).values())))
            present, declared = found is not None, None if found is None else found.version
        except (RedisError, OSError):
            pass  # it stays unknown
    return Connection(
        reached.token_id, reached.token_created_at, reached.address, present, declared, referees
    )
