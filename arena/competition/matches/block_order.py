"""Turns: which tournament, or which author's trial, a worker plays next.

    trials        a third of the workers' time, while tournaments wait; among them those of the author come first whose trials
                  have had least of it in the last 24 hours, and of one author qualifications before challenges
    tournaments   the one that the worker plays already, for a time slice; else the one that was served least, by its priority

A worker's time is counted while it holds a block: a second when it takes it, and one with each renewal of its lease
(`arena.competition.matches.blocks`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, exists, func, or_, select, update
from sqlalchemy.orm import Session

from arena.competition.tournament_states import RUNNING
from arena.competition.trial_kinds import QUALIFICATION
from arena.scheduling.fair_share import after, is_trials_turn, time_slice_s
from arena.storage.database_clock import database_time
from arena.storage.schema import Block, Meta, Tournament, Trial
from arena.storage.upserts import put

SECOND_S = 1.0
"""Seconds counted when a block is taken, and with each renewal: a worker renews once a second."""
FREE = (Block.done.is_(False), or_(Block.lease_until.is_(None), Block.lease_until < database_time()))
"""Conditions of the blocks that are to be had."""
_DAY_S = 86_400.0
_AHEAD = "turns/trials_ahead"

# Built once: to build a statement takes as long as to run it.
_WAITING = (
    select(Tournament.id, exists().where(Trial.tournament_id == Tournament.id))
    .where(Tournament.state == RUNNING, exists().where(Block.tournament_id == Tournament.id, *FREE))
    .order_by(Tournament.served, Tournament.id)
)
_READ_AHEAD = select(Meta.value).where(Meta.key == _AHEAD)
_LOCK_AHEAD = _READ_AHEAD.with_for_update()
_CHARGE_TRIAL = (
    update(Trial)
    .where(Trial.tournament_id == bindparam("of"))
    .values(served_s=Trial.served_s + SECOND_S)
    .returning(Trial.tournament_id)
    .execution_options(synchronize_session=False)
)


@dataclass(frozen=True, slots=True)
class Turns:
    """The tournaments that have blocks to be had, in the order in which these are due, and which of them are trials."""

    tournaments: tuple[int, ...]
    trials: frozenset[int]

    @property
    def contested(self) -> bool:
        """Whether some are trials and some not."""
        return 0 < len(self.trials) < len(self.tournaments)


@dataclass(frozen=True, slots=True)
class Turn:
    """The tournament that a worker plays already, and for how many seconds."""

    tournament_id: int
    lasted_s: float


def order(session: Session, turn: Turn | None = None) -> Turns:
    """Return whose turn it is; `turn` is what the worker plays already."""
    waiting = session.execute(_WAITING).all()
    tournaments = tuple(number for number, is_trial in waiting if not is_trial)
    if (
        turn is not None
        and turn.tournament_id in tournaments
        and turn.lasted_s < time_slice_s(len(tournaments))
    ):
        rest = (each for each in tournaments if each != turn.tournament_id)
        tournaments = (turn.tournament_id, *rest)
    trials = _sorted_trials(session, [number for number, is_trial in waiting if is_trial])
    if trials and tournaments and is_trials_turn(_ahead_s(session.scalar(_READ_AHEAD))):
        return Turns((*trials, *tournaments), frozenset(trials))
    return Turns((*tournaments, *trials), frozenset(trials))


def charge(session: Session, tournament_id: int, turns: Turns | None = None) -> None:
    """Count a second of a worker's time; who waited alone earns nothing by that, and owes nothing for it.

    `turns` is what waited when a block was taken; None for a second in which it is held.
    """
    is_trial = (turns is None or tournament_id in turns.trials) and _charge_trial(session, tournament_id)
    ahead = _ahead_s(session.scalar(_LOCK_AHEAD)) if turns is None or turns.contested else 0.0
    connection = session.connection()
    put(connection.dialect.name, Meta, ("key",)).run(
        connection, {"key": _AHEAD, "value": repr(after(ahead, SECOND_S, trial=is_trial))}
    )


def _charge_trial(session: Session, tournament_id: int) -> bool:
    """Count a second of a trial's time; return False if the tournament is none."""
    return session.execute(_CHARGE_TRIAL, {"of": tournament_id}).first() is not None


def _ahead_s(value: str | None) -> float:
    """Return by how many seconds trials are ahead, as it is stored; at first nothing is."""
    return float(value or 0)


def _sorted_trials(session: Session, waiting: Sequence[int]) -> tuple[int, ...]:
    """Sort trials: authors that have had little time first."""
    if not waiting:
        return ()
    served = (
        select(Trial.author, func.sum(Trial.served_s).label("served_s"))
        .where(Trial.created_at > time.time() - _DAY_S)
        .group_by(Trial.author)
        .subquery()
    )
    query = (
        select(Trial.tournament_id)
        .outerjoin(served, served.c.author == Trial.author)
        .where(Trial.tournament_id.in_(waiting))
        .order_by(
            func.coalesce(served.c.served_s, 0), (Trial.kind == QUALIFICATION).desc(), Trial.tournament_id
        )
    )
    return tuple(session.scalars(query))
