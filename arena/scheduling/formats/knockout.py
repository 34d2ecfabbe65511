"""Knockout: the loser of a tie is out.

    seeds 1 8 4 5 2 7 3 6: the two best can meet in the final only; where the field is no power of two, the best have a bye

A tie has a number of sets; while it is even, one more set at a time; after a maximum, the better seed advances.
If both were away from the last set of an even tie, both are out: their next opponent has a walkover.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from arena.core.translatable import mark, say_many
from arena.games.chance import Stream
from arena.scheduling.decisions import DecisionState
from arena.scheduling.formats.adaptive_format import AdaptiveFormat
from arena.scheduling.formats.adaptive_rounds import PlayedRound, Round, ShownRound, ShownTie, TableEntries
from arena.scheduling.formats.tournament_format import Parameter
from arena.scheduling.planning_terms import STANDARD, Groups, Terms

SETS = Parameter(
    "sets",
    mark("Sets per pairing"),
    "Sets of a knockout's tie",
    "1",
    mark("A tied pairing is extended by one set at a time, up to 8."),
)
_STAGES = {2: mark("Final"), 4: mark("Semi-finals"), 8: mark("Quarter-finals")}
MAX_EXTRA_SETS = 8
_NO_CHAMPION = mark("all rounds are played; there is no champion, since no bot came to the last pairing")


@dataclass(frozen=True, slots=True)
class Knockout:
    """Two seats; `seeding` lists the entries, the best first, `sets` is the length of a tie."""

    seeding: tuple[int, ...]
    sets: int = 1

    def next(self, played: Sequence[PlayedRound], gone: Collection[int], stream: Stream) -> Round | None:  # noqa: ARG002 - seeds, not lots, decide
        """Draw the next round: new ties, or one set more of those that are even."""
        even, through = self._now(played, gone)
        if even:
            return Round(even)
        while len(through) > 1:
            ties = _ties(through)
            open_ties = [tie for tie in _known(ties) if not _walkover(tie, gone)]
            if open_ties:
                byes = tuple(entry for tie in ties if None in tie for entry in tie if entry is not None)
                return Round(tuple(tie for tie in open_ties for _ in range(self.sets)), byes)
            through = [_without_play(tie, gone) for tie in ties]
        return None

    def places(self, played: Sequence[PlayedRound], gone: Collection[int]) -> int:
        """Count the places of the bracket that the round after these is drawn for: 2 for the final."""
        _, through = self._now(played, gone)
        while len(through) > 1 and all(_walkover(tie, gone) for tie in _known(_ties(through))):
            through = [_without_play(tie, gone) for tie in _ties(through)]
        return len(through)

    def champion(self, played: Sequence[PlayedRound], gone: Collection[int] = ()) -> int | None:
        """Return the winner; None while the knockout continues, or if all entries have left."""
        even, through = self._now(played, gone)
        while not even and len(through) > 1:
            ties = _ties(through)
            if any(not _walkover(tie, gone) for tie in _known(ties)):
                return None
            through = [_without_play(tie, gone) for tie in ties]
        return None if even else through[0]

    def _now(
        self, played: Sequence[PlayedRound], gone: Collection[int]
    ) -> tuple[tuple[tuple[int, int], ...], list[int | None]]:
        """Go through what was played: the ties that are even, or else who is through, in the bracket's order."""
        rank = {entry: place for place, entry in enumerate(self.seeding)}
        through: list[int | None] = [
            self.seeding[place] if place < len(self.seeding) else None
            for place in _bracket(len(self.seeding))
        ]
        drawn = stages(played)
        for number, stage in enumerate(drawn):
            lead: dict[tuple[int, int], int] = {}
            for one in (one for each in stage for one in each.sets):
                first, second = one.table
                lead[first, second] = lead.get((first, second), 0) + one.halves[0] - one.halves[1]
            if stage is drawn[-1] and len(stage) <= MAX_EXTRA_SETS:
                even = tuple(
                    tie
                    for tie, ahead in lead.items()
                    if not ahead and not _walkover(tie, gone) and not _is_unattended(tie, stage)
                )
                if even:
                    return even, []
            # Rounds drawn since then stay as they are, even if results were annulled meanwhile.
            later = {entry for each in drawn[number + 1 :] for entry in _drawn(each[0])}
            winners = {
                tie: next(
                    (entry for entry in tie if entry in later),
                    None if _is_unattended(tie, stage) and not ahead else _winner(tie, ahead, gone, rank),
                )
                for tie, ahead in lead.items()
            }
            through = _next_bracket(through, stage[0].gone, winners)
        return (), through


