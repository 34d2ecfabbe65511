"""Turns: which tournament, or which author's trial, a worker plays next.

    trials        a third of the workers' time, while tournaments wait; among them those of the author come first whose trials
                  have had least of it in the last 24 hours, and of one author qualifications before challenges
    tournaments   the one that the worker plays already, for a time slice; else the one that was served least, by its priority

A worker's time is counted while it holds a block: a second when it takes it, and one with each renewal of its lease
(`arena.competition.matches.blocks`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, exists, func, select, update
from sqlalchemy.orm import Session

from arena.competition.qualification.verdicts import QUALIFICATION
from arena.scheduling.fair_share import after, is_trials_turn, time_slice_s
from arena.storage.schema import Block, Meta, Tournament, Trial
from arena.storage.upserts import insert_missing

SECOND_S = 1.0
"""What is counted when a block is taken, and with each renewal: a worker renews once a second."""
_RUNNING = "running"
_DAY_S = 86_400.0
_AHEAD = "turns/trials_ahead"


@dataclass(frozen=True, slots=True)
class Turns:
    """The tournaments that have blocks to be had, in the order in which these are due; `contested` if some are trials and some not."""

    tournaments: tuple[int, ...]
    contested: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """What a worker plays already: a tournament, and for how many seconds."""

    tournament_id: int
    lasted_s: float


def order(session: Session, *free: ColumnElement[bool], turn: Turn | None = None) -> Turns:
    """Return whose turn it is; `free` selects the blocks to be had, `turn` is what the worker plays already."""
    is_trial = exists().where(Trial.tournament_id == Tournament.id)
    waiting = select(Tournament.id).where(
        Tournament.state == _RUNNING, exists().where(Block.tournament_id == Tournament.id, *free)
    )
    tournaments = tuple(session.scalars(waiting.where(~is_trial).order_by(Tournament.served, Tournament.id)))
    if (
        turn is not None
        and turn.tournament_id in tournaments
        and turn.lasted_s < time_slice_s(len(tournaments))
    ):
        rest = (each for each in tournaments if each != turn.tournament_id)
        tournaments = (turn.tournament_id, *rest)
    trials = _trials(session, waiting.where(is_trial))
    contested = bool(trials and tournaments)
    if is_trials_turn(_ahead(session)):
        return Turns((*trials, *tournaments), contested)
    return Turns((*tournaments, *trials), contested)


def charge(session: Session, tournament_id: int, *, contested: bool = True) -> None:
    """Count a second of a worker's time; who waited alone earns nothing by that, and owes nothing for it."""
    charged = update(Trial).where(Trial.tournament_id == tournament_id)
    charged = charged.values(served_s=Trial.served_s + SECOND_S)
    is_trial = session.execute(charged.returning(Trial.tournament_id)).first() is not None
    connection = session.connection()
    insert_missing(connection.dialect.name, Meta, ("key",)).run(connection, {"key": _AHEAD, "value": "0"})
    row = session.get_one(Meta, _AHEAD, with_for_update=True, populate_existing=True)
    ahead = float(row.value) if contested else 0.0
    row.value = repr(after(ahead, SECOND_S, trial=is_trial))


def _ahead(session: Session) -> float:
    """Return how many seconds of workers' time trials have had beyond their share."""
    return float(session.scalar(select(Meta.value).where(Meta.key == _AHEAD)) or 0)


def _trials(session: Session, waiting: Select[int]) -> tuple[int, ...]:
    """Sort trials: authors that have had little time first."""
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
