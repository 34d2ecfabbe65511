"""Puzzles of days as they are stored: the position, what house bots would choose there, how difficult it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import NamedTuple

from sqlalchemy import func, select

from arena.ratings.performance import performance
from arena.reports.insights.stored_chances import ChoiceKey
from arena.storage import Store
from arena.storage.schema import DailyPuzzle, PuzzleAnswer

PuzzleKey = tuple[str, str]
"""Day and game of a puzzle."""


class BotChoice(NamedTuple):
    """A choice that a house bot would make, and the bot's Elo."""

    bot: str
    action: str
    elo: float


@dataclass(frozen=True, slots=True)
class StoredPuzzle:
    """A settled puzzle."""

    day: date
    game: str
    choice: ChoiceKey
    bots: tuple[BotChoice, ...]


def day_of(moment: float) -> date:
    """Return the day (UTC) of a moment."""
    return datetime.fromtimestamp(moment, UTC).date()


def of_day(store: Store, day: date) -> tuple[StoredPuzzle, ...]:
    """Return for each game its puzzle of a day, or the last one before it, by game."""
    newest = (
        select(DailyPuzzle.game, func.max(DailyPuzzle.day).label("day"))
        .where(DailyPuzzle.day <= str(day), DailyPuzzle.settled, DailyPuzzle.tournament_id.is_not(None))
        .group_by(DailyPuzzle.game)
        .subquery()
    )
    query = select(DailyPuzzle).join(
        newest, (DailyPuzzle.day == newest.c.day) & (DailyPuzzle.game == newest.c.game)
    )
    with store.read() as session:
        return tuple(map(_read, session.scalars(query.order_by(DailyPuzzle.game))))


def is_settled(store: Store, day: date, games: Sequence[str]) -> bool:
    """Return whether the search for the puzzles of a day is over in all of some games."""
    query = select(func.count()).where(
        DailyPuzzle.day == str(day), DailyPuzzle.game.in_(games), DailyPuzzle.settled
    )
    with store.read() as session:
        return session.scalar(query) == len(games)


def write_bots(found: Sequence[BotChoice]) -> str:
    """Write what house bots would choose as it is stored."""
    return json.dumps(found, separators=(",", ":"))


def _read(row: DailyPuzzle) -> StoredPuzzle:
    numbers = (row.tournament_id, row.set_number, row.match_number, row.point, row.seat)
    key = ChoiceKey(*(number or 0 for number in numbers))
    bots = tuple(BotChoice(*each) for each in json.loads(row.bots or "[]"))
    return StoredPuzzle(date.fromisoformat(row.day), row.game, key, bots)


def rate(store: Store, puzzle: StoredPuzzle, best: str) -> float:
    """Return the Elo of a puzzle: house bots and readers that did not find the best choice have lost to it."""
    query = select(PuzzleAnswer.solver_rating, PuzzleAnswer.solved).where(
        PuzzleAnswer.day == str(puzzle.day), PuzzleAnswer.game == puzzle.game
    )
    with store.read() as session:
        readers = [(rating, float(not solved)) for rating, solved in session.execute(query)]
    return performance([*((bot.elo, float(bot.action != best)) for bot in puzzle.bots), *readers])
