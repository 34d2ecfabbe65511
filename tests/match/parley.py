"""A tiny game for tests of the session: rounds of talk and of simultaneous choices, some of them forced.

Each round the talkers may say a line, all at once; then every seat picks a number at the same time.  In round r the
seat r mod n has a single legal action.  A seat's score is the sum of its picks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from arena.games.kernel import (
    Answer,
    Chance,
    Choice,
    Decision,
    Game,
    IllegalAction,
    Line,
    Option,
    Played,
    Result,
    Setup,
    Step,
    Talk,
    TalkLimits,
    places,
)

LIMITS = TalkLimits(max_text_bytes=20, max_claims=0)


class State(NamedTuple):
    seats: int
    rounds: int
    talkers: tuple[int, ...]
    round: int
    talking: bool
    scores: tuple[int, ...]


class Parley(Game[State, Any]):
    id: ClassVar[str] = "parley"
    title: ClassVar[str] = "Parley"
    rules_version: ClassVar[int] = 1
    has_talk: ClassVar[bool] = True
    variants: ClassVar[dict[str, range]] = {"standard": range(2, 5)}

    def options(self, variant: str, seats: int) -> tuple[Option, ...]:
        return (Option("rounds", 1, 9, 3, "rounds"),)

    def new(self, setup: Setup, seed: bytes) -> tuple[State, tuple[Step, ...]]:
        talkers = tuple(seat for seat, talks in enumerate(setup.talks) if talks)
        state = State(setup.seats, setup.options["rounds"], talkers, 0, bool(talkers), (0,) * setup.seats)
        return state, (Chance("deal", ("A B", "C")),)

    def to_act(self, state: State) -> tuple[Decision, ...]:
        if state.round == state.rounds:
            return ()
        if state.talking:
            return tuple(Talk(seat, 0, LIMITS) for seat in state.talkers)
        return tuple(Choice(seat) for seat in range(state.seats))

    def legal(self, state: State, seat: int) -> tuple[str, ...]:
        return ("pick 0",) if state.round % state.seats == seat else ("pick 0", "pick 1", "pick 2")

    def apply(self, state: State, answers: Sequence[Answer]) -> tuple[State, tuple[Step, ...]]:
        if state.talking:
            return state._replace(talking=False), ()
        for seat, answer in enumerate(answers):
            if isinstance(answer, Line) or answer not in self.legal(state, seat):
                raise IllegalAction(f"action {answer!r}")
        scores = tuple(
            score + int(str(answer)[-1]) for score, answer in zip(state.scores, answers, strict=True)
        )
        after = state._replace(round=state.round + 1, talking=bool(state.talkers), scores=scores)
        return after, (Chance("turn", (str(after.round),)),)

    def seen(self, step: Step, seat: int | None) -> Step | None:
        if isinstance(step, Chance) and step.name == "deal":
            return Chance("deal", ("A B" if seat == 0 else "? ?", "?"))
        if isinstance(step, Played) and step.seat != seat:
            return Played(step.seat, "pick ?", step.together)
        return step

    def view(self, state: State, seat: int) -> tuple[int, ...]:
        return (state.round, seat)

    def result(self, state: State) -> Result | None:
        if state.round < state.rounds:
            return None
        return Result(state.scores, places(state.scores), "completed", {})


PARLEY = Parley()
