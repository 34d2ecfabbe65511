"""Answers of readers to puzzles: the first one of each is stored, and what follows from them, a rating and a streak.

A solver is an account, or a browser by its cookie.  Answers of browsers are deleted after a year without use.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from arena.ratings.performance import performance
from arena.storage import Store
from arena.storage.schema import PuzzleAnswer
from arena.storage.upserts import insert_missing

_KEY = ("solver", "day", "game")
_PLAYER = "player/"
_KEPT_S = 400 * 86_400.0
_NEWEST = 200
"""The newest answers that a rating follows from."""


@dataclass(frozen=True, slots=True)
class Solver:
    """What a solver has reached; `streak` counts days in a row with a puzzle solved, up to today or yesterday."""

    rating: float
    answers: int
    solved: int
    streak: int


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """A solver's answer to a puzzle."""

    action: str
    solved: bool


def of_user(user_id: int) -> str:
    """Name an account as a solver."""
    return f"user/{user_id}"


def of_player(key_hash: str) -> str:
    """Name a browser as a solver, by the hash of its cookie's key."""
    return f"{_PLAYER}{key_hash}"


def add(
    store: Store,
    solver: str,
    puzzle: tuple[date, str],
    answer: StoredAnswer,
    puzzle_rating: float,
    today: date,
) -> bool:
    """Store an answer, if it is the solver's first to this puzzle; return whether it was."""
    day, game = puzzle
    with store.write() as session:
        row = {
            "solver": solver,
            "day": str(day),
            "game": game,
            "action": answer.action,
            "solved": answer.solved,
            "on_its_day": day == today,
            "solver_rating": _rating(session, solver),
            "puzzle_rating": puzzle_rating,
            "answered_at": time.time(),
        }
        return insert_missing(store.dialect, PuzzleAnswer, _KEY).run(session.connection(), row).rowcount > 0


def find(store: Store, solver: str, puzzle: tuple[date, str]) -> StoredAnswer | None:
    """Return a solver's answer to a puzzle."""
    with store.read() as session:
        row = session.get(PuzzleAnswer, (solver, str(puzzle[0]), puzzle[1]))
    return None if row is None else StoredAnswer(row.action, row.solved)


def read(store: Store, solver: str, today: date) -> Solver:
    """Return what a solver has reached."""
    mine = PuzzleAnswer.solver == solver
    with store.read() as session:
        answers = session.scalar(select(func.count()).where(mine)) or 0
        solved = session.scalar(select(func.count()).where(mine, PuzzleAnswer.solved)) or 0
        days = session.scalars(
            select(PuzzleAnswer.day)
            .where(mine, PuzzleAnswer.solved, PuzzleAnswer.on_its_day)
            .order_by(PuzzleAnswer.day.desc())
            .distinct()
        ).all()
        rating = _rating(session, solver)
    return Solver(rating, answers, solved, streak([date.fromisoformat(day) for day in days], today))


def count(store: Store, puzzle: tuple[date, str]) -> Mapping[str, int]:
    """Return how often each action was the answer to a puzzle."""
    query = (
        select(PuzzleAnswer.action, func.count())
        .where(PuzzleAnswer.day == str(puzzle[0]), PuzzleAnswer.game == puzzle[1])
        .group_by(PuzzleAnswer.action)
    )
    with store.read() as session:
        return {action: number for action, number in session.execute(query)}  # noqa: C416 - rows are no pairs


def delete_old(session: Session, now: float) -> None:
    """Delete the answers of browsers that have not answered for long."""
    last = (
        select(PuzzleAnswer.solver)
        .where(PuzzleAnswer.solver.startswith(_PLAYER))
        .group_by(PuzzleAnswer.solver)
        .having(func.max(PuzzleAnswer.answered_at) < now - _KEPT_S)
    )
    session.execute(delete(PuzzleAnswer).where(PuzzleAnswer.solver.in_(last)))


def streak(days: Sequence[date], today: date) -> int:
    """Return how many of some days, the newest first, follow each other up to today or yesterday."""
    found = 0
    at = today if days and days[0] == today else today - timedelta(days=1)
    for day in days:
        if day != at:
            break
        found += 1
        at -= timedelta(days=1)
    return found


def _rating(session: Session, solver: str) -> float:
    query = (
        select(PuzzleAnswer.puzzle_rating, PuzzleAnswer.solved)
        .where(PuzzleAnswer.solver == solver)
        .order_by(PuzzleAnswer.answered_at.desc())
        .limit(_NEWEST)
    )
    return performance([(rating, float(solved)) for rating, solved in session.execute(query)])
