"""How a bot of one's own is connected, and where bots reach the arena, as the workers say in Redis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from redis.exceptions import RedisError

from arena.messaging import presence

if TYPE_CHECKING:
    from redis import Redis

    from arena.reports.author_overview import Reached


@dataclass(frozen=True, slots=True)
class ConnectionStatus:
    """The connection of an author's bot."""

    token_id: Annotated[str | None, Field(description="The public id of a dial-in bot's token.")]
    token_created_at: Annotated[
        float | None, Field(description="When that was made. Seconds since the epoch, UTC.")
    ]
    address: Annotated[str | None, Field(description="Where an endpoint listens.")]
    present: Annotated[
        bool | None,
        Field(
            description="Whether a bot that dials in is there now; null of any other, and where it is not known."
        ),
    ]
    declared: Annotated[str | None, Field(description="The version that it says it is.")]
    referees: Annotated[
        tuple[str, ...], Field(description="The addresses of the bots' ports.", examples=[["[::1]:8001"]])
    ]


def read(client: Redis, reached: Reached) -> ConnectionStatus:
    """Return how a bot is connected; one that the arena dials or starts is never present by itself."""
    present: bool | None = None
    declared: str | None = None
    referees: tuple[str, ...] = ()
    if reached.address is None and not reached.uploaded:
        try:
            found = presence.present(client).get(reached.token_id or "")
            referees = tuple(sorted(set(presence.addresses(client).values())))
            present, declared = found is not None, None if found is None else found.version
        except (RedisError, OSError):
            pass  # it stays unknown
    return ConnectionStatus(
        reached.token_id, reached.token_created_at, reached.address, present, declared, referees
    )
