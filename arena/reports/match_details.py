"""Matches as they are shown: in a list, and on a page of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from arena.core.answer_fields import (
    BotName,
    GameId,
    MatchNumber,
    SetNumber,
    TimeControlText,
    TournamentId,
    TournamentName,
    VariantName,
    Verified,
    VersionName,
)
from arena.storage.record_compression import unpack

MatchState = Literal["open", "hidden", "finished", "annulled", "dropped"]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat of a match."""

    seat: Annotated[int, Field(description="Counted from 0, clockwise.", examples=[0])]
    name: Annotated[str, Field("", exclude=True)]
    """Name of the bot in its tournament: `lc`, or `lc@4` if other versions of it are entered, too."""
    bot: BotName
    version: VersionName
    verified: Verified
    place: Annotated[int | None, Field(description="1 for the best; null without a result.", examples=[1])]
    score: Annotated[
        int | None, Field(description="The score; null without a result, and after a fault.", examples=[41])
    ]


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in a list of them."""

    tournament_id: TournamentId
    tournament: TournamentName
    game: GameId
    set: SetNumber
    match: MatchNumber
    id: Annotated[str, Field(description="The match's id, as its record has it.")]
    state: Annotated[
        MatchState,
        Field(
            description="open: no result yet; hidden: over, but its set is not, or the tournament's delay has not passed; finished: all is public; annulled: the platform could not finish it; dropped: it is not played any more."
        ),
    ]
    end: Annotated[
        str | None,
        Field(
            description="completed, turn limit or fault; annulled; absent: it never began, since several bots, or in a ladder one, were not there; null without a result."
        ),
    ]
    seats: Annotated[tuple[SeatRow, ...], Field(description="In seat order.")]
    stored_at: Annotated[float | None, Field(description="Seconds since the epoch, UTC.")]
    margin: Annotated[
        int | None,
        Field(
            description="By how many points the winner was ahead of the second, 0 if the first place was shared; null until the match is finished, and without scores.",
            examples=[7],
        ),
    ]

    @property
    def key(self) -> tuple[int, int, int]:
        """Name the match: its tournament, set and number."""
        return self.tournament_id, self.set, self.match


@dataclass(frozen=True, slots=True)
class VoidAttempt:
    """An attempt that the platform failed: its deal is published and never played again."""

    attempt: Annotated[int, Field(description="Counted from 0.")]
    id: Annotated[str, Field(description="The match id that it had.")]
    commitment: Annotated[str, Field(description="Its commitment, hex.")]
    seed: Annotated[str, Field(description="Its seed, hex.")]


@dataclass(frozen=True, slots=True)
class NotedCandidate:
    """An action that a bot considered."""

    action: Annotated[str, Field(description="The action.", examples=["play Y2"])]
    value: Annotated[float, Field(description="Its value, on the bot's own scale.", examples=[0.61])]


@dataclass(frozen=True, slots=True)
class StepNotes:
    """Notes of a bot on one of its actions."""

    step: Annotated[
        int, Field(description="The step of the record that the action is, from 0.", examples=[6])
    ]
    candidates: Annotated[tuple[NotedCandidate, ...], Field(description="Actions that it considered.")]
    numbers: Annotated[dict[str, float], Field(description="Numbers by name.", examples=[{"win": 0.61}])]
    text: Annotated[str, Field(description="A line of text, perhaps empty.")]


@dataclass(frozen=True, slots=True)
class NotesOfSeat:
    """Notes of the bot of one seat in a match."""

    seat: Annotated[int, Field(description="The seat, from 0.", examples=[0])]
    public: Annotated[
        bool, Field(description="Whether they are public; otherwise only the bot's owner may read them.")
    ]
    dropped: Annotated[
        int, Field(description="Number of notes that broke a limit and were dropped.", examples=[0])
    ]
    reason: Annotated[str, Field(description="Limit that the first of them broke.", examples=[""])]
    steps: Annotated[tuple[StepNotes, ...], Field(description="The notes, in order.")]


@dataclass(frozen=True, slots=True)
class MatchPage(MatchRow):
    """Public details of one match; its seed and record only once it is open: `opens_at`."""

    variant: VariantName
    options: Annotated[
        Mapping[str, int], Field(description="Every option of the game.", examples=[{"hands": 3}])
    ]
    time: TimeControlText
    fault_seat: Annotated[int | None, Field(description="The seat at fault, if a fault ended it.")]
    fault_kind: Annotated[str | None, Field(description="illegal action, timeout, crash or protocol.")]
    fault_incident: Annotated[
        str | None,
        Field(
            description="Names what the fault came of, if that may have ended other matches, too: one death of a process, one lost connection."
        ),
    ]
    incident_matches: Annotated[
        int, Field(description="Number of matches that the incident ended, this one included; 0 without one.")
    ]
    commitment: Annotated[
        str, Field(description="SHA-256 over match id and seed, hex: published before the first decision.")
    ]
    seed: Annotated[str | None, Field(description="The seed, hex; null until it is open.")]
    packed_record: Annotated[bytes | None, Field(None, exclude=True)]
    """The record as it is stored; None until `opens_at`, and when it is not kept any more."""
    opens_at: Annotated[
        float | None,
        Field(
            description="Time at which seed and record are published, in seconds since the epoch, UTC; null until the match is over, or its whole set, if `shared`."
        ),
    ]
    delay_s: Annotated[int, Field(0, exclude=True)]
    live: Annotated[
        bool,
        Field(
            description="Whether its public steps are shown while it is played; if not, they wait like the record."
        ),
    ]
    shared: Annotated[
        bool,
        Field(
            description="Whether the matches of its set have one deal, so that all of them are shown together."
        ),
    ]
    voids: Annotated[
        tuple[VoidAttempt, ...], Field(description="Earlier attempts that had deals of their own.")
    ]
    absent: Annotated[
        str | None,
        Field(
            description="Bots whose absence kept the match from beginning; null for any other match. In a ladder it counts for no bot."
        ),
    ]
    record_kept: Annotated[
        bool,
        Field(description="False if its record has been deleted after the arena's retention time."),
    ]

    notes: Annotated[
        tuple[NotesOfSeat, ...],
        Field(
            description="Notes of bots on their answers, for their owners, or for all if those have made them public; empty until the match is public."
        ),
    ] = ()

    @property
    def record(self) -> str | None:
        """Return the record, a JSON document; each call unpacks it.  Raises RecordUnreadable."""
        return None if self.packed_record is None else unpack(self.packed_record)
