"""Race: finds the best of many.  Sets are spent on entries that may still be the best; the others leave, at a guaranteed error.

In a round all remaining entries are drawn to full tables; if the last table is not full, some play twice, and if
fewer remain than a table has seats, some that have left fill it.  Several rounds are drawn at once; after them, entries that
can no longer be the best leave (`arena.ratings.elimination`).  The more rounds there were, the rarer the looks: no match is played during one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import ClassVar, Literal

import numpy as np

from arena.core.errors import Refusal
from arena.core.translatable import mark, say, say_many
from arena.games.chance import Stream
from arena.ratings.elimination import Contenders, Scores
from arena.scheduling import owner_separation
from arena.scheduling.decisions import DecisionState, RoundDrawn
from arena.scheduling.formats.adaptive_format import AdaptiveFormat
from arena.scheduling.formats.adaptive_rounds import (
    Elimination,
    PlayedRound,
    Round,
    ShownRound,
    TableEntries,
)
from arena.scheduling.formats.tournament_format import ROUNDS, Parameter, more_rounds, one_owner
from arena.scheduling.planning_terms import STANDARD, Groups, Terms

ERROR = Parameter(
    "error",
    mark("Error in percent"),
    "How likely it may be that a race loses the best bot, in percent",
    "5",
    mark("Largest accepted probability of eliminating the best bot."),
    maximum=49,
)
USUAL_ROUNDS = 1000
USUAL_PERCENT = 5

MAX_ENTRIES = 64
"""All are compared with all."""

_MIN_ROUNDS = 8
_ROUNDS_PER_LOOK = 8
"""From one look to the next an eighth of all rounds so far are played: so a race is over at most an eighth later than if it had looked always."""


@dataclass(frozen=True, slots=True)
class RaceState:
    """State of a race."""

    still_in: tuple[int, ...]
    """Entries that may still be the best, connected or not."""
    left: tuple[tuple[int, ...], ...]
    """By look, who can no longer be the best since then."""
    rounds: tuple[int, ...]
    """By look, how many rounds had been played since the one before."""


@dataclass(frozen=True, slots=True)
class Race:
    """A race of `entries` for the best one: at most `rounds` rounds, the best lost with a probability of at most `error`."""

    entries: int
    seats: int
    rounds: int = USUAL_ROUNDS
    error: float = USUAL_PERCENT / 100

    def next(self, played: Sequence[PlayedRound], gone: Collection[int], stream: Stream) -> Round | None:
        """Draw the rounds until the next look; None when one is left, all are played, or too few are there for a table."""
        state = self.state(played)
        here = [entry for entry in state.still_in if entry not in gone]
        rest = [entry for entry in range(self.entries) if entry not in here and entry not in gone]
        had = sum(state.rounds)
        if len(here) < 2 or len(here) + len(rest) < self.seats or had >= self.rounds:
            return None
        tables: list[TableEntries] = []
        for _ in range(min(self.rounds - had, max(_MIN_ROUNDS, had // _ROUNDS_PER_LOOK))):
            drawn, stream = self.draw(here, rest, stream)
            tables += drawn
        return Round(tuple(tables), byes=tuple(rest))

    def state(self, played: Sequence[PlayedRound]) -> RaceState:
        """Return the state after the looks at these rounds."""
        return self._look(played)[0]

    def rounds_left(self, played: Sequence[PlayedRound]) -> int | None:
        """Estimate how many rounds more it takes until one is left; None if the rounds of the race are not enough at this pace."""
        state, contenders = self._look(played)
        had = sum(state.rounds)
        return contenders.rounds_left(had, self.rounds - had) if had else None

    def _look(self, played: Sequence[PlayedRound]) -> tuple[RaceState, Contenders]:
        contenders = Contenders(self.entries, self.error)
        left, rounds = [], []
        for each in played:
            # As it was drawn: after later annulments the results may disagree about the entries that had left.
            out = {*each.byes, *each.gone}
            scores = self.scores(each, self._tables(self.entries - len(out)))
            left.append(contenders.look(scores))
            rounds.append(len(scores))
        return RaceState(tuple(contenders.still_in), tuple(left), tuple(rounds)), contenders

    def draw(
        self, here: Sequence[int], rest: Sequence[int], stream: Stream
    ) -> tuple[tuple[TableEntries, ...], Stream]:
        """Seat all entries that are `here`, by lot; the last table is filled by lot from them or from the `rest`."""
        lots, stream = stream.shuffle(here)
        full = len(lots) // self.seats * self.seats
        tables = [lots[start : start + self.seats] for start in range(0, full, self.seats)]
        if full < len(lots):
            fill, stream = stream.shuffle(lots[:full] or rest)
            tables.append((*lots[full:], *fill)[: self.seats])
        return tuple(tuple(sorted(table)) for table in tables), stream

    def _tables(self, here: int) -> int:
        """Count the tables of a round."""
        return ceil(here / self.seats)

    def scores(self, played: PlayedRound, tables: int) -> Scores:
        """Return the scores of what was drawn at once: by round and entry, the mean of its sets, from 0 to 1."""
        shape = (len(played.sets) // tables, self.entries)
        won, sets = np.zeros(shape), np.zeros(shape)
        for number, each in enumerate(played.sets):
            if any(each.halves):
                at = number // tables, each.table
                won[at] += each.halves
                sets[at] += 1
        most = 2 * (self.seats - 1) * self.seats
        scores: Scores = np.divide(won, sets * most, out=np.full(shape, np.nan), where=sets > 0)
        return scores


class RaceFormat(AdaptiveFormat):
    """Sets are spent on who may still be the best; losers leave at a guaranteed error."""

    name: ClassVar[str] = mark("race")
    label: ClassVar[str] = mark("Race")
    hint: ClassVar[str] = mark(
        "Bots that can no longer be the best drop out: finds the best of many versions in few matches."
    )
    position: ClassVar[int] = 5
    parameters: ClassVar[tuple[Parameter, ...]] = (ROUNDS, ERROR)
    extension_unit: ClassVar[Literal["cycles", "rounds"] | None] = "rounds"
    size_parameter: ClassVar[str] = "rounds"
    compares_versions: ClassVar[bool] = True
    has_champion: ClassVar[bool] = True
    has_known_length: ClassVar[bool] = False

    @property
    def _rounds(self) -> int:
        return self.given.get("rounds", USUAL_ROUNDS)

    @property
    def _percent(self) -> int:
        return self.given.get("error", USUAL_PERCENT)

    def check_entries(self, entries: int, seats: int, groups: Groups = ()) -> None:
        """Check that this number of entries can race, and that all can meet all.  Raises Refusal."""
        super().check_entries(entries, seats, groups)
        if entries > MAX_ENTRIES:
            raise Refusal(
                "too_many_bots",
                say("bots: {entries} entered; a race has {most} at most", entries=entries, most=MAX_ENTRIES),
                field="bots",
            )
        if seats > 2 and owner_separation.is_crowded(groups):
            raise one_owner(
                say(
                    "bots: several belong to one owner, and at a rated table of {seats} seats they may not sit together;"
                    " a race compares bots that all meet each other. Make the tournament unrated",
                    seats=seats,
                )
            )

    def most_sets(self, entries: int, seats: int, more: int = 0, groups: Groups = ()) -> int:  # noqa: ARG002 - it is never longer, and has no owners
        """Count the sets if all entries stay until the last round."""
        return (self._rounds + more) * ceil(entries / seats)

    def rounds(self, entries: int, seats: int, more: int = 0, terms: Terms = STANDARD) -> Race:  # noqa: ARG002 - has no owners
        """Return what draws the rounds."""
        return Race(entries, seats, self._rounds + more, self._percent / 100)

    def count_rounds(self, entries: int, drawn: Sequence[RoundDrawn]) -> int:
        """Return how many rounds were drawn: a decision draws all until the next look."""
        here = [entries - len({*each.byes, *each.gone}) for each in drawn]
        return sum(
            len(each.tables) // ceil(left / len(each.tables[0]))
            for each, left in zip(drawn, here, strict=True)
        )

    def describe(self, course: DecisionState, names: Sequence[str]) -> str:  # noqa: ARG002 - whoever they are
        """Return how long it may be, and how sure it is."""
        return say_many(
            "Race, at most {number} round, error {percent} %",
            "Race, at most {number} rounds, error {percent} %",
            self._rounds + course.more,
            percent=self._percent,
        )

    @classmethod
    def describe_more(cls, more: int) -> str:
        """Return a sentence about `more` rounds being allowed."""
        return more_rounds(more)

    def rounds_shown(
        self,
        entries: int,  # noqa: ARG002 - has none
        course: DecisionState,  # noqa: ARG002 - likewise
        played: Sequence[PlayedRound],  # noqa: ARG002 - likewise
    ) -> tuple[ShownRound, ...]:
        """Return none: who left when is shown, not thousands of sets."""
        return ()

    def eliminations(
        self, entries: int, course: DecisionState, played: Sequence[PlayedRound]
    ) -> tuple[Elimination, ...]:
        """Return by look who can no longer be the best; what is still played has not been looked at."""
        over = played if course.over is not None else played[:-1]
        if not over:
            return ()
        state = self.race_of(entries, over).state(over)
        left = accumulate(map(len, state.left))
        return tuple(
            Elimination(rounds, leaves, entries - so_far)
            for rounds, leaves, so_far in zip(accumulate(state.rounds), state.left, left, strict=True)
        )

    def champion(self, entries: int, course: DecisionState, played: Sequence[PlayedRound]) -> int | None:
        """Return who is left; None while others may be the best too, and if it was cancelled."""
        if course.over is None or course.over.cancelled or not played:
            return None
        here = [
            each
            for each in self.race_of(entries, played).state(played).still_in
            if each not in course.withdrawn
        ]
        return here[0] if len(here) == 1 else None

    def why_over(self, entries: int, course: DecisionState, played: Sequence[PlayedRound]) -> str:
        """Return how many may still be the best, and how likely that is wrong."""
        state = self.race_of(entries, played).state(played) if played else None
        here = [
            each for each in (state.still_in if state else range(entries)) if each not in course.withdrawn
        ]
        rounds = sum(state.rounds) if state else 0
        left = "one bot may" if len(here) == 1 else f"{len(here)} bots may"
        return f"after {rounds} rounds {left} still be the best (error at most {self._percent} %)"

    def race_of(self, entries: int, played: Sequence[PlayedRound]) -> Race:
        """Return the race that such rounds were drawn by."""
        return self.rounds(entries, len(played[0].sets[0].table))


FORMAT = RaceFormat
