"""What admins look at that is put together from several reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from arena.core.answer_fields import NextCursor
from arena.messaging.queue_status import FailedJob, QueueRow, WorkerRow
from arena.operations.worker_status import Backlog, LeasedBlock
from arena.reports.fault_reports import FaultRow, FaultTally


@dataclass(frozen=True, slots=True)
class Queues:
    """What is in the queue, and what has failed."""

    queues: Annotated[tuple[QueueRow, ...], Field(description="Every queue.")]
    backlog: Annotated[
        Backlog, Field(description="What the store says is to be played: it alone is the truth.")
    ]
    failed: Annotated[
        tuple[FailedJob, ...], Field(description="The jobs that failed in the last hour, the newest first.")
    ]


@dataclass(frozen=True, slots=True)
class BusyWorker(WorkerRow):
    """A worker that lives."""

    blocks: Annotated[tuple[LeasedBlock, ...], Field(description="The blocks that it plays.")]


@dataclass(frozen=True, slots=True)
class Workers:
    """Who works."""

    workers: Annotated[
        tuple[BusyWorker, ...],
        Field(description="Those that have shown a sign of life in the last ten seconds."),
    ]
    lost: Annotated[
        tuple[LeasedBlock, ...],
        Field(description="Blocks whose worker shows none: they are free again when its lease is over."),
    ]


@dataclass(frozen=True, slots=True)
class Faults:
    """The newest faults, and whose they are."""

    faults: Annotated[tuple[FaultRow, ...], Field(description="The newest first.")]
    tally: Annotated[tuple[FaultTally, ...], Field(description="Who was at fault most often, first.")]
    next: NextCursor


@dataclass(frozen=True, slots=True)
class SignedOut:
    """A user who was signed out everywhere."""

    name: Annotated[str, Field(description="The user.", examples=["ada"])]
    sessions: Annotated[int, Field(description="In how many browsers they were signed in.", examples=[2])]
