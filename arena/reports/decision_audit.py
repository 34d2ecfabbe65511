"""The audit of decisions: each one in a tournament's log is made again from the results that there were at its time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from sqlalchemy.orm import Session

from arena.competition import plans
from arena.competition.matches import running_totals
from arena.competition.plans import StoredPlan
from arena.core.errors import UsageError
from arena.scheduling.controller import draw_ladder_round
from arena.scheduling.decisions import (
    Cycles,
    Decision,
    DecisionState,
    End,
    Extend,
    RoundDrawn,
    Withdrawal,
    to_json,
)
from arena.scheduling.formats.adaptive_rounds import SetPairs
from arena.storage import Store

MOST = 300
"""The most decisions of a tournament that the server recomputes for a request: each may take some milliseconds."""


class DecisionMismatch(UsageError):  # noqa: N818 - it reads as a sentence
    """Raised with the first error of an archive: its place, the value there, and the right value."""


@dataclass(frozen=True, slots=True)
class DecisionAudit:
    """Result of recomputing a log of decisions."""

    followed: Annotated[
        int, Field(description="Decisions that were made again and are the same.", examples=[3])
    ]
    own: Annotated[int, Field(description="Decisions that were the organiser's own.", examples=[0])]
    wrong: Annotated[str | None, Field(description="The first that is another; null if all are the same.")]
    untold: Annotated[
        bool,
        Field(
            description="True if the log is too long to recompute here; `arena verify --tournament` does it from the archive."
        ),
    ]


def audit_decisions(
    stored: StoredPlan, decisions: Sequence[Decision], sets: Mapping[int, SetPairs]
) -> tuple[int, int]:
    """Make each decision again; how many follow from the results, and how many are the organiser's own.

    `sets` is what the entries took from each other by the numbers of the sets, those of annulled entries included.
    Raises Wrong with the first decision that is another.
    """
    followed = own = 0
    for number, decision in enumerate(decisions):
        course = DecisionState.of(decisions[:number])
        before = decisions[number - 1] if number else None
        if _is_own(decision, before):
            own += 1
            continue
        followed += 1
        if stored.rules.is_standing:
            _climbed(stored, number, decision, course)
            continue
        steering = stored.controller
        right = steering.decide(course, _played(stored, course, sets)) if number else steering.first()
        if decision != right:
            raise DecisionMismatch(
                f"decisions: {number} is {to_json(decision)}, from the results follows {to_json(right)}"
            )
    return followed, own


def check(store: Store, tournament_id: int) -> DecisionAudit | None:
    """Make the decisions of a tournament again from the store; None until it is over.  Raises NotFound."""
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        if stored.course.over is None:
            return None
        return store.cache.get(
            ("decision audit", tournament_id), stored.revision, lambda: _check(session, stored)
        )


def _check(session: Session, stored: StoredPlan) -> DecisionAudit:
    decisions = plans.decisions_of(session, stored.tournament_id)
    if len(decisions) > MOST:
        return DecisionAudit(0, 0, None, untold=True)
    try:
        followed, own = audit_decisions(stored, decisions, running_totals.played_by_all(session, stored))
    except DecisionMismatch as wrong:
        return DecisionAudit(0, 0, str(wrong), untold=False)
    return DecisionAudit(followed, own, None, untold=False)


def _is_own(decision: Decision, before: Decision | None) -> bool:
    """Return whether a decision is the organiser's own, or follows from one of those and nothing else."""
    if isinstance(decision, Extend | Withdrawal) or (isinstance(decision, End) and decision.cancelled):
        return True
    return isinstance(before, Extend) and decision == Cycles(before.more)


def _climbed(stored: StoredPlan, number: int, decision: Decision, course: DecisionState) -> None:
    """Draw a ladder's round again, from what was known: that came from other tournaments' results, too."""
    if not isinstance(decision, RoundDrawn):
        return
    plan = stored.plan
    apart = stored.terms.apart[: len(decision.known)]
    tables = draw_ladder_round(
        plan.secret, len(course.rounds), decision.known, decision.gone, plan.seats, apart
    )
    if decision.tables != tables:
        raise DecisionMismatch(
            f"decisions: {number} has tables {decision.tables}, drawn from what was known are {tables}"
        )


def _played(stored: StoredPlan, course: DecisionState, sets: Mapping[int, SetPairs]) -> dict[int, SetPairs]:
    """Return what had been played after some decisions: sets planned since are left out, and what was annulled by then."""
    plan = stored.plan
    apart = stored.terms.apart
    had = len(stored.rules.schedule(len(stored.entries), plan.seats, course, plan.secret, apart))
    return {
        number: tuple(
            pair
            for pair in pairs
            if not course.withdrawn.get(pair.low) and not course.withdrawn.get(pair.high)
        )
        for number, pairs in sets.items()
        if number < had
    }
