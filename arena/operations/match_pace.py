"""Pace of play: how many matches end, now and over the last hours, in steps of some minutes.

Steps that are over are counted once and remembered with the store, so that a look always costs the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from sqlalchemy import Integer, cast, func, select

from arena.core.answer_fields import UtcTime
from arena.storage import Store
from arena.storage.schema import MatchResult

STEP_S = 300
STEPS = 36
"""Three hours."""
_OPEN = 2
"""Number of newest steps that are counted again: a result is stored a little after its time is taken."""
_NEVER_PLAYED = ("annulled", "absent")
_KEY = "match-pace"


@dataclass(frozen=True, slots=True)
class MatchStep:
    """Matches that ended in one step of the last hours."""

    at: UtcTime
    matches: Annotated[int, Field(description="Matches that ended.", examples=[250])]


@dataclass(frozen=True, slots=True)
class MatchPace:
    """Number of matches that end per minute."""

    per_minute: Annotated[
        float, Field(description="Matches a minute over the last five minutes.", examples=[48.2])
    ]
    step_s: Annotated[int, Field(description="Seconds of a step.", examples=[STEP_S])]
    steps: Annotated[
        tuple[MatchStep, ...],
        Field(description="The last three hours, the oldest first; the last step is not over."),
    ]


def read(store: Store, now: float) -> MatchPace:
    """Count what ended until a time, in seconds since the epoch."""
    last = int(now) // STEP_S
    counted = _count_since(store, last - STEPS + 1, last)
    query = select(func.count()).where(
        MatchResult.stored_at > now - STEP_S, MatchResult.end.not_in(_NEVER_PLAYED)
    )
    with store.read() as session:
        lately = session.scalar(query) or 0
    return MatchPace(
        per_minute=round(60 * lately / STEP_S, 1),
        step_s=STEP_S,
        steps=tuple(
            MatchStep(float(number * STEP_S), counted.get(number, 0))
            for number in range(last - STEPS + 1, last + 1)
        ),
    )


def _count_since(store: Store, first: int, last: int) -> Mapping[int, int]:
    """Count by step; those that are over are read only if they are not remembered."""
    remembered = store.cache.find(_KEY)
    known: Mapping[int, int] = {} if remembered is None else remembered.value
    unknown = next(
        (number for number in range(first, last - _OPEN + 1) if number not in known), last - _OPEN + 1
    )
    step = cast(func.floor(MatchResult.stored_at / STEP_S), Integer)
    query = (
        select(step, func.count())
        .where(MatchResult.stored_at >= unknown * STEP_S, MatchResult.end.not_in(_NEVER_PLAYED))
        .group_by(step)
    )
    with store.read() as session:
        found = dict(iter(session.execute(query)))
    counted = {
        number: found.get(number, 0) if number >= unknown else known[number]
        for number in range(first, last + 1)
    }
    store.cache.put(_KEY, last, {number: counted[number] for number in range(first, last - _OPEN + 1)})
    return counted
