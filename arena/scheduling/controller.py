"""Steering: what is decided next, from the results so far and nothing else.

first ──▶ its sets are played ──▶ decide ──▶ its sets are played ──▶ decide ──▶ … ──▶ Over
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from arena.games.chance import Stream
from arena.ratings.error_bars import QUANTILE
from arena.ratings.model import POINTS_PER_E
from arena.ratings.totals import half_units
from arena.scheduling import seeds, stop_rules
from arena.scheduling.decisions import Cycles, Decision, DecisionState, End, RoundDrawn
from arena.scheduling.formats.adaptive_rounds import (
    PlayedRound,
    PlayedSet,
    Round,
    SetPairs,
    TableEntries,
    basis,
)
from arena.scheduling.formats.ladder import LOT_EVERY, LadderStanding, pairings
from arena.scheduling.formats.tournament_format import Format
from arena.scheduling.planning_terms import STANDARD, Groups, Terms

_LOOK_AFTER_MATCHES = 64
"""Matches between two looks in plans of version 1: the fewest whole cycles that make as many."""

_MIN_SETS_BETWEEN_LOOKS = 8
_CYCLES_PER_LOOK = 8
"""An eighth of all cycles so far are played between two looks, but at least these: no matches are played during a look,
so the longer a test takes the rarer they are, and a test is over at most an eighth later than if it had looked always."""

_MIN_TABLES = LOT_EVERY
"""Tables of a ladder's round, at least: so one of them is drawn by lot."""


def draw_ladder_round(
    secret: bytes,
    number: int,
    known: Sequence[tuple[float, float]],
    gone: Collection[int],
    seats: int,
    groups: Groups = (),
) -> tuple[TableEntries, ...]:
    """Draw a round of a ladder; `known` is by entry, its Elo and the half width of its error bar, `gone` who is not drawn.

    No two entries of one of the `groups` (`arena.scheduling.planning_terms`) sit together.
    """
    here = [entry for entry in range(len(known)) if entry not in set(gone)]
    ratings = np.array([known[entry][0] for entry in here]) / POINTS_PER_E
    errors = np.array([known[entry][1] for entry in here]) / (QUANTILE * POINTS_PER_E)
    owners = tuple(groups[entry] for entry in here) if groups else ()
    tables = max(_MIN_TABLES, ceil(len(here) / seats))
    stream = Stream(seeds.schedule_seed(secret, "round", number))
    return tuple(
        tuple(here[place] for place in table)
        for table in pairings(LadderStanding(ratings, errors**2), seats, tables, stream, owners)
    )


@dataclass(frozen=True, slots=True)
class Controller:
    """A tournament's rules, and what they are applied to."""

    rules: Format
    entries: int
    seats: int
    secret: bytes
    terms: Terms = STANDARD

    def first(self) -> Decision:
        """Decide how it begins."""
        if self.rules.adapts:
            return self.decide(DecisionState(), {})
        return Cycles(self._next_cycles(0, self.rules.cycles))

    def decide(self, course: DecisionState, played: Mapping[int, SetPairs]) -> Decision:
        """Decide what comes next, when all that was planned is played; `played` is by the numbers of the sets."""
        hashed = basis(played, course.withdrawn)
        if self.rules.adapts:
            return self._draw(course, played, hashed)
        left = self.rules.cycles + course.more - course.cycles
        if self.rules.stop is not None:
            shown = stop_rules.verdict(self.rules.stop, (played[number] for number in sorted(played)))
            if shown is not None:
                return End(shown, hashed)
            if left <= 0:
                return End(f"after all {course.cycles} cycles nothing is certain", hashed)
        if left <= 0:
            return End("all cycles are played")
        return Cycles(self._next_cycles(course.cycles, left), hashed)

    def _next_cycles(self, had: int, left: int) -> int:
        """Return how many cycles are played until a stop rule looks again, of those that are left; all without one."""
        if self.rules.stop is None:
            return left
        groups = self.terms.apart
        tables = len(
            self.rules.schedule(self.entries, self.seats, DecisionState(cycles=1), self.secret, groups)
        )
        if self.terms.version == 1:
            return min(left, ceil(_LOOK_AFTER_MATCHES / (tables * self.seats)))
        first = self.rules.cycles_to_decide(self.entries, self.seats, groups)
        step = max(ceil(_MIN_SETS_BETWEEN_LOOKS / tables), had // _CYCLES_PER_LOOK)
        return min(left, first - had if had < first else step)

    def _draw(self, course: DecisionState, played: Mapping[int, SetPairs], hashed: str) -> Decision:
        number = len(course.rounds)
        stream = Stream(seeds.schedule_seed(self.secret, "round", number))
        rounds = played_rounds(course, played, self.seats)
        drawn = self.rules.next_round(self.entries, self.seats, course, rounds, stream, self.terms)
        if drawn is None:
            return End(self.rules.why_over(self.entries, course, rounds), hashed)
        return _logged(drawn, course, hashed)


def _logged(drawn: Round, course: DecisionState, hashed: str) -> RoundDrawn:
    return RoundDrawn(drawn.tables, drawn.byes, tuple(sorted(course.withdrawn)), hashed)


def played_rounds(
    course: DecisionState, played: Mapping[int, SetPairs], seats: int
) -> tuple[PlayedRound, ...]:
    """Combine the drawn rounds with their results; the last round may be incomplete."""
    rounds, first = [], 0
    for drawn in course.rounds:
        sets = tuple(
            _played_set(table, played.get(first + place, ()), seats)
            for place, table in enumerate(drawn.tables)
        )
        rounds.append(PlayedRound(sets, drawn.byes, drawn.gone))
        first += len(drawn.tables)
    return tuple(rounds)


def _played_set(table: TableEntries, pairs: SetPairs, seats: int) -> PlayedSet:
    won = dict.fromkeys(table, 0)
    for pair in pairs:
        won[pair.low] += pair.low_units
        won[pair.high] += pair.high_units
    unattended = bool(pairs) and not any(pair.low_units or pair.high_units for pair in pairs)
    return PlayedSet(table, tuple(won[entry] // half_units(seats) for entry in table), unattended)
