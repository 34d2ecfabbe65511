"""The warnings that hold now, of all parts, for admins."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from arena.messaging import part_presence, presence
from arena.operations.start_checks.warning_texts import recall_warning

if TYPE_CHECKING:
    from redis import Redis

    from arena.accounts.actors import Actor


@dataclass(frozen=True, slots=True)
class SetupWarning:
    """Something that is wrong with how the arena was set up."""

    message: Annotated[
        str,
        Field(
            description="Problem and remedy, in English.",
            examples=["ARENA_DATABSE_URL: unknown setting, ignored; did you mean ARENA_DATABASE_URL?"],
        ),
    ]
    parts: Annotated[
        tuple[str, ...],
        Field(description="The parts that say so, by kind and name.", examples=[["web/arena-1-4711"]]),
    ]


def listing(client: Redis, actor: Actor) -> tuple[SetupWarning, ...]:
    """List the warnings that any part announces.  Raises Refusal; RedisError and OSError while Redis is away."""
    actor.require("admin")
    found: defaultdict[str, list[str]] = defaultdict(list)
    for part in part_presence.listing(client):
        for words in part.warnings:
            found[words].append(part.id)
    for referee, warnings in presence.warnings(client).items():
        for words in warnings:
            found[words].append(f"referee/{referee}")
    return tuple(SetupWarning(recall_warning(words), tuple(parts)) for words, parts in found.items())
