"""The rules of Teotlatolli (docs/rules.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from arena.games.chance import Stream
from arena.games.kernel import (
    Action,
    Answer,
    Chance,
    Choice,
    Decision,
    Game,
    IllegalAction,
    Option,
    Result,
    Setup,
    Step,
    places,
)
from arena.games.redaction import hide
from arena.games.teotlatolli import view_builder
from arena.games.teotlatolli.actions import perform
from arena.games.teotlatolli.cards import DECK, GODS, SIGNS, gather
from arena.games.teotlatolli.moves import list_legal
from arena.games.teotlatolli.state import DRAW, HAND, NOBODY, PLACES, SEATS, Supply, TeotlatolliState
from arena.games.teotlatolli.turns import draw, is_decided
from arena.games.teotlatolli.view import TeotlatolliView
from arena.games.values import mypyc_attr

_TO_ACT: Final[tuple[tuple[Decision, ...], ...]] = (*[(Choice(seat),) for seat in range(SEATS)], ())


@mypyc_attr(allow_interpreted_subclasses=True)
class Teotlatolli(Game[TeotlatolliState, TeotlatolliView]):
    """Two seats, turns of many small actions, hidden hands."""

    id: ClassVar[str] = "teotlatolli"
    title: ClassVar[str] = "Teotlatolli"
    rules_version: ClassVar[int] = 1
    variants: ClassVar[dict[str, range]] = {"standard": range(2, 3)}

    def options(self, variant: str, seats: int) -> tuple[Option, ...]:  # noqa: ARG002 - none at all
        """Return no options: there are none."""
        return ()

    def new(self, setup: Setup, seed: bytes) -> tuple[TeotlatolliState, tuple[Step, ...]]:  # noqa: ARG002 - one way
        """Shuffle the signs, then the gods; deal six signs to each seat and five gods into play."""
        signs, stream = Stream(seed).shuffle(DECK)
        gods, stream = stream.shuffle(GODS)
        first, second, reserve = signs[:HAND], signs[HAND : 2 * HAND], signs[2 * HAND :]
        state = TeotlatolliState(
            supply=Supply(stream, reserve, gods),
            drawn=0,
            turn=0,
            quiet=0,
            seat=0,
            phase=DRAW,
            spent=0,
            hands=(gather(first), gather(second)),
            known=(0, 0),
            depots=(0, 0),
            discards=0,
            gods=gods[:PLACES],
            sides=((0,) * PLACES, (0,) * PLACES),
            completed=((), ()),
        )
        groups = [" ".join([SIGNS[sign] for sign in group]) for group in (first, second, reserve)]
        return state, (Chance("deal", (*groups, " ".join(map(str, gods)))),)

    def to_act(self, state: TeotlatolliState) -> tuple[Decision, ...]:
        """Name the one seat whose turn it is."""
        return _TO_ACT[state.seat]

    def legal(self, state: TeotlatolliState, seat: int) -> tuple[Action, ...]:  # noqa: ARG002 - only one can act
        """List plays, switches, moves, uses and `end`; or what a draw, an extra action or the hand limit allows."""
        return list_legal(state)

    def apply(
        self, state: TeotlatolliState, answers: Sequence[Answer]
    ) -> tuple[TeotlatolliState, tuple[Step, ...]]:
        """Do one action, and complete what it fills; a draw may have the discards shuffled."""
        if state.seat == NOBODY or len(answers) != 1:
            raise IllegalAction(f"answers: {len(answers)} given, {int(state.seat != NOBODY)} must be")
        action = answers[0]
        if state.phase == DRAW and action == "draw":
            after = state.copy()
            return after, draw(after)
        performed = perform(state, action)
        if performed is None:
            raise IllegalAction(f"action {action!r}: must be one of {', '.join(list_legal(state))}")
        return performed, ()

    def seen(self, step: Step, seat: int | None) -> Step | None:
        """Show all but the other hand, the reserve, and the gods to come."""
        if not isinstance(step, Chance):
            return step
        if step.name == "reshuffle":
            return Chance(step.name, tuple([hide(group) for group in step.outcome]))
        *signs, gods = step.outcome
        shown = [group if to == seat else hide(group) for to, group in enumerate(signs)]
        return Chance(step.name, (*shown, hide(gods, PLACES)))

    def view(self, state: TeotlatolliState, seat: int) -> TeotlatolliView:
        """Show the position to a seat."""
        return view_builder.build(state, seat)

    def result(self, state: TeotlatolliState) -> Result | None:
        """Count the gods of each seat."""
        if state.seat != NOBODY:
            return None
        first, second = state.completed
        scores = (len(first), len(second))
        end = "completed" if is_decided(state) else "turn limit"
        return Result(scores, places(scores), end, {"gods": [list(first), list(second)]})


TEOTLATOLLI: Final = Teotlatolli()
