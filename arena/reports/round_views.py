"""Rounds: what the pages show of formats that adapt, and of a test: who met whom, who had a bye, how it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.competition.matches import running_totals
from arena.competition.plans import StoredPlan
from arena.core.translatable import mark, say
from arena.ratings.totals import half_units
from arena.scheduling.controller import played_rounds
from arena.scheduling.formats import knockout, swiss
from arena.scheduling.formats.adaptive_rounds import PlayedRound, PlayedSet, SetPairs, TableEntries
from arena.scheduling.formats.knockout import Knockout
from arena.scheduling.formats.rules import KNOCKOUT, SWISS
from arena.scheduling.stop_rules import Sprt
from arena.storage.schema import SetTotal

_NAMES = {2: mark("Final"), 4: mark("Semi-finals"), 8: mark("Quarter-finals")}


@dataclass(frozen=True, slots=True)
class TieRow:
    """Two entries that met in a round."""

    entries: Annotated[tuple[int, ...], Field(description="Numbers of entries.", examples=[[0, 3]])]
    points: Annotated[
        tuple[float, ...],
        Field(description="What each took so far: a match won is a point.", examples=[[3.0, 1.0]]),
    ]
    winner: Annotated[
        int | None, Field(description="In a knockout, the entry that went on; null while the tie is open.")
    ]
    sets: Annotated[int, Field(description="How many sets of two matches it has so far.", examples=[2])]


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round of a Swiss or a knockout."""

    number: Annotated[int, Field(description="Counted from 1.", examples=[1])]
    name: Annotated[str, Field(description="Its name.", examples=["Semi-finals"])]
    ties: Annotated[tuple[TieRow, ...], Field(description="Who meets whom.")]
    byes: Annotated[
        tuple[int, ...], Field(description="Who goes on without playing. Numbers of entries.", examples=[[4]])
    ]


@dataclass(frozen=True, slots=True)
class PointsRow:
    """What an entry has in a Swiss."""

    entry: Annotated[int, Field(description="The entry's number.", examples=[0])]
    points: Annotated[float, Field(description="A match won is a point, a bye is two.", examples=[7.5])]
    byes: Annotated[int, Field(description="How often it sat out.", examples=[1])]


@dataclass(frozen=True, slots=True)
class SprtRow:
    """How a test between two versions stands, from the side of entry 0."""

    # The LLR may go beyond a bound and come back before the test looks, after `next_look` sets.

    sets: Annotated[int, Field(description="Sets with a result.", examples=[48])]
    llr: Annotated[float, Field(description="The log-likelihood ratio of the two claims.", examples=[1.27])]
    low: Annotated[float, Field(description="At this LLR elo0 is accepted.", examples=[-2.94])]
    high: Annotated[float, Field(description="At this LLR elo1 is accepted.", examples=[2.94])]
    elo0: Annotated[float, Field(description="One claim: by so much entry 0 is stronger.", examples=[0.0])]
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
    """Return the rounds of a Swiss or a knockout with the results so far; none of any other format."""
    if stored.rules.form not in {SWISS, KNOCKOUT} or not stored.course.rounds:
        return ()
    played: Mapping[int, SetPairs] = running_totals.played(session, stored)
    return played_rounds(stored.course, played, stored.plan.seats)


def shown(stored: StoredPlan, played: Sequence[PlayedRound]) -> tuple[RoundRow, ...]:
    """Return the rounds as they are shown, in their order; those of a knockout with the further sets of its ties."""
    if stored.rules.form == KNOCKOUT:
        return _bracket(stored, played)
    return tuple(
        RoundRow(
            number,
            say("Round {number}", number=number),
            tuple(TieRow(one.table, _points(one), None, 1) for one in each.sets),
            each.byes,
        )
        for number, each in enumerate(played, 1)
    )


def points(stored: StoredPlan, played: Sequence[PlayedRound]) -> tuple[PointsRow, ...]:
    """Return the points of a Swiss, the best first; None of them decides but by who meets whom next."""
    if stored.rules.form != SWISS or not played:
        return ()
    halves = swiss.standing(played, len(stored.entries))
    byes = [sum(entry in each.byes for each in played) for entry in range(len(halves))]
    rows = [PointsRow(entry, halves[entry] / 2, byes[entry]) for entry in range(len(halves))]
    return tuple(sorted(rows, key=lambda row: (-row.points, row.entry)))


def champion(stored: StoredPlan, played: Sequence[PlayedRound]) -> int | None:
    """Name the entry that has won a knockout; None while it goes on, and if it was cancelled."""
    if stored.rules.form != KNOCKOUT or not _is_decided(stored):
        return None
    return _knockout(stored).champion(played, stored.course.withdrawn)


def sprt(session: Session, stored: StoredPlan) -> SprtRow | None:
    """Return how a test between two versions stands; None where there is none."""
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


def _bracket(stored: StoredPlan, played: Sequence[PlayedRound]) -> tuple[RoundRow, ...]:
    """Put the rounds of each stage together: the first with all its ties, then one more set for those that were even."""
    stages = knockout.stages(played)
    return tuple(_stage(stored, stages, number) for number in range(len(stages)))


def _stage(stored: StoredPlan, stages: Sequence[Sequence[PlayedRound]], number: int) -> RoundRow:
    """Show a stage.  Who of it was drawn in the next one has gone on, whatever was annulled since."""
    stage, later = stages[number], stages[number + 1 :]
    drawn = list(dict.fromkeys(one.table for one in stage[0].sets))
    sits_out = stage[0].byes
    went_on: frozenset[int] | None = None
    if later:
        went_on = frozenset(entry for table in _tables(later[0][0]) for entry in table) | set(
            later[0][0].byes
        )
        # An opponent has left: they go on without playing, as with a bye.
        met = {entry for table in drawn for entry in table}
        sits_out = (*sits_out, *sorted(went_on - met - set(sits_out)))
    before = [each for earlier in stages[:number] for each in earlier]
    places = max(
        _knockout(stored).places(before, stage[0].gone), _power_of_two(2 * (len(drawn) + len(sits_out)))
    )
    ties = tuple(_tie(stored, table, stage, went_on) for table in drawn)
    return RoundRow(number + 1, _stage_name(places), ties, sits_out)


def _stage_name(places: int) -> str:
    return _NAMES[places] if places in _NAMES else say("Round of {places}", places=places)


def _tie(
    stored: StoredPlan, table: TableEntries, stage: Sequence[PlayedRound], went_on: frozenset[int] | None
) -> TieRow:
    sets = [one for each in stage for one in each.sets if one.table == table]
    first, second = (sum(_points(one)[side] for one in sets) for side in range(2))
    winner: int | None = None
    known = [] if went_on is None else [entry for entry in table if entry in went_on]
    if known:
        winner = known[0]
    elif went_on is not None or _is_decided(stored) or table not in _tables(stage[-1]):
        here = [entry for entry in table if entry not in stored.course.withdrawn]
        if first != second:
            winner = table[first < second]
        elif here:
            winner = min(here)  # the better seed
    return TieRow(table, (first, second), winner, len(sets))


def _power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()


def _tables(drawn: PlayedRound) -> set[TableEntries]:
    return {one.table for one in drawn.sets}


def _points(one: PlayedSet) -> tuple[float, ...]:
    return tuple(halves / 2 for halves in one.halves)


def _is_decided(stored: StoredPlan) -> bool:
    return stored.course.over is not None and not stored.course.over.cancelled


def _knockout(stored: StoredPlan) -> Knockout:
    return Knockout(tuple(range(len(stored.entries))), stored.rules.sets or 1)
