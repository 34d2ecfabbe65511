"""The rules of Matching Pennies (docs/rules.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from arena.core.translatable import mark
from arena.games.chance import Stream
from arena.games.kernel import (
    HIDDEN,
    Action,
    Answer,
    Chance,
    Choice,
    Decision,
    Game,
    Option,
    Result,
    Setup,
    Step,
    places,
)
from arena_game_matching_pennies import view
from arena_game_matching_pennies.state import MatchingPenniesState
from arena_game_matching_pennies.view import MatchingPenniesView

_OPTIONS = (Option("rounds", 1, 9, 5, mark("rounds of pennies in a match")),)
_SIDES = ("show heads", "show tails")
STAKES = tuple(range(1, 100))


class MatchingPennies(Game[MatchingPenniesState, MatchingPenniesView]):
    """Two seats, simultaneous choices, a stake that one of them knows."""

    id: ClassVar[str] = "matching_pennies"
    title: ClassVar[str] = "Matching Pennies"
    rules_version: ClassVar[int] = 1
    variants: ClassVar[dict[str, range]] = {"standard": range(2, 3)}

    def options(self, variant: str, seats: int) -> tuple[Option, ...]:
        """Return the one option: `rounds`."""
        return _OPTIONS

    def new(self, setup: Setup, seed: bytes) -> tuple[MatchingPenniesState, tuple[Step, ...]]:
        """Turn up the first stake."""
        return _stake(Stream(seed), setup.options["rounds"], 0, (0, 0))

    def to_act(self, state: MatchingPenniesState) -> tuple[Decision, ...]:
        """Both seats choose, until the rounds are over."""
        return (Choice(0), Choice(1)) if state.round < state.rounds else ()

    def legal(self, state: MatchingPenniesState, seat: int) -> tuple[Action, ...]:
        """List the two sides."""
        return _SIDES

    def apply(
        self, state: MatchingPenniesState, answers: Sequence[Answer]
    ) -> tuple[MatchingPenniesState, tuple[Step, ...]]:
        """Return the stake to seat 0 if both sides are the same, else to seat 1."""
        self.check(state, answers)
        winner = int(answers[0] != answers[1])
        points = (
            state.points[0] + state.stake * (1 - winner),
            state.points[1] + state.stake * winner,
        )
        return _stake(state.stream, state.rounds, state.round + 1, points)

    def seen(self, step: Step, seat: int | None) -> Step | None:
        """Show the stake to the seat that knows it, and all else to everybody."""
        if not isinstance(step, Chance) or seat == view.KNOWS_STAKE:
            return step
        return Chance(step.name, (HIDDEN,))

    def view(self, state: MatchingPenniesState, seat: int) -> MatchingPenniesView:
        """Show the position to a seat."""
        return view.build(state, seat)

    def result(self, state: MatchingPenniesState) -> Result | None:
        """Count the points."""
        if state.round < state.rounds:
            return None
        return Result(state.points, places(state.points), "completed", {"rounds": state.rounds})


MATCHING_PENNIES = MatchingPennies()


def _stake(
    stream: Stream, rounds: int, number: int, points: tuple[int, int]
) -> tuple[MatchingPenniesState, tuple[Step, ...]]:
    if number == rounds:
        return MatchingPenniesState(stream, rounds, number, 0, points), ()
    stakes, stream = stream.shuffle(STAKES)
    state = MatchingPenniesState(stream, rounds, number, stakes[0], points)
    return state, (Chance("stake", (str(stakes[0]),)),)