def stages(played: Sequence[PlayedRound]) -> list[list[PlayedRound]]:
    """Put the rounds of each stage together: the first has all its ties, the others one set more of those that were even.

    Who met is not drawn together again later on: one of them is out.
    """
    found: list[list[PlayedRound]] = []
    for each in played:
        if found and _tables(each) <= _tables(found[-1][0]):
            found[-1].append(each)
        else:
            found.append([each])
    return found


def _tables(drawn: PlayedRound) -> set[TableEntries]:
    return {one.table for one in drawn.sets}


def _drawn(each: PlayedRound) -> set[int]:
    return {entry for table in _tables(each) for entry in table} | set(each.byes)


def _next_bracket(
    through: list[int | None], had_left: Collection[int], winners: dict[tuple[int, int], int | None]
) -> list[int | None]:
    """Return the entries that are through to the next stage; empty stages before it are skipped."""
    ties = _ties(through)
    while not any(tie in winners for tie in ties):
        ties = _ties([_without_play(tie, had_left) for tie in ties])
    return [winners[tie] if tie in winners else _without_play(tie, had_left) for tie in ties]


def _bracket(entries: int) -> list[int]:
    """Order the seeds, from 0, so that each meets the weakest that it can as late as it can: 0 7 3 4 1 6 2 5."""
    order = [0]
    while len(order) < entries:
        order = [seed for each in order for seed in (each, 2 * len(order) - 1 - each)]
    return order


_Tie: TypeAlias = tuple[int | None, int | None]


def _ties(through: Sequence[int | None]) -> list[_Tie]:
    return list(zip(through[::2], through[1::2], strict=True))


def _known(ties: Sequence[_Tie]) -> list[tuple[int, int]]:
    return [(a, b) for a, b in ties if a is not None and b is not None]


def _walkover(tie: _Tie, gone: Collection[int]) -> bool:
    return any(entry in gone for entry in tie)


def _without_play(tie: _Tie, gone: Collection[int]) -> int | None:
    """Return the entry that advances without playing, because the other one is absent; None if both are."""
    return next((entry for entry in tie if entry is not None and entry not in gone), None)


def _is_unattended(table: TableEntries, stage: Sequence[PlayedRound]) -> bool:
    """Return whether both were away from the last set of a tie."""
    return [one.unattended for each in stage for one in each.sets if one.table == table][-1]


def _winner(tie: _Tie, ahead: int, gone: Collection[int], rank: dict[int, int]) -> int | None:
    """Return who won a tie that was played; where it stayed even, who did not leave, or the better seed."""
    if ahead:
        return tie[0] if ahead > 0 else tie[1]
    if _walkover(tie, gone):
        return _without_play(tie, gone)
    return min((entry for entry in tie if entry is not None), key=rank.__getitem__)


