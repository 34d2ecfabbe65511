"""Rounds: views of adaptive formats and of tests: pairings, byes, the state of a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.competition.matches import running_totals
from arena.competition.plans import StoredPlan
from arena.ratings.totals import half_units
from arena.scheduling.controller import played_rounds
from arena.scheduling.formats.adaptive_rounds import PlayedRound, SetPairs, ShownTie
from arena.scheduling.formats.bracket import Reached
from arena.scheduling.stop_rules import Sprt
from arena.storage.schema import SetTotal


@dataclass(frozen=True, slots=True)
class TieRow:
    """Two entries that met in a round."""

    entries: Annotated[tuple[int, ...], Field(description="Numbers of entries.", examples=[[0, 3]])]
    points: Annotated[
        tuple[float, ...],
        Field(description="Points so far: a match won is a point.", examples=[[3.0, 1.0]]),
    ]
    winner: Annotated[
        int | None,
        Field(
            description="In a knockout, the entry that went on; null while the tie is open, and if it is unattended."
        ),
    ]
    sets: Annotated[int, Field(description="Number of its sets of two matches so far.", examples=[2])]
    unattended: Annotated[
        bool,
        Field(
            description="Whether in a knockout neither goes on, since both were away when it was to be decided."
        ),
    ]
    repeated: Annotated[
        bool, Field(description="In a Swiss, whether the two had met in a round before.", examples=[False])
    ] = False


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round of a Swiss or a knockout."""

    number: Annotated[int, Field(description="Counted from 1.", examples=[1])]
    name: Annotated[str, Field(description="Its name.", examples=["Semi-finals"])]
    ties: Annotated[tuple[TieRow, ...], Field(description="Ties.")]
    byes: Annotated[
        tuple[int, ...], Field(description="Entries that advance without playing, by number.", examples=[[4]])
    ]


@dataclass(frozen=True, slots=True)
class BracketSlotRow:
    """A place in a bracket: a tie, an entry that advances without playing, or neither."""

    tie: Annotated[TieRow | None, Field(description="Pairing; null until it is drawn.")]
    bye: Annotated[int | None, Field(description="The number of the entry that goes on without playing.")]


@dataclass(frozen=True, slots=True)
class BracketStageRow:
    """A stage of a bracket with its places from top to bottom: two neighbours lead to one of the next stage."""

    name: Annotated[str, Field(description="Its name.", examples=["Semi-finals"])]
    drawn: Annotated[bool, Field(description="Whether it is drawn yet.")]
    slots: Annotated[tuple[BracketSlotRow, ...], Field(description="Half as many as in the stage before.")]


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """Stage that an entry reached in a knockout, and the places that it shares."""

    entry: Annotated[int, Field(description="The entry's number.", examples=[0])]
    stage: Annotated[str, Field(description="The last stage that it was in.", examples=["Semi-finals"])]
    low: Annotated[int, Field(description="The best of the places that it shares.", examples=[3])]
    high: Annotated[int, Field(description="The last of them.", examples=[4])]
    won: Annotated[bool, Field(description="Whether it is the champion.")]

    @property
    def places(self) -> str:
        """Write the places: 3–4."""
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


@dataclass(frozen=True, slots=True)
class PointsRow:
    """Points of an entry in a Swiss."""

    entry: Annotated[int, Field(description="The entry's number.", examples=[0])]
    points: Annotated[float, Field(description="A match won is a point, a bye is two.", examples=[7.5])]
    byes: Annotated[int, Field(description="Number of byes.", examples=[1])]


@dataclass(frozen=True, slots=True)
class EliminationRow:
    """A look at a race."""

    rounds: Annotated[
        int,
        Field(description="Rounds so far: in each, every bot still in plays a set.", examples=[48]),
    ]
    left: Annotated[
        tuple[int, ...],
        Field(description="Entries eliminated at this look, by number.", examples=[[3, 7]]),
    ]
    remaining: Annotated[
        int, Field(description="Number of entries that may still be the best.", examples=[5])
    ]


@dataclass(frozen=True, slots=True)
class SprtRow:
    """State of a test between two versions, from the side of entry 0."""

    # The LLR may go beyond a bound and come back before the test looks, after `next_look` sets.

    sets: Annotated[int, Field(description="Sets with a result.", examples=[48])]
    llr: Annotated[float, Field(description="The log-likelihood ratio of the two claims.", examples=[1.27])]
    low: Annotated[float, Field(description="At this LLR elo0 is accepted.", examples=[-2.94])]
    high: Annotated[float, Field(description="At this LLR elo1 is accepted.", examples=[2.94])]
    elo0: Annotated[
        float, Field(description="First hypothesis: Elo by which entry 0 is stronger.", examples=[0.0])
    ]
    elo1: Annotated[float, Field(description="The other claim.", examples=[10.0])]
    accepted: Annotated[str | None, Field(description="elo0 or elo1; null before.")]
    next_look: Annotated[
        int | None,
        Field(
            description="The number of sets after which it is looked at next, and may end; null when it has ended.",
            examples=[24],
        ),
    ]


