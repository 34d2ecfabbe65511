"""The chances of the choices of a puzzle: from the store, or asked for where they are not computed yet."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from arena.games import registry
from arena.reports.insights import stored_chances
from arena.reports.insights.stored_chances import ChoiceKey

if TYPE_CHECKING:
    from arena.games.kernel import Action
    from arena.match.choice_chances import ChoiceEstimate
    from arena.storage import Store
    from arena.web.puzzles.daily_puzzle import Puzzle

_SHOWN = 6
"""Number of best choices that are shown, besides the reader's and the one that was played."""


@dataclass(frozen=True, slots=True)
class PuzzleChances:
    """The choices that are shown, the best first; none while they are being computed."""

    rows: tuple[ChoiceEstimate, ...]
    computing: bool
    left_out: int = 0

    def is_good(self, action: Action) -> bool:
        """Return whether the error bars of an action and of the best one overlap."""
        found = next(each for each in self.rows if each.action == action)
        best = self.rows[0]
        return best.share - found.share <= hypot(best.error, found.error)


def read(store: Store, puzzle: Puzzle, answer: Action) -> PuzzleChances:
    """Return what the page shows to a reader who has answered."""
    found = stored_chances.OF_CHOICES.load(store, *key_of(puzzle))
    if not found or {each.action for each in found} != set(puzzle.legal):
        return PuzzleChances((), computing=found is None and _is_computed(puzzle))
    ranked = sorted(found, key=lambda each: -each.share)
    shown = [each for at, each in enumerate(ranked) if at < _SHOWN or each.action in {answer, puzzle.played}]
    return PuzzleChances(tuple(shown), computing=False, left_out=len(ranked) - len(shown))


def is_due(store: Store, puzzle: Puzzle) -> bool:
    """Return whether a worker should compute the chances of a puzzle."""
    return _is_computed(puzzle) and stored_chances.OF_CHOICES.load(store, *key_of(puzzle)) is None


def key_of(puzzle: Puzzle) -> ChoiceKey:
    """Name the choice of a puzzle."""
    return ChoiceKey(*puzzle.match.key, puzzle.number, puzzle.seat)


def _is_computed(puzzle: Puzzle) -> bool:
    return "search" in registry.package(puzzle.match.game).house_bots
