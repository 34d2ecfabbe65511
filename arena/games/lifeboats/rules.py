"""The rules of Lifeboats (docs/rules.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from arena.core.translatable import mark
from arena.games.kernel import (
    Action,
    Answer,
    Decision,
    Game,
    IllegalAction,
    Option,
    Result,
    Setup,
    Step,
)
from arena.games.lifeboats import placement, rounds, score, view_builder, votes
from arena.games.lifeboats.notation import STICK, WORDS
from arena.games.lifeboats.state import NOBODY, LifeboatsState, Stage
from arena.games.lifeboats.view import LifeboatsView
from arena.games.values import mypyc_attr

_OPTIONS: Final = (
    Option("dealt", 0, 1, 0, mark("1 deals columns and places from the seed, 0 has the seats choose them")),
    Option("talk", 0, 5, 2, mark("rounds of talk before a vote, at most")),
)


@mypyc_attr(allow_interpreted_subclasses=True)
class Lifeboats(Game[LifeboatsState, LifeboatsView]):
    """Three to six seats, simultaneous votes, changing boats in turn, open talk."""

    id: ClassVar[str] = "lifeboats"
    title: ClassVar[str] = "Lifeboats"
    rules_version: ClassVar[int] = 1
    variants: ClassVar[dict[str, range]] = {"standard": range(3, 7), "stick": range(3, 7)}
    has_talk: ClassVar[bool] = True

    def options(self, variant: str, seats: int) -> tuple[Option, ...]:  # noqa: ARG002 - the same for all
        """Return the two options: `dealt` and `talk`."""
        return _OPTIONS

    def new(self, setup: Setup, seed: bytes) -> tuple[LifeboatsState, tuple[Step, ...]]:
        """Set up the boats, dealt or empty."""
        if setup.options["dealt"]:
            return placement.deal_setup(setup, seed)
        return placement.choose_setup(setup), ()

    def to_act(self, state: LifeboatsState) -> tuple[Decision, ...]:
        """Name the voters, the talkers, or the one seat whose turn it is."""
        return state.to_act

    def legal(self, state: LifeboatsState, seat: int) -> tuple[Action, ...]:
        """List columns ascending, boats in seat order with the black one last, a sailor before an officer, `hat` last."""
        return _LEGAL[state.stage](state, seat)

    def apply(
        self, state: LifeboatsState, answers: Sequence[Answer]
    ) -> tuple[LifeboatsState, tuple[Step, ...]]:
        """Resolve a vote, a round of talk, or one seat's turn; no chance follows."""
        if len(answers) != len(state.to_act) or not answers:
            raise IllegalAction(f"answers: {len(answers)} given, {len(state.to_act)} must be")
        return _APPLY[state.stage](state, answers), ()

    def seen(self, step: Step, seat: int | None) -> Step | None:  # noqa: ARG002 - all is open
        """Show everything."""
        return step

    def view(self, state: LifeboatsState, seat: int) -> LifeboatsView:  # noqa: ARG002 - all is open
        """Show the position, the same to all."""
        return view_builder.build(state)

    def result(self, state: LifeboatsState) -> Result | None:
        """Score the pawns that are safe."""
        return None if state.to_act else score.result(state)


LIFEBOATS: Final = Lifeboats()


def _vote(state: LifeboatsState, answers: Sequence[Answer]) -> LifeboatsState:
    after, option = votes.cast(state, answers)
    if option != NOBODY:
        rounds.settle(after, option)
    return after


def _choose(state: LifeboatsState, answers: Sequence[Answer]) -> LifeboatsState:
    after, option = votes.choose(state, answers)
    rounds.settle(after, option)
    return after


_LEGAL: Final[dict[str, Callable[[LifeboatsState, int], tuple[Action, ...]]]] = {
    Stage.LAUNCH: lambda state, _: placement.can_launch(state),
    Stage.BOARD: placement.can_board,
    Stage.STICK: lambda *_: STICK,
    Stage.VOTE: votes.can_vote,
    Stage.CHOOSE: lambda state, _: WORDS[state.match.seats].chooses[state.options],
    Stage.LEAVE: rounds.can_leave,
    Stage.ENTER: lambda state, _: rounds.can_enter(state),
}

_APPLY: Final[dict[str, Callable[[LifeboatsState, Sequence[Answer]], LifeboatsState]]] = {
    Stage.LAUNCH: placement.launch,
    Stage.BOARD: placement.board,
    Stage.TALK: votes.hear,
    Stage.STICK: votes.hand_stick,
    Stage.VOTE: _vote,
    Stage.CHOOSE: _choose,
    Stage.LEAVE: rounds.leave,
    Stage.ENTER: rounds.enter,
}
