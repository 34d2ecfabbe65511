"""Results, their records, and the sums that ratings are computed from."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    text,
    true,
)
from sqlalchemy.orm import Mapped, mapped_column

from arena.storage.schema.base_tables import Base


class MatchResult(Base):
    """A match that is over, annulled (then `end` is `annulled`), or never begun since bots were away (`absent`).

    Numbers of seats are separated by spaces.  `absent` has the seats that were away and forfeited it; a match of a ladder that was
    never begun has none, and counts for no bot.  `counted` is false where a withdrawal broke off the match's set: then the result is no
    longer part of any sum.  `incident` names what the fault came of, if that may have ended other matches of
    the bot, too: one death of its process, one lost connection.
    """

    __tablename__ = "match_result"
    __table_args__ = (
        UniqueConstraint("tournament_id", "set_number", "match_number"),
        CheckConstraint("fault_seat IS NULL OR fault_seat >= 0", name="fault_seat"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"))
    set_number: Mapped[int]
    match_number: Mapped[int]
    attempt: Mapped[int]
    match: Mapped[str] = mapped_column(String(32), index=True)
    end: Mapped[str] = mapped_column(String(16))
    places: Mapped[str] = mapped_column(String(64))
    scores: Mapped[str | None] = mapped_column(String(128))
    fault_seat: Mapped[int | None]
    fault_kind: Mapped[str | None] = mapped_column(String(16))
    incident: Mapped[str | None] = mapped_column(String(32))
    absent: Mapped[str | None] = mapped_column(String(32))
    counted: Mapped[bool] = mapped_column(server_default=true())
    stored_at: Mapped[float]


class Record(Base):
    """The record of a match, packed (`arena.storage.record_compression`)."""

    __tablename__ = "record"

    result_id: Mapped[int] = mapped_column(ForeignKey("match_result.id"), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class MatchChances(Base):
    """The chances of the seats at the points of a match, as JSON (`arena.reports.insights.stored_chances`)."""

    __tablename__ = "match_chances"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    set_number: Mapped[int] = mapped_column(primary_key=True)
    match_number: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[str] = mapped_column(Text)


class MatchDrama(Base):
    """Drama of a match, from its scores, as JSON (`arena.reports.insights.stored_dramas`).

    `measure` numbers the way in which it was measured.
    """

    __tablename__ = "match_drama"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    set_number: Mapped[int] = mapped_column(primary_key=True)
    match_number: Mapped[int] = mapped_column(primary_key=True)
    measure: Mapped[int]
    measured_at: Mapped[float]
    data: Mapped[str] = mapped_column(Text)


class ChoiceChances(Base):
    """The chances of the actions that a seat could have chosen, as JSON (`arena.reports.insights.stored_chances`)."""

    __tablename__ = "choice_chances"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    set_number: Mapped[int] = mapped_column(primary_key=True)
    match_number: Mapped[int] = mapped_column(primary_key=True)
    point: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[str] = mapped_column(Text)


class StoredStyle(Base):
    """The playing style of a version, or of the average bot of a pool, as JSON (`arena.reports.insights.stored_styles`).

    `results` counts the results of the version when it was measured.
    """

    __tablename__ = "playing_style"

    subject: Mapped[str] = mapped_column(String(160), primary_key=True)
    results: Mapped[int]
    measured_at: Mapped[float]
    data: Mapped[str] = mapped_column(Text)


class MatchOutput(Base):
    """The end of what a hosted bot printed in a match, for its author alone; `dropped` counts the bytes before it."""

    __tablename__ = "match_output"

    result_id: Mapped[int] = mapped_column(ForeignKey("match_result.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    stderr: Mapped[bytes] = mapped_column(LargeBinary)
    dropped: Mapped[int] = mapped_column(BigInteger)


class MatchNotes(Base):
    """Notes of a seat's bot on its answers in a match, packed (`arena.competition.matches.stored_notes`)."""

    __tablename__ = "match_notes"

    result_id: Mapped[int] = mapped_column(ForeignKey("match_result.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


Index("ix_match_result_stored_at", MatchResult.stored_at)
Index(
    "ix_match_result_incident",
    MatchResult.incident,
    sqlite_where=text("incident IS NOT NULL"),
    postgresql_where=text("incident IS NOT NULL"),
)


class SetTotal(Base):
    """Units that two versions took from each other in the matches of one set, as in `PairTotal`: error bars come from sets.

    `rated` says whether the pair counts for the pool, too.
    """

    __tablename__ = "set_total"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    set_number: Mapped[int] = mapped_column(primary_key=True)
    low: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    high: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    low_units: Mapped[int] = mapped_column(BigInteger)
    high_units: Mapped[int] = mapped_column(BigInteger)
    rated: Mapped[bool]


class PairTotal(Base):
    """The sum of all results between two versions of a scope, `low` < `high`.

    Units are 1/280 point (`arena.ratings.totals`); wins, draws and losses are `low`'s, one for each time they met.
    """

    __tablename__ = "pair_total"

    scope: Mapped[str] = mapped_column(String(32), primary_key=True)
    low: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    high: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    low_units: Mapped[int] = mapped_column(BigInteger)
    high_units: Mapped[int] = mapped_column(BigInteger)
    wins: Mapped[int]
    draws: Mapped[int]
    losses: Mapped[int]


class VersionTotal(Base):
    """Numbers of matches of a scope that a version has played, ended by a fault, and been absent from."""

    __tablename__ = "version_total"

    scope: Mapped[str] = mapped_column(String(32), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    matches: Mapped[int]
    faults: Mapped[int]
    absences: Mapped[int] = mapped_column(server_default=text("0"), default=0)
