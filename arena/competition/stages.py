"""Stages: how a tournament begins, goes on when all that was planned is played, and ends.

    launch ──▶ a decision ──▶ its blocks are played ──▶ the next decision ──▶ … ──▶ over

Each decision is a row that is only added, in the transaction that adds its blocks.  When the next one is due,
`arena.competition.settlement` asks for it.
"""

from __future__ import annotations

import time

from sqlalchemy import delete, exists, func, insert, select
from sqlalchemy.orm import Session

from arena.bot_registry import entry_owners
from arena.competition import plans
from arena.competition.matches import blocks, running_totals
from arena.competition.plans import StoredPlan
from arena.competition.tournament_states import CANCELLED, FINISHED, RUNNING
from arena.core.errors import Refusal
from arena.core.translatable import say
from arena.scheduling.controller import Controller
from arena.scheduling.decisions import Cycles, Decision, DecisionState, End, RoundDrawn, to_json
from arena.scheduling.formats.tournament_format import Format
from arena.scheduling.planning_terms import PLAN_VERSION, Groups
from arena.storage import Store
from arena.storage.schema import Absence, Block, Tournament, Trial
from arena.storage.schema import Decision as DecisionRow

MAX_MATCHES = 1_000_000


def launch(session: Session, tournament: Tournament) -> None:
    """Begin a tournament with the entries that it has.  Raises UsageError if it cannot be played with them."""
    entries = plans.read_entries(session, tournament.id)
    rules = plans.rules_of(tournament)
    tournament.plan_version = PLAN_VERSION
    entry_owners.assign(session, tournament.id, entries)
    terms = plans.terms_of(session, tournament, entries)
    rules.check_entries(len(entries), tournament.seats, terms.apart)
    check_size(rules, len(entries), tournament.seats, groups=terms.apart)
    tournament.inputs = plans.inputs_of(tournament, entries, terms)
    tournament.served = least_served(session)
    tournament.state = RUNNING
    tournament.started_at = time.time()
    steering = Controller(rules, len(entries), tournament.seats, tournament.secret, terms)
    decide(session, tournament, steering.first())


def decide(session: Session, tournament: Tournament, decision: Decision) -> None:
    """Write a decision down, with the blocks of the sets that it plans.  Raises UsageError if they are too many.

    The tournament's row is locked by the caller.
    """
    before = plans.decisions_of(session, tournament.id)
    session.add(
        DecisionRow(
            tournament_id=tournament.id,
            number=tournament.revision,
            data=to_json(decision),
            created_at=time.time(),
        )
    )
    tournament.revision += 1
    if isinstance(decision, Cycles | RoundDrawn):
        _plan(session, tournament, DecisionState.of(before), DecisionState.of((*before, decision)))
    elif isinstance(decision, End):
        _end(session, tournament, CANCELLED if decision.cancelled else FINISHED)
    session.flush()


def check_size(rules: Format, entries: int, seats: int, more: int = 0, groups: Groups = ()) -> None:
    """Check that a tournament that goes on by itself never comes to more matches than are possible.  Raises Refusal."""
    if rules.is_standing or not (rules.adapts or rules.stop):
        return  # a ladder's epochs end by the clock; all of a plain design is planned at once, and counted then
    matches = rules.most_sets(entries, seats, more, groups) * seats
    if matches > MAX_MATCHES:
        field = "more" if more else rules.size_parameter
        value = more or (rules.cycles if field == "cycles" else rules.given.get(field))
        raise Refusal(
            f"{field}_invalid",
            say(
                "{field} {value}: up to {matches} matches; at most {most_matches} are possible",
                field=field,
                value=value,
                matches=matches,
                most_matches=MAX_MATCHES,
            ),
            field=field,
        )


def next_decision(session: Session, stored: StoredPlan) -> Decision:
    """Decide what comes next, from what is stored."""
    looks = stored.rules.adapts or stored.rules.stop is not None
    return stored.controller.decide(stored.course, running_totals.played(session, stored) if looks else {})


def due(store: Store) -> tuple[int, ...]:
    """Name the tournaments for which something is to be decided."""
    query = select(Tournament.id).where(
        Tournament.state == RUNNING,
        Tournament.ladder_id.is_(None),
        Tournament.matches_done == Tournament.matches_total,
    )
    with store.read() as session:
        return tuple(session.scalars(query.order_by(Tournament.id)))


def is_due(tournament: Tournament) -> bool:
    """Return whether all that was planned of a tournament is played, and it runs; a ladder has a pace of its own."""
    return (
        tournament.state == RUNNING
        and tournament.ladder_id is None
        and tournament.matches_done >= tournament.matches_total
    )


def least_served(session: Session) -> float:
    """Return the least service of the running tournaments: one that begins or resumes starts level with it."""
    is_trial = exists().where(Trial.tournament_id == Tournament.id)  # they have turns of their own
    served = select(func.min(Tournament.served)).where(Tournament.state == RUNNING, ~is_trial)
    return session.scalar(served) or 0.0


def _plan(session: Session, tournament: Tournament, before: DecisionState, after: DecisionState) -> None:
    """Add the blocks of the sets that a decision has planned."""
    rules, entries = plans.rules_of(tournament), plans.read_entries(session, tournament.id)
    apart = plans.terms_of(session, tournament, entries).apart
    at = (len(entries), tournament.seats)
    had = len(rules.schedule(*at, before, tournament.secret, apart)) if _begun(before) else 0
    schedule = rules.schedule(*at, after, tournament.secret, apart)
    gone = frozenset(after.withdrawn)
    sets = (
        sum(gone.isdisjoint(schedule[number]) for number in range(had, len(schedule)))
        if gone
        else len(schedule) - had
    )
    tournament.matches_total += sets * tournament.seats
    if tournament.matches_total > MAX_MATCHES:
        raise Refusal(
            "cycles_invalid",
            say(
                "cycles {cycles}: {matches} matches; at most {most_matches} are possible",
                cycles=after.cycles,
                matches=tournament.matches_total,
                most_matches=MAX_MATCHES,
            ),
            field="cycles",
        )
    number = session.scalar(
        select(func.count()).select_from(Block).where(Block.tournament_id == tournament.id)
    )
    rows = blocks.rows(tournament.id, tournament.seats, range(had, len(schedule)), first_number=number or 0)
    if rows:
        session.execute(insert(Block), rows)


def _begun(course: DecisionState) -> bool:
    return course.cycles > 0 or bool(course.rounds)


def _end(session: Session, tournament: Tournament, state: str) -> None:
    """End a tournament: its secret is published, and its absences are over."""
    tournament.state = state
    tournament.finished_at = time.time()
    session.execute(delete(Absence).where(Absence.tournament_id == tournament.id))
