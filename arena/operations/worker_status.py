"""What the workers do just now, and how much was played lately: from the store, which alone knows."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import Integer, and_, case, cast, func, or_, select

from arena.accounts.actors import Actor
from arena.storage import Store
from arena.storage.database_clock import database_time
from arena.storage.schema import Block, MatchResult, Tournament

MINUTE_S = 60
MINUTES = 60
"""The throughput is told minute by minute for the last hour."""


@dataclass(frozen=True, slots=True)
class LeasedBlock:
    """A block that a worker plays: its sets, how many of its matches have a result, and of how many."""

    worker: str
    tournament_id: int
    tournament: str
    game: str
    block: int
    first_set: int
    sets: int
    done: int
    matches: int
    lease_until: float


@dataclass(frozen=True, slots=True)
class Backlog:
    """The blocks of tournaments that run: free ones, those that workers hold, and those that rest until a bot is there."""

    free: int
    held: int
    resting: int


@dataclass(frozen=True, slots=True)
class MatchesPerMinute:
    """A minute: how many matches ended in it, and how many of these by a fault.  `at` is its begin, seconds since the epoch, UTC."""

    at: float
    matches: int
    faults: int


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
