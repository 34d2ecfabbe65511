"""Headline of the status page: whether all is well, and if not, what is wrong in one sentence each.  Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from arena.core.translatable import say

if TYPE_CHECKING:
    from arena.operations.public_status import StatusFacts

SLOW_UPLOAD_S = 120
"""A qualification takes some seconds; an upload that waits longer than this is worth a word."""
LATE_FIGURES_S = 180
"""Chances take some seconds to compute; workers that play give figures a fifth of their time, so a short queue moves on."""
STALLED_S = 600
"""Seconds that the oldest job of a queue may have waited while no match ended, before the queue counts as stalled."""

State = Literal["ok", "slow", "down"]


@dataclass(frozen=True, slots=True)
class StatusProblem:
    """Something that is wrong with the arena."""

    code: Annotated[str, Field(description="Stable, for programs.", examples=["slow_uploads"])]
    message: Annotated[
        str,
        Field(
            description="Problem, in English.",
            examples=["Qualifying is slow: the oldest upload has waited 4 min"],
        ),
    ]


@dataclass(frozen=True, slots=True)
class Headline:
    """`ok`: all is well; `slow`: everything works, but late; `down`: something does not work."""

    state: State
    problems: tuple[StatusProblem, ...]


def judge(facts: StatusFacts) -> Headline:
    """Return the state of the arena, and its problems, the worst first."""
    down, slow = tuple(_failures(facts)), tuple(_delays(facts))
    return Headline("down" if down else "slow" if slow else "ok", down + slow)


def _failures(facts: StatusFacts) -> Iterator[StatusProblem]:
    if not facts.writable:
        yield StatusProblem(
            "not_writable", say("No match can be played to its end: results cannot be stored right now")
        )
    if not facts.redis:
        yield StatusProblem(
            "redis_unavailable",
            say("Redis does not answer: pages are not live, and no one can sign in with a password"),
        )
    elif not facts.redis_writable:
        yield StatusProblem(
            "redis_refuses_writes",
            say("Redis refuses writes: pages are not live, and no one can sign in with a password"),
        )
    if facts.parts.workers == 0:
        yield StatusProblem("no_workers", say("No matches are being played: no worker is running"))
    if facts.parts.referees == 0:
        yield StatusProblem("no_referees", say("No matches are being played: no referee is running"))


def _delays(facts: StatusFacts) -> Iterator[StatusProblem]:
    upload_s, job_s = facts.uploads.oldest_s, facts.queue.oldest_s
    if upload_s is not None and upload_s > SLOW_UPLOAD_S:
        yield StatusProblem(
            "slow_uploads",
            say(
                "Qualifying is slow: the oldest upload has waited {minutes} min",
                minutes=round(upload_s / 60),
            ),
        )
    figure_s = facts.figures.oldest_s
    if figure_s is not None and figure_s > LATE_FIGURES_S:
        yield StatusProblem(
            "late_figures",
            say(
                "Chances, drama and playing styles are late: the oldest has waited {minutes} min",
                minutes=round(figure_s / 60),
            ),
        )
    if job_s is not None and job_s > STALLED_S and facts.queue.waiting and not facts.pace.per_minute:
        yield StatusProblem(
            "stalled",
            say(
                "Matches are delayed: blocks have waited {minutes} min, and no match has ended lately",
                minutes=round(job_s / 60),
            ),
        )
