"""Readings of the whole arena for monitoring: its backlog and waiting uploads, from store and queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import case, func, select

from arena.bot_registry import version_states
from arena.messaging import queue_status, redis_refusals
from arena.operations import last_backup
from arena.storage.database_clock import read_time
from arena.storage.schema import Block, Pool, Tournament, Trial, Version

if TYPE_CHECKING:
    from redis import Redis

    from arena.messaging.queue_status import QueueRow
    from arena.storage import Store


MAX_TOURNAMENTS = 50
"""Tournaments with metrics of their own, at most: each adds series to Prometheus for good."""


@dataclass(frozen=True, slots=True)
class TournamentProgress:
    """Progress of a tournament."""

    tournament: int
    game: str
    stored: int
    left: int


@dataclass(frozen=True, slots=True)
class StoreReading:
    """Reading of the store."""

    free_blocks: int
    held_blocks: int
    resting_blocks: int
    running_tournaments: int
    waiting_uploads: int
    oldest_upload_age_s: float
    """Seconds that the oldest waiting upload has waited for its qualification; 0 if none waits."""
    ratings_age_s: dict[tuple[str, str], float]
    """By game and variant: how old the Elo table is."""
    backup_age_s: float | None
    """None if there was no backup."""
    progress: tuple[TournamentProgress, ...]
    """The newest tournaments that run, `MAX_TOURNAMENTS` at most; no trials."""


@dataclass(frozen=True, slots=True)
class RedisReading:
    """Reading of Redis."""

    queues: tuple[QueueRow, ...]
    writable: bool
    """Whether it takes writes."""


def read_store(store: Store) -> StoreReading:
    """Read the store.  Raises SQLAlchemyError."""
    backup_at = last_backup.read(store)
    with store.read() as session:
        now = read_time(session)
        leased = Block.lease_until > now
        held = Block.worker.is_not(None) & leased
        rests = Block.worker.is_(None) & leased
        counts = (
            select(
                func.sum(case((held | rests, 0), else_=1)),
                func.sum(case((held, 1), else_=0)),
                func.sum(case((rests, 1), else_=0)),
            )
            .join(Tournament, Tournament.id == Block.tournament_id)
            .where(Block.done.is_(False), Tournament.state == "running")
        )
        free, by_workers, resting = session.execute(counts).one()
        running = session.scalar(
            select(func.count()).select_from(Tournament).where(Tournament.state == "running")
        )
        uploads, oldest = session.execute(
            select(func.count(), func.min(Version.created_at)).where(
                Version.state == version_states.WAITING, Version.source == version_states.HOSTED
            )
        ).one()
        tables = session.execute(
            select(Pool.game, Pool.variant, Pool.computed_at).where(Pool.computed_at.is_not(None))
        ).all()
        progress = session.execute(
            select(Tournament.id, Tournament.game, Tournament.matches_done, Tournament.matches_total)
            .where(Tournament.state == "running", Tournament.id.not_in(select(Trial.tournament_id)))
            .order_by(Tournament.id.desc())
            .limit(MAX_TOURNAMENTS)
        ).all()
    return StoreReading(
        free_blocks=free or 0,
        held_blocks=by_workers or 0,
        resting_blocks=resting or 0,
        running_tournaments=running or 0,
        waiting_uploads=uploads,
        oldest_upload_age_s=0.0 if oldest is None else max(0.0, now - oldest),
        ratings_age_s={(game, variant): max(0.0, now - (at or now)) for game, variant, at in tables},
        backup_age_s=None if backup_at is None else max(0.0, now - backup_at),
        progress=tuple(
            TournamentProgress(tournament, game, done, max(0, total - done))
            for tournament, game, done, total in progress
        ),
    )


def read_redis(client: Redis) -> RedisReading:
    """Read the queues, and find out whether Redis takes writes.  Raises RedisError and OSError."""
    return RedisReading(queue_status.queues(client), redis_refusals.find_refusal(client) == "")
