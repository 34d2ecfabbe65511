"""The bracket of a knockout with a place for each tie, drawn or not, so that lines can lead from each to the next; who got how far.

quarter-finals     1 ┐
                   8 ┴─┐
                   4 ┐ ├─ …      the ties of a stage lie between the two of the stage before that they follow from
                   5 ┴─┘
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.reports.round_views import RoundRow, TieRow
from arena.reports.tournament_details import TournamentPage
from arena.scheduling.formats.format_registry import format_of


@dataclass(frozen=True, slots=True)
class BracketSlot:
    """A tie, an entry that goes on without playing, or neither: nothing is drawn there yet, or nobody was left to play."""

    tie: TieRow | None = None
    bye: int | None = None


@dataclass(frozen=True, slots=True)
class BracketStage:
    """A stage with its slots from top to bottom; half as many as in the stage before."""

    name: str
    drawn: bool
    slots: tuple[BracketSlot, ...]


@dataclass(frozen=True, slots=True)
class Reached:
    """How far an entry got: the stage, and the places that it shares, the first and the last."""

    stage: str
    low: int
    high: int
    won: bool = False

    @property
    def places(self) -> str:
        """Write the places: 3–4."""
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


def build(tournament: TournamentPage) -> tuple[BracketStage, ...]:
    """Return the bracket of a tournament; none of one that has no bracket, or before it is drawn."""
    seats = _seats(tournament)
    if not seats or not tournament.rounds:
        return ()
    drawn = {_depth(row, seats): row for row in tournament.rounds if row.ties}
    form = format_of(tournament.format)
    size = len(form.bracket(len(tournament.entries)))
    stages = []
    for depth in range(size.bit_length() - 1):
        row = drawn.get(depth)
        slots = [BracketSlot()] * (size >> (depth + 1))
        for tie in row.ties if row else ():
            slots[seats[tie.entries[0]] >> (depth + 1)] = BracketSlot(tie)
        for entry in row.byes if row else ():
            slots[seats[entry] >> (depth + 1)] = BracketSlot(bye=entry)
        name = row.name if row else form.stage_name(size >> depth)
        stages.append(BracketStage(name, row is not None, tuple(slots)))
    return tuple(stages)


def reached(tournament: TournamentPage, stages: Sequence[BracketStage]) -> Mapping[int, Reached]:
    """Return how far each entry got; nothing without a bracket."""
    if not stages:
        return {}
    count = len(tournament.entries)
    found = {entry: Reached(stages[0].name, 1, count) for entry in range(count)}
    for number, stage in enumerate(stages):
        following = stages[number + 1].name if number + 1 < len(stages) else stage.name
        for slot in stage.slots:
            for entry in _entries(slot):
                found[entry] = _after(entry, slot, stage, following, count)
    if tournament.champion is None:
        return found
    return {
        entry: Reached(row.stage, 1, 1, won=True) if entry == tournament.champion else _left_behind(row)
        for entry, row in found.items()
    }


def _entries(slot: BracketSlot) -> Sequence[int]:
    if slot.tie is not None:
        return slot.tie.entries
    return () if slot.bye is None else (slot.bye,)


def _after(entry: int, slot: BracketSlot, stage: BracketStage, following: str, count: int) -> Reached:
    """Return how far an entry is after a stage in which it had a slot."""
    places = 2 * len(stage.slots)
    winner = entry if slot.tie is None else slot.tie.winner
    if winner == entry:
        return Reached(following, 1, min(places // 2, count))
    return Reached(stage.name, 1 if winner is None else places // 2 + 1, min(places, count))


def _left_behind(row: Reached) -> Reached:
    """Return the places of an entry that went on and left before it played, as of one that lost there."""
    return row if row.low > 1 else Reached(row.stage, row.high // 2 + 1, row.high)


def _seats(tournament: TournamentPage) -> Mapping[int, int]:
    """Return where each entry is in the bracket, counted from its top."""
    order = format_of(tournament.format).bracket(len(tournament.entries))
    return {entry: seat for seat, entry in enumerate(order) if entry is not None}


def _depth(row: RoundRow, seats: Mapping[int, int]) -> int:
    """Return how many stages come before the one whose ties these are: two that meet there are in one part of the bracket."""
    first, second = row.ties[0].entries
    return (seats[first] ^ seats[second]).bit_length() - 1
