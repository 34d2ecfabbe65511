"""Public status of the arena: which parts run, what waits, how fast it goes, and what is wrong.

It names no machine, address or version.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeVar

from pydantic import Field
from redis.exceptions import RedisError
from sqlalchemy import func, select

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import tournament_states, trial_kinds
from arena.core.answer_fields import UtcTime
from arena.messaging import part_presence, presence, queue_status, redis_refusals
from arena.messaging.job_queue import BLOCKS, CHANCES
from arena.operations import last_backup, match_pace, worker_status
from arena.operations.match_pace import MatchPace
from arena.storage import Store
from arena.storage.schema import Tournament, Trial, Version

if TYPE_CHECKING:
    from redis import Redis

    from arena.messaging.queue_status import QueueRow

DAYS = 7
"""Days whose verdicts count for the times from upload to verdict."""
DAY_S = 86_400
MAX_VERDICTS = 1000
"""The newest verdicts are enough for a median and a 99th percentile, and bound what is read."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PartCounts:
    """Number of running parts of each kind; null while Redis, the only source, is unavailable or refuses writes."""

    webs: Annotated[int | None, Field(description="Web processes.", examples=[1])]
    workers: Annotated[int | None, Field(description="Workers.", examples=[4])]
    referees: Annotated[int | None, Field(description="Referees.", examples=[1])]


@dataclass(frozen=True, slots=True)
class UploadTimes:
    """Uploads that wait for their verdict, and how long the last ones waited."""

    waiting: Annotated[int, Field(description="Uploads that are waiting for their verdict.", examples=[1])]
    oldest_s: Annotated[
        float | None,
        Field(description="Seconds that the oldest of them has waited; null if none is waiting."),
    ]
    verdicts: Annotated[
        int, Field(description=f"Verdicts of the last {DAYS} days, the newest {MAX_VERDICTS} at most.")
    ]
    median_s: Annotated[
        float | None, Field(description="Median seconds from upload to verdict; null without verdicts.")
    ]
    percentile_99_s: Annotated[
        float | None,
        Field(description="Seconds within which 99 % of uploads had their verdict; null without verdicts."),
    ]


@dataclass(frozen=True, slots=True)
class QueueStatus:
    """The blocks that are still to be played of running tournaments."""

    waiting: Annotated[int, Field(description="Blocks that no worker plays yet.", examples=[12])]
    playing: Annotated[int, Field(description="Blocks that workers play.", examples=[2])]
    resting: Annotated[int, Field(description="Blocks that wait for a bot to connect.", examples=[0])]
    oldest_s: Annotated[
        float | None,
        Field(
            description="Seconds that the oldest job has waited in the queue; null if it is empty or unavailable."
        ),
    ]


@dataclass(frozen=True, slots=True)
class FiguresStatus:
    """The jobs that compute figures of past matches: chances, drama and playing styles."""

    waiting: Annotated[
        int | None, Field(description="Jobs that wait; null while Redis is unavailable.", examples=[2])
    ]
    oldest_s: Annotated[
        float | None,
        Field(description="Seconds that the oldest of them has waited; null if none waits."),
    ]


@dataclass(frozen=True, slots=True)
class StatusFacts:
    """Facts about the arena at one moment."""

    at: UtcTime
    writable: Annotated[bool, Field(description="Whether results can be stored.")]
    redis: Annotated[
        bool, Field(description="Whether Redis answers: it carries live updates and the queue of jobs.")
    ]
    redis_writable: Annotated[
        bool,
        Field(description="Whether Redis takes writes; false, too, if it does not answer."),
    ]
    parts: Annotated[PartCounts, Field(description="The parts that run.")]
    uploads: Annotated[UploadTimes, Field(description="Uploads and their verdicts.")]
    queue: Annotated[QueueStatus, Field(description="Blocks that are still to be played.")]
    figures: Annotated[FiguresStatus, Field(description="Figures of past matches that are computed.")]
    pace: Annotated[MatchPace, Field(description="Matches that ended.")]
    backup_at: Annotated[
        float | None,
        Field(
            description="Time of the last backup by `arena backup create`, in seconds since the epoch, UTC; null if there is none."
        ),
    ]


def read(store: Store, client: Redis, *, writable: bool) -> StatusFacts:
    """Ask the store and Redis; what Redis alone knows is None while it is unavailable."""
    now = time.time()
    backlog = worker_status.backlog(store, OPERATOR)
    queues = _ask(lambda: queue_status.queues(client))
    refusal = _ask(lambda: redis_refusals.find_refusal(client))
    is_writable = queues is not None and refusal == ""
    # Where no part can announce that it runs, the list of parts is out of date.
    running = _ask(lambda: _count(client)) if is_writable else None
    rows = {row.name: row for row in queues or ()}
    return StatusFacts(
        at=now,
        writable=writable and not _ask(lambda: presence.full(client)),
        redis=queues is not None or bool(refusal),
        redis_writable=is_writable,
        parts=running or PartCounts(None, None, None),
        uploads=_uploads(store, now),
        queue=QueueStatus(backlog.free, backlog.held, backlog.resting, _waited_s(rows.get(BLOCKS), now)),
        figures=FiguresStatus(rows[CHANCES].waiting if rows else None, _waited_s(rows.get(CHANCES), now)),
        pace=match_pace.read(store, now),
        backup_at=last_backup.read(store),
    )


def _count(client: Redis) -> PartCounts:
    parts = part_presence.listing(client)
    return PartCounts(
        webs=max(1, sum(part.kind == "web" for part in parts)),  # the one that answers runs
        workers=len(queue_status.workers(client)),
        referees=sum(row.present for row in presence.overview(client)),
    )


def _uploads(store: Store, now: float) -> UploadTimes:
    of_uploads = (
        select(Trial)
        .join(Tournament, Tournament.id == Trial.tournament_id)
        .join(Version, Version.id == Trial.version_id)
        .where(Trial.kind == trial_kinds.QUALIFICATION, Version.source == bots.HOSTED)
    )
    waiting = of_uploads.with_only_columns(func.count(), func.min(Trial.created_at)).where(
        Tournament.state.in_((tournament_states.RUNNING, tournament_states.PAUSED))
    )
    over = (
        of_uploads.with_only_columns(Trial.created_at, Tournament.finished_at)
        .where(Tournament.state == tournament_states.FINISHED)
        .order_by(Trial.tournament_id.desc())
        .limit(MAX_VERDICTS)
    )
    with store.read() as session:
        count, oldest = session.execute(waiting).one()
        found = session.execute(over).all()
    took = sorted(
        max(0.0, finished_at - created_at)
        for created_at, finished_at in found
        if finished_at is not None and finished_at > now - DAYS * DAY_S
    )
    return UploadTimes(
        waiting=count,
        oldest_s=None if oldest is None else max(0.0, now - oldest),
        verdicts=len(took),
        median_s=percentile(took, 50),
        percentile_99_s=percentile(took, 99),
    )


def percentile(ordered: list[float], percent: int) -> float | None:
    """Return the smallest of some ordered values that at least `percent` % of them do not exceed; None if there are none."""
    return ordered[-(-len(ordered) * percent // 100) - 1] if ordered else None


def _waited_s(row: QueueRow | None, now: float) -> float | None:
    return None if row is None or row.oldest_at is None else max(0.0, now - row.oldest_at)


def _ask(read: Callable[[], T]) -> T | None:
    try:
        return read()
    except (RedisError, OSError):
        return None
