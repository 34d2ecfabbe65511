"""Reports of a referee on the matches that it was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from arena.core.errors import ArenaError
from arena.match.faults import SeatFault

if TYPE_CHECKING:
    from arena.match.record import Record


class RefereeUnreachable(ArenaError):  # noqa: N818 - says what is the case
    """Raised when a referee does not answer, or went away in the middle of a call."""


class RefereeDraining(RefereeUnreachable):
    """Raised when a referee takes no new matches, since it is about to stop; it may have given back some of a call."""


class OrderRefused(ArenaError):  # noqa: N818 - says what is the case
    """Raised when an order cannot be a match; all matches of its call have ended without result."""


@dataclass(frozen=True, slots=True)
class Started:
    """A match has begun; `commitment` binds the arena to its deal."""

    match: str
    commitment: bytes


@dataclass(frozen=True, slots=True)
class SeatOutput:
    """Output of a hosted bot's process during a match: its end, and how many bytes before that are gone."""

    seat: int
    stderr: bytes
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class SeatNotesText:
    """Notes of a seat's bot in a match: a document of `arena.match.seat_notes`."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A match is over; `text` is its record as it is stored, one JSON document."""

    match: str
    text: str
    outputs: tuple[SeatOutput, ...] = ()
    """Of hosted bots that printed anything."""
    incident: str = ""
    """Names what the fault came of, where that may have ended other matches, too: one death of a process, one lost connection."""
    notes: tuple[SeatNotesText, ...] = ()
    """Of bots that noted anything."""

    @property
    def record(self) -> Record:
        """Parse the record from the text, at each call."""
        from arena.match.record import from_json  # noqa: PLC0415

        return from_json(self.text)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a watched match; scores are empty if a fault ended it."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    end: str
    fault: SeatFault | None = None


@dataclass(frozen=True, slots=True)
class Postponed:
    """A bot is not there, perhaps several; the order is done and may be given again."""

    match: str
    seat: int
    """The first seat whose bot is missing."""
    reason: str
    """Why that one is."""
    others: tuple[int, ...] = ()
    """The other seats whose bots are missing."""

    @property
    def missing(self) -> tuple[int, ...]:
        """All seats whose bots are missing."""
        return (self.seat, *self.others)


@dataclass(frozen=True, slots=True)
class Failed:
    """The platform failed; no seat is charged, the order is done and may be given again."""

    match: str
    reason: str


Report: TypeAlias = Started | Finished | Postponed | Failed
