"""King of the hill: the king meets the first in line, the winner is king, the other goes to the end of the line."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from arena.core.translatable import mark, say_many
from arena.games.chance import Stream
from arena.scheduling.decisions import DecisionState
from arena.scheduling.formats.adaptive_format import AdaptiveFormat
from arena.scheduling.formats.adaptive_rounds import PlayedRound, Round, ShownRound
from arena.scheduling.formats.tournament_format import Parameter
from arena.scheduling.planning_terms import STANDARD, Groups, Terms

LAPS = Parameter("laps", mark("Laps"), "How often a king of the hill goes through the line", "1")


@dataclass(frozen=True, slots=True)
class Hill:
    """Entry 0 is the first king; the others stand in line."""

    entries: int
    rounds: int

    def next(self, played: Sequence[PlayedRound], gone: Collection[int], stream: Stream) -> Round | None:
        """Let the king meet the first in line that is still there."""
        del stream
        there = [entry for entry in self.line(played) if entry not in gone]
        return Round(((there[0], there[1]),)) if len(there) > 1 and len(played) < self.rounds else None

    def line(self, played: Sequence[PlayedRound]) -> list[int]:
        """Return the king, and the line."""
        line = list(range(self.entries))
        for each in played:
            king, challenger = each.sets[0].table
            ahead = each.sets[0].halves[0] - each.sets[0].halves[1]
            winner, loser = (challenger, king) if ahead < 0 else (king, challenger)
            line = [winner, *(entry for entry in line if entry not in {king, challenger}), loser]
        return line


class KingOfTheHillFormat(AdaptiveFormat):
    """Entry 0 begins as king."""

    name: ClassVar[str] = mark("king-of-the-hill")
    label: ClassVar[str] = mark("King of the hill")
    hint: ClassVar[str] = mark("The winner stays: shows who can hold out. Two seats.")
    position: ClassVar[int] = 7
    parameters: ClassVar[tuple[Parameter, ...]] = (LAPS,)
    size_parameter: ClassVar[str] = "laps"
    is_for_two_seats: ClassVar[bool] = True
    has_champion: ClassVar[bool] = True

    def most_sets(self, entries: int, seats: int, more: int = 0, groups: Groups = ()) -> int:
        """Count the sets of all laps."""
        del seats, more, groups
        return self.given.get("laps", 1) * (entries - 1)

    def rounds(self, entries: int, seats: int = 2, more: int = 0, terms: Terms = STANDARD) -> Hill:
        """Return the hill."""
        return Hill(entries, self.most_sets(entries, seats, more, terms.apart))

    def describe(self, course: DecisionState, names: Sequence[str]) -> str:
        """Return how many laps it has."""
        del course, names
        return say_many(
            "King of the hill, {number} lap", "King of the hill, {number} laps", self.given.get("laps", 1)
        )

    def rounds_shown(
        self, entries: int, course: DecisionState, played: Sequence[PlayedRound]
    ) -> tuple[ShownRound, ...]:
        """Return the rounds with who was king after each; of the last that is known when the next is drawn."""
        hill, shown = self.rounds(entries), super().rounds_shown(entries, course, played)
        decided = len(played) if course.over else len(played) - 1
        return tuple(
            replace(each, ties=(replace(each.ties[0], winner=hill.line(played[: number + 1])[0]),))
            if number < decided
            else each
            for number, each in enumerate(shown)
        )

    def champion(self, entries: int, course: DecisionState, played: Sequence[PlayedRound]) -> int | None:
        """Return the last king."""
        is_won = course.over is not None and not course.over.cancelled
        return self.rounds(entries).line(played)[0] if is_won else None


FORMAT = KingOfTheHillFormat
