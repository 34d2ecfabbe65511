"""Tournaments as they are shown: in a list, on a page, and what an organiser needs of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from arena.core.answer_fields import BotName, GameId, SeatCount, TimeControlText, VariantName, VersionName
from arena.rankings.standings import CrosstableCell, StandingRow
from arena.reports.decision_log import DecisionRow
from arena.reports.round_views import BracketStageRow, EliminationRow, PlaceRow, PointsRow, RoundRow, SprtRow

TournamentState = Literal["created", "open", "running", "paused", "finished", "cancelled"]


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A version that takes part."""

    number: Annotated[
        int, Field(description="Counted from 0, in the order in which they were named.", examples=[0])
    ]
    bot: BotName
    version: VersionName
    left: Annotated[
        Literal["kept", "annulled"] | None,
        Field(description="If it has left, what became of its results; null while it plays."),
    ]
    fixed: Annotated[
        bool,
        Field(
            description="Whether it was entered as NAME@VERSION; else, until the start, the next active version of the bot takes its place."
        ),
    ]


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament in the list of them."""

    id: Annotated[int, Field(description="Its number.", examples=[1])]
    name: Annotated[str, Field(description="Its name.", examples=["Lost Cities, 5 bots, 2 seats"])]
    game: GameId
    variant: VariantName
    seats: SeatCount
    format: Annotated[
        str,
        Field(
            description="round-robin, gauntlet, swiss, knockout or ladder; of a trial, its kind.",
            examples=["swiss"],
        ),
    ]
    state: Annotated[
        TournamentState,
        Field(description="created, open (for entries), running, paused, finished or cancelled."),
    ]
    matches_total: Annotated[int, Field(description="Matches that are planned so far.", examples=[200])]
    matches_done: Annotated[int, Field(description="Matches that are over.", examples=[120])]
    created_at: Annotated[float, Field(description="Seconds since the epoch, UTC.", examples=[1763726400.0])]
    finished_at: Annotated[
        float | None, Field(description="Seconds since the epoch, UTC; null until it is over.")
    ]


@dataclass(frozen=True, slots=True)
class ListedTournament(TournamentRow):
    """A tournament in the list of them, with who won it."""

    winners: Annotated[
        tuple[str, ...] | None,
        Field(
            description="Winners; empty until it is over, and if it has none. Null beyond the first 200 of an answer, and with more than 128 entries: see the tournament itself.",
            examples=[["greedy"]],
        ),
    ]


@dataclass(frozen=True, slots=True)
class TournamentHead:
    """Data of a tournament that its controls need."""

    id: int
    name: str
    game: str
    variant: str
    seats: int
    format: str
    rules: str
    description: str
    priority: int
    state: TournamentState
    entries: tuple[EntryRow, ...]


@dataclass(frozen=True, slots=True)
class TournamentPage(TournamentRow):
    """All about one tournament."""

    description: Annotated[str, Field(description="What it is about, in its organiser's words; often empty.")]
    rules: Annotated[str, Field(description="Description of the format.", examples=["Swiss, 5 rounds"])]
    priority: Annotated[
        int, Field(description="1 to 100; with twice the priority it is played twice as much.")
    ]
    options: Annotated[
        Mapping[str, int], Field(description="Every option of the game.", examples=[{"hands": 3}])
    ]
    time: TimeControlText
    cycles: Annotated[int, Field(description="Number of cycles of the schedule.", examples=[10])]
    trusted: Annotated[
        bool,
        Field(
            description="Whether its bots are trusted not to use what they know of a deal, so that all sets share theirs."
        ),
    ]
    pool: Annotated[str | None, Field(description="The pool it counts for; null: for its own table only.")]
    own_pairs: Annotated[
        bool,
        Field(
            description="Whether bots of one owner meet in it, which counts for its own table only.",
            examples=[False],
        ),
    ]
    sets_total: Annotated[int, Field(description="Sets in all.", examples=[100])]
    commitment: Annotated[
        str, Field(description="SHA-256 of the secret, hex; shown before anything is played.")
    ]
    delay_s: Annotated[
        int,
        Field(
            description="Seconds after a match, or the set that shares its deal, is over before its records and seeds are shown.",
            examples=[0],
        ),
    ]
    secret: Annotated[
        str | None,
        Field(description="The secret, hex; null until the tournament is over, and the delay has passed."),
    ]
    secret_opens_at: Annotated[
        float | None,
        Field(
            description="Time at which the secret is published, in seconds since the epoch, UTC; null until the tournament is over."
        ),
    ]
    waiting_for: Annotated[
        tuple[str, ...],
        Field(
            description="Bots, NAME@VERSION, that were not there when their matches were to be played.",
            examples=[[]],
        ),
    ]
    entries: Annotated[tuple[EntryRow, ...], Field(description="Entries.")]
    standings: Annotated[tuple[StandingRow, ...], Field(description="Best first.")]
    crosstable: Annotated[
        tuple[tuple[CrosstableCell | None, ...], ...],
        Field(description="Rows and columns in the standings' order, of the first 50; null: not met."),
    ]
    rounds: Annotated[
        tuple[RoundRow, ...], Field(description="Of a Swiss or a knockout, the rounds so far; else none.")
    ]
    points: Annotated[tuple[PointsRow, ...], Field(description="Of a Swiss, the best first; else none.")]
    eliminations: Annotated[
        tuple[EliminationRow, ...],
        Field(description="Of a race, the looks so far, at each of which bots may leave; else none."),
    ]
    bracket: Annotated[
        tuple[BracketStageRow, ...],
        Field(description="Of a knockout, its stages with all their places, drawn or not; else none."),
    ]
    places: Annotated[
        tuple[PlaceRow, ...],
        Field(description="Of a knockout, how far each entry got, the best first; else none."),
    ]
    champion: Annotated[
        int | None, Field(description="The number of the entry that has won a knockout or a race.")
    ]
    winners: Annotated[
        tuple[str, ...],
        Field(
            description="Winners, several if they share the first place; empty until it is over, and if it has none.",
            examples=[["greedy"]],
        ),
    ]
    sprt: Annotated[
        SprtRow | None, Field(description="State of a test between two versions; null if there is none.")
    ]
    decisions: Annotated[
        tuple[DecisionRow, ...],
        Field(description="Latest decisions, the newest first; `decisions` of the tournament lists all."),
    ]
    algorithm: Annotated[str, Field(description="The version of the Elo computation.")]
    input_sha256: Annotated[
        str, Field(description="SHA-256 of the pair and set totals that the Elo was computed from.")
    ]
    started_at: Annotated[
        float | None, Field(description="Seconds since the epoch, UTC; null before the start.")
    ]
