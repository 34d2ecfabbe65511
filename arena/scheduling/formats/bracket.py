"""The bracket of a knockout with a place for each tie, drawn or not, so that lines can lead from each to the next; who got how far.

quarter-finals     1 ┐
                   8 ┴─┐
                   4 ┐ ├─ …      the ties of a stage lie between the two of the stage before that they follow from
                   5 ┴─┘
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from arena.scheduling.formats.adaptive_rounds import ShownRound, ShownTie


@dataclass(frozen=True, slots=True)
class BracketSlot:
    """A tie, an entry that advances without playing, or neither: the tie is not drawn yet, or no bot was left to play."""

    tie: ShownTie | None = None
    bye: int | None = None

    @property
    def entries(self) -> tuple[int, ...]:
        """Entries of the bracket."""
        if self.tie is not None:
            return self.tie.table
        return () if self.bye is None else (self.bye,)


@dataclass(frozen=True, slots=True)
class BracketStage:
    """A stage with its slots from top to bottom; half as many as in the stage before."""

    name: str
    drawn: bool
    slots: tuple[BracketSlot, ...]


@dataclass(frozen=True, slots=True)
class Reached:
    """Stage that an entry reached, with the first and last of the places that it shares."""

    stage: str
    low: int
    high: int
    won: bool = False


def build(
    order: Sequence[int | None], rounds: Sequence[ShownRound], stage_name: Callable[[int], str]
) -> tuple[BracketStage, ...]:
    """Return the bracket of entries in this order, None where a place stays free; none before the first round is drawn."""
    places = {entry: place for place, entry in enumerate(order) if entry is not None}
    if not places or not rounds:
        return ()
    drawn = {_depth(each.ties[0].table, places): each for each in rounds if each.ties}
    stages = []
    for depth in range(len(order).bit_length() - 1):
        row = drawn.get(depth)
        slots = [BracketSlot()] * (len(order) >> (depth + 1))
        for tie in row.ties if row else ():
            slots[places[tie.table[0]] >> (depth + 1)] = BracketSlot(tie)
        for entry in row.byes if row else ():
            slots[places[entry] >> (depth + 1)] = BracketSlot(bye=entry)
        name = row.name if row else stage_name(len(order) >> depth)
        stages.append(BracketStage(name, row is not None, tuple(slots)))
    return tuple(stages)


def reached(stages: Sequence[BracketStage], entries: int, champion: int | None) -> Mapping[int, Reached]:
    """Return how far each entry got; nothing without a bracket."""
    if not stages:
        return {}
    found = {entry: Reached(stages[0].name, 1, entries) for entry in range(entries)}
    for number, stage in enumerate(stages):
        following = stages[number + 1].name if number + 1 < len(stages) else stage.name
        for slot in stage.slots:
            for entry in slot.entries:
                found[entry] = _after(entry, slot, stage, following, entries)
    if champion is None:
        return found
    return {
        entry: Reached(row.stage, 1, 1, won=True) if entry == champion else _left_behind(row)
        for entry, row in found.items()
    }


def _after(entry: int, slot: BracketSlot, stage: BracketStage, following: str, count: int) -> Reached:
    """Return how far an entry is after a stage in which it had a slot."""
    places = 2 * len(stage.slots)
    winner = entry if slot.tie is None else slot.tie.winner
    if winner == entry:
        return Reached(following, 1, min(places // 2, count))
    is_open = winner is None and slot.tie is not None and not slot.tie.unattended
    return Reached(stage.name, 1 if is_open else places // 2 + 1, min(places, count))


def _left_behind(row: Reached) -> Reached:
    """Return the places of an entry that went on and left before it played, as of one that lost there."""
    return row if row.low > 1 else Reached(row.stage, row.high // 2 + 1, row.high)


def _depth(table: Sequence[int], places: Mapping[int, int]) -> int:
    """Return how many stages come before the one in which two entries meet: there they are in one part of the bracket."""
    first, second = table
    return (places[first] ^ places[second]).bit_length() - 1
