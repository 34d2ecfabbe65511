"""State of the workers, and how much was played lately: from the store, their only source."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from sqlalchemy import Integer, and_, case, cast, func, or_, select

from arena.accounts.actors import Actor
from arena.core.answer_fields import GameId
from arena.storage import Store
from arena.storage.database_clock import database_time
from arena.storage.schema import Block, MatchResult, Tournament

MINUTE_S = 60
MINUTES = 60
"""Minutes of throughput that are shown, the last hour."""


@dataclass(frozen=True, slots=True)
class LeasedBlock:
    """A block that a worker plays."""

    worker: Annotated[str, Field("", exclude=True)]
    tournament_id: Annotated[int, Field(description="Its tournament.", examples=[7])]
    tournament: Annotated[str, Field(description="The tournament's name.", examples=["Spring Cup"])]
    game: GameId
    block: Annotated[int, Field(description="Its number, from 0.", examples=[3])]
    first_set: Annotated[int, Field(description="Its first set, from 0.", examples=[12])]
    sets: Annotated[int, Field(description="Number of its sets.", examples=[4])]
    done: Annotated[int, Field(description="Matches with a result.", examples=[5])]
    matches: Annotated[int, Field(description="Matches in all.", examples=[8])]
    lease_until: Annotated[
        float,
        Field(
            description="Until when the worker holds it, if it says nothing more. Seconds since the epoch, UTC."
        ),
    ]


@dataclass(frozen=True, slots=True)
class Backlog:
    """The blocks that are still to be played of tournaments that run."""

    free: Annotated[int, Field(description="Nobody plays them yet.", examples=[12])]
    held: Annotated[int, Field(description="Workers play them.", examples=[2])]
    resting: Annotated[int, Field(description="They rest until a bot is there.", examples=[0])]


@dataclass(frozen=True, slots=True)
class MatchesPerMinute:
    """Matches that ended in a minute."""

    at: Annotated[float, Field(description="Its begin. Seconds since the epoch, UTC.")]
    matches: Annotated[int, Field(description="Matches that ended.", examples=[250])]
    faults: Annotated[int, Field(description="Number of these that ended by a fault.", examples=[1])]


def leased_blocks(store: Store, actor: Actor) -> tuple[LeasedBlock, ...]:
    """List the blocks that workers hold, by worker.  Raises Refusal."""
    actor.require("admin")
    done = (
        select(func.count())
        .select_from(MatchResult)
        .where(
            MatchResult.tournament_id == Block.tournament_id,
            MatchResult.set_number >= Block.first_set,
            MatchResult.set_number < Block.first_set + Block.sets,
        )
        .scalar_subquery()
    )
    query = (
        select(Block, Tournament.name, Tournament.game, Tournament.seats, done)
        .join(Tournament, Tournament.id == Block.tournament_id)
        .where(Block.done.is_(False), Block.worker.is_not(None), Block.lease_until > database_time())
        .order_by(Block.worker, Block.tournament_id, Block.number)
    )
    with store.read() as session:
        return tuple(
            LeasedBlock(
                worker=block.worker or "",
                tournament_id=block.tournament_id,
                tournament=name,
                game=game,
                block=block.number,
                first_set=block.first_set,
                sets=block.sets,
                done=played,
                matches=block.sets * seats,
                lease_until=block.lease_until or 0.0,
            )
            for block, name, game, seats, played in session.execute(query)
        )


def backlog(store: Store, actor: Actor) -> Backlog:
    """Count the blocks that are still to be played of what runs.  Raises Refusal."""
    actor.require("admin")
    is_held = and_(Block.worker.is_not(None), Block.lease_until > database_time())
    rests = and_(Block.worker.is_(None), Block.lease_until > database_time())
    query = (
        select(
            func.sum(case((or_(is_held, rests), 0), else_=1)),
            func.sum(case((is_held, 1), else_=0)),
            func.sum(case((rests, 1), else_=0)),
        )
        .join(Tournament, Tournament.id == Block.tournament_id)
        .where(Block.done.is_(False), Tournament.state == "running")
    )
    with store.read() as session:
        free, by_workers, resting = session.execute(query).one()
    return Backlog(free or 0, by_workers or 0, resting or 0)


def throughput(store: Store, actor: Actor) -> tuple[MatchesPerMinute, ...]:
    """Return the number of matches that ended by minute over the last hour, the oldest first.  Raises Refusal."""
    actor.require("admin")
    last = int(time.time()) // MINUTE_S
    first = last - MINUTES + 1
    minute = cast(func.floor(MatchResult.stored_at / MINUTE_S), Integer)
    query = (
        select(minute, func.count(), func.sum(case((MatchResult.end == "fault", 1), else_=0)))
        .where(MatchResult.stored_at >= first * MINUTE_S)
        .group_by(minute)
    )
    with store.read() as session:
        counted = {number: (matches, faults) for number, matches, faults in session.execute(query)}
    return tuple(
        MatchesPerMinute(float(number * MINUTE_S), *counted.get(number, (0, 0)))
        for number in range(first, last + 1)
    )
