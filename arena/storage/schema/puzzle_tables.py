"""The puzzles of the days, and what readers answered."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from arena.storage.schema.base_tables import Base


class DailyPuzzle(Base):
    """The puzzle of a day (ISO, UTC) in a game, and how far the search for it has come.

    It is searched for in the matches that were open at `chosen_at`; `tried` of them have been searched.  The best position so
    far is named by match, point and seat, None before there is one; `gap` is how far its best choice is above the second.  Once
    `settled`, nothing changes.  `bots` has what house bots would choose, as JSON (`arena.reports.puzzles.stored_puzzles`).
    """

    __tablename__ = "daily_puzzle"

    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    game: Mapped[str] = mapped_column(String(64), primary_key=True)
    chosen_at: Mapped[float]
    tried: Mapped[int]
    settled: Mapped[bool]
    gap: Mapped[float]
    tournament_id: Mapped[int | None] = mapped_column(ForeignKey("tournament.id"))
    set_number: Mapped[int | None]
    match_number: Mapped[int | None]
    point: Mapped[int | None]
    seat: Mapped[int | None]
    bots: Mapped[str | None] = mapped_column(Text)


class PuzzleAnswer(Base):
    """The first answer of a solver to a puzzle: an account (`user/3`), or a browser by its cookie (`player/` and a hash).

    The ratings are those before the answer, so that both follow from the answers alone.  `on_its_day` says whether it counts for
    a streak.
    """

    __tablename__ = "puzzle_answer"

    solver: Mapped[str] = mapped_column(String(80), primary_key=True)
    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    game: Mapped[str] = mapped_column(String(64), primary_key=True)
    action: Mapped[str] = mapped_column(Text)
    solved: Mapped[bool]
    on_its_day: Mapped[bool]
    solver_rating: Mapped[float]
    puzzle_rating: Mapped[float]
    answered_at: Mapped[float]


Index("ix_puzzle_answer_puzzle", PuzzleAnswer.day, PuzzleAnswer.game)