def read(session: Session, stored: StoredPlan) -> tuple[PlayedRound, ...]:
    """Return the rounds of a tournament that is played in rounds, with the results so far; none of any other."""
    return rounds_of(stored, running_totals.played(session, stored)) if _has_rounds(stored) else ()


def rounds_of(stored: StoredPlan, played: Mapping[int, SetPairs]) -> tuple[PlayedRound, ...]:
    """Return the rounds of a tournament that is played in rounds, with these results by set; none of any other."""
    return played_rounds(stored.course, played, stored.plan.seats) if _has_rounds(stored) else ()


def _has_rounds(stored: StoredPlan) -> bool:
    return stored.rules.adapts and not stored.rules.is_standing and bool(stored.course.rounds)


def shown(stored: StoredPlan, played: Sequence[PlayedRound]) -> tuple[RoundRow, ...]:
    """Return the rounds as they are shown, in their order; those of a knockout with the further sets of its ties."""
    rounds = stored.rules.rounds_shown(len(stored.entries), stored.course, played)
    drawn = stored.course.rounds
    repeated = [frozenset(stored.rules.repeated(drawn[:number])) for number in range(1, len(rounds) + 1)]
    return tuple(
        RoundRow(
            number,
            each.name,
            tuple(_tie(tie, repeated=tie.table in repeated[number - 1]) for tie in each.ties),
            each.byes,
        )
        for number, each in enumerate(rounds, 1)
    )


def bracket(stored: StoredPlan, played: Sequence[PlayedRound]) -> tuple[BracketStageRow, ...]:
    """Return the bracket of a knockout; none of any other tournament, and before it is drawn."""
    entries = len(stored.entries)
    rounds = stored.rules.rounds_shown(entries, stored.course, played)
    return tuple(
        BracketStageRow(
            stage.name,
            stage.drawn,
            tuple(
                BracketSlotRow(None if slot.tie is None else _tie(slot.tie), slot.bye) for slot in stage.slots
            ),
        )
        for stage in stored.rules.bracket_stages(entries, rounds)
    )


def reached(stored: StoredPlan, played: Sequence[PlayedRound]) -> Mapping[int, Reached]:
    """Return how far each entry of a knockout got; nothing of any other tournament, and before it is drawn."""
    return stored.rules.reached(len(stored.entries), stored.course, played)


def places(reached: Mapping[int, Reached]) -> tuple[PlaceRow, ...]:
    """Return how far each entry got, the best first."""
    rows = [PlaceRow(entry, row.stage, row.low, row.high, row.won) for entry, row in reached.items()]
    return tuple(sorted(rows, key=lambda row: (row.low, row.high, row.entry)))


def _tie(tie: ShownTie, *, repeated: bool = False) -> TieRow:
    points = tuple(halves / 2 for halves in tie.halves)
    return TieRow(tie.table, points, tie.winner, tie.sets, tie.unattended, repeated)


def points(stored: StoredPlan, played: Sequence[PlayedRound]) -> tuple[PointsRow, ...]:
    """Return the points by which bots are paired, the best first; they decide nothing else."""
    halves = stored.rules.pairing_points(len(stored.entries), played)
    byes = [sum(entry in each.byes for each in played) for entry in range(len(halves))]
    rows = [PointsRow(entry, halves[entry] / 2, byes[entry]) for entry in range(len(halves))]
    return tuple(sorted(rows, key=lambda row: (-row.points, row.entry)))


def eliminations(stored: StoredPlan, played: Sequence[PlayedRound]) -> tuple[EliminationRow, ...]:
    """Return the looks at a race, in their order; none for any other tournament."""
    looks = stored.rules.eliminations(len(stored.entries), stored.course, played)
    return tuple(EliminationRow(each.rounds, each.left, each.still_in) for each in looks)


def champion(stored: StoredPlan, played: Sequence[PlayedRound]) -> int | None:
    """Return the winner of a knockout or a race; None while it continues, and if it was cancelled."""
    return stored.rules.champion(len(stored.entries), stored.course, played)


def sprt(session: Session, stored: StoredPlan) -> SprtRow | None:
    """Return the state of a test between two versions; None if the tournament is no test."""
    stop = stored.rules.stop
    if not isinstance(stop, Sprt) or len(stored.entries) != 2:
        return None
    over = stored.course.over
    whole = 2 * stored.plan.seats * half_units(stored.plan.seats)
    units = (SetTotal.low, SetTotal.low_units, SetTotal.high_units)
    query = select(*units, func.count()).where(SetTotal.tournament_id == stored.tournament_id)
    scores: list[float] = []
    for low, low_units, high_units, sets in session.execute(query.group_by(*units).order_by(*units)):
        if over is None and low_units + high_units != whole:
            continue  # a set that is still played
        won = low_units if low == stored.entries[0].version_id else high_units
        scores += [won / (low_units + high_units)] * sets
    look = stop.look(scores)
    return SprtRow(
        look.sets,
        look.llr,
        look.low,
        look.high,
        stop.elo0,
        stop.elo1,
        accepted=None if over is None or over.cancelled else look.accepted,
        next_look=stored.plan.sets_total if over is None else None,
    )
