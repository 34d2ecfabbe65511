"""Formats that adapt: each of their rounds is a decision (`arena.scheduling.decisions`), made from the results of those before."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Literal

from arena.core.translatable import say
from arena.games.chance import Stream
from arena.scheduling.decisions import DecisionState
from arena.scheduling.formats.adaptive_rounds import (
    PlayedRound,
    Round,
    Rounds,
    ShownRound,
    ShownTie,
    TableEntries,
)
from arena.scheduling.formats.tournament_format import Format
from arena.scheduling.planning_terms import Groups, Terms


class AdaptiveFormat(Format):
    """A format that is played in rounds."""

    adapts: ClassVar[bool] = True
    size_parameter: ClassVar[str] = "rounds"
    extension_unit: ClassVar[Literal["cycles", "rounds"] | None] = None

    @abstractmethod
    def rounds(self, entries: int, seats: int, more: int, terms: Terms) -> Rounds:
        """Return what draws the rounds; `more` are those that were allowed beyond the ones asked for at first."""

    def schedule(
        self,
        entries: int,  # noqa: ARG002 - follows from the rounds
        seats: int,  # noqa: ARG002 - likewise
        course: DecisionState,
        secret: bytes,  # noqa: ARG002 - it was used when they were drawn
        groups: Groups = (),  # noqa: ARG002 - likewise
    ) -> Sequence[TableEntries]:
        """Return the tables of the rounds that were drawn."""
        return tuple(table for each in course.rounds for table in each.tables)

    def next_round(
        self,
        entries: int,
        seats: int,
        course: DecisionState,
        played: Sequence[PlayedRound],
        stream: Stream,
        terms: Terms,
    ) -> Round | None:
        """Draw the next round, or None if it is over."""
        return self.rounds(entries, seats, course.more, terms).next(played, course.withdrawn, stream)

    def rounds_shown(
        self,
        entries: int,  # noqa: ARG002 - for brackets
        course: DecisionState,  # noqa: ARG002 - for brackets
        played: Sequence[PlayedRound],
    ) -> tuple[ShownRound, ...]:
        """Return who met in each round, and who sat out."""
        return tuple(
            ShownRound(
                say("Round {number}", number=number),
                tuple(ShownTie(one.table, one.halves, None, 1) for one in each.sets),
                each.byes,
            )
            for number, each in enumerate(played, 1)
        )