class KnockoutFormat(AdaptiveFormat):
    """Knockout: the loser of a tie is out; entries are seeded in the order of their numbers."""

    name: ClassVar[str] = mark("knockout")
    label: ClassVar[str] = mark("Knockout")
    hint: ClassVar[str] = mark("Lose a pairing and you are out: finds a winner. Two seats.")
    position: ClassVar[int] = 4
    parameters: ClassVar[tuple[Parameter, ...]] = (SETS,)
    size_parameter: ClassVar[str] = "sets"
    is_for_two_seats: ClassVar[bool] = True
    has_champion: ClassVar[bool] = True
    has_known_length: ClassVar[bool] = False

    @property
    def _sets(self) -> int:
        return self.given.get("sets", 1)

    def most_sets(self, entries: int, seats: int, more: int = 0, groups: Groups = ()) -> int:  # noqa: ARG002 - it is never longer
        """Count the sets if every tie stays even to its end."""
        return (entries - 1) * (self._sets + MAX_EXTRA_SETS)

    def rounds(self, entries: int, seats: int = 2, more: int = 0, terms: Terms = STANDARD) -> Knockout:  # noqa: ARG002 - seeds decide who meets
        """Return the bracket."""
        return Knockout(tuple(range(entries)), self._sets)

    def describe(self, course: DecisionState, names: Sequence[str]) -> str:  # noqa: ARG002 - always the same
        """Return how long its ties are."""
        return say_many("Knockout, {number} set a tie", "Knockout, {number} sets a tie", self._sets)

    def rounds_shown(
        self, entries: int, course: DecisionState, played: Sequence[PlayedRound]
    ) -> tuple[ShownRound, ...]:
        """Return its stages, each with all of its ties and the further sets of those that were even."""
        drawn = stages(played)
        return tuple(self._stage(entries, course, drawn, number) for number in range(len(drawn)))

    def champion(self, entries: int, course: DecisionState, played: Sequence[PlayedRound]) -> int | None:
        """Return the winner; None while the knockout continues, and if it was cancelled."""
        return self.rounds(entries).champion(played, course.withdrawn) if _is_decided(course) else None

    def why_over(self, entries: int, course: DecisionState, played: Sequence[PlayedRound]) -> str:
        """Return whether it has a champion."""
        unattended = any(one.unattended for each in played for one in each.sets)
        if unattended and self.rounds(entries).champion(played, course.withdrawn) is None:
            return _NO_CHAMPION
        return super().why_over(entries, course, played)

    def _stage(
        self,
        entries: int,
        course: DecisionState,
        drawn: Sequence[Sequence[PlayedRound]],
        number: int,
    ) -> ShownRound:
        """Show a stage.  Entries that were drawn in the next one have gone on, even if results were annulled since."""
        stage, later = drawn[number], drawn[number + 1 :]
        tables = list(dict.fromkeys(one.table for one in stage[0].sets))
        sits_out = stage[0].byes
        went_on: frozenset[int] | None = None
        if later:
            went_on = frozenset(_drawn(later[0][0]))
            # Its opponent has left: it advances without playing, as with a bye.
            met = {entry for table in tables for entry in table}
            sits_out = (*sits_out, *sorted(went_on - met - set(sits_out)))
        before = [each for earlier in drawn[:number] for each in earlier]
        places = max(
            self.rounds(entries).places(before, stage[0].gone),
            _power_of_two(2 * (len(tables) + len(sits_out))),
        )
        ties = tuple(_shown(course, table, stage, went_on) for table in tables)
        return ShownRound(self.stage_name(places), ties, sits_out)

    @classmethod
    def bracket(cls, entries: int) -> Sequence[int | None]:
        """Return the entry at each place of the bracket: entries are seeded in the order of their numbers."""
        return [seed if seed < entries else None for seed in _bracket(entries)]

    @classmethod
    def stage_name(cls, places: int) -> str:
        """Return what a stage is called: the last three have names of their own."""
        return _STAGES[places] if places in _STAGES else super().stage_name(places)


def _shown(
    course: DecisionState,
    table: TableEntries,
    stage: Sequence[PlayedRound],
    went_on: frozenset[int] | None,
) -> ShownTie:
    sets = [one for each in stage for one in each.sets if one.table == table]
    first, second = (sum(one.halves[side] for one in sets) for side in range(2))
    winner: int | None = None
    unattended = first == second and _is_unattended(table, stage)
    known = [] if went_on is None else [entry for entry in table if entry in went_on]
    if known:
        winner = known[0]
    elif unattended:
        pass
    elif went_on is not None or _is_decided(course) or table not in _tables(stage[-1]):
        here = [entry for entry in table if entry not in course.withdrawn]
        if first != second:
            winner = table[first < second]
        elif here:
            winner = min(here)  # the better seed
    return ShownTie(table, (first, second), winner, len(sets), unattended and winner is None)


def _power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()


def _is_decided(course: DecisionState) -> bool:
    return course.over is not None and not course.over.cancelled


FORMAT = KnockoutFormat
