"""The API's model of the status, and how it comes about: read once in some seconds, however many ask."""

from __future__ import annotations

import time
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from arena.operations import public_status
from arena.operations.public_status import StatusFacts
from arena.operations.status_headline import State, StatusProblem, judge

if TYPE_CHECKING:
    from redis import Redis

    from arena.operations.write_probe import Probe
    from arena.storage import Store

KEPT_S = 5
"""Seconds for which a status is kept."""


@dataclass(frozen=True, slots=True)
class Status(StatusFacts):
    """The public status of the arena."""

    state: Annotated[
        State,
        Field(description="`ok`; `slow`: everything works, but late; `down`: something does not work."),
    ]
    problems: Annotated[
        tuple[StatusProblem, ...], Field(description="What is wrong, the worst first; empty if nothing is.")
    ]


def read(store: Store, queue: Redis, probe: Probe) -> Status:
    """Return the status, some seconds old at most."""
    moment = int(time.monotonic() / KEPT_S)
    return store.cache.get("status", moment, lambda: _read(store, queue, probe))


def _read(store: Store, queue: Redis, probe: Probe) -> Status:
    facts = public_status.read(store, queue, writable=probe.verdict(wait_s=0).writable)
    headline = judge(facts)
    known = {field.name: getattr(facts, field.name) for field in fields(facts)}
    return Status(**known, state=headline.state, problems=headline.problems)
