"""The rules of The Bottle Imp (docs/rules.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from arena.core.translatable import mark
from arena.games.bottle_imp import hands, passes, tricks, view_builder
from arena.games.bottle_imp.state import FORMS, LOPAKA, MAX_HANDS, OVER, PASSING, BottleImpState
from arena.games.bottle_imp.view import BottleImpView
from arena.games.chance import Stream
from arena.games.kernel import (
    HIDDEN,
    Action,
    Answer,
    Chance,
    Decision,
    Game,
    IllegalAction,
    Json,
    Option,
    Played,
    Result,
    Setup,
    Step,
    places,
)
from arena.games.redaction import hide
from arena.games.values import mypyc_attr

_SECRET: Final = ("devil", "left", "right")
"""Choices that only the choosing seat sees; a seat finds the cards it received in its view once all have chosen."""


@mypyc_attr(allow_interpreted_subclasses=True)
class BottleImp(Game[BottleImpState, BottleImpView]):
    """Two to four seats, cards passed at the same time, then tricks in turn."""

    id: ClassVar[str] = "bottle_imp"
    title: ClassVar[str] = "The Bottle Imp"
    rules_version: ClassVar[int] = 1
    variants: ClassVar[dict[str, range]] = {
        "standard": range(3, 5),
        "lopaka": range(2, 3),
        "bright_house": range(2, 3),
    }

    def options(self, variant: str, seats: int) -> tuple[Option, ...]:
        """Return the two options: `hands` and `target`."""
        standard = 2 * seats if variant == "standard" else 4
        return (
            Option(
                "hands", 1, MAX_HANDS, standard, mark("hands in the match; the highest sum of scores wins")
            ),
            Option(
                "target", 0, 1000, 0, mark("the total that ends the match, in place of hands; 0 for none")
            ),
        )

    def new(self, setup: Setup, seed: bytes) -> tuple[BottleImpState, tuple[Step, ...]]:
        """Deal the first hand, with seat 0 as dealer."""
        target = setup.options["target"]
        hand_limit = MAX_HANDS if target else setup.options["hands"]
        form = FORMS[setup.variant, setup.seats]
        return hands.start(form, Stream(seed), hand_limit=hand_limit, target=target)

    def to_act(self, state: BottleImpState) -> tuple[Decision, ...]:
        """Name all seats while they pass, then the one whose turn it is."""
        return state.deal.form.choices[state.place]

    def legal(self, state: BottleImpState, seat: int) -> tuple[Action, ...]:
        """List the cards that may be chosen, ascending; or the two hands that may be opened."""
        return passes.legal(state, seat) if state.place == PASSING else tricks.legal(state)

    def apply(
        self, state: BottleImpState, answers: Sequence[Answer]
    ) -> tuple[BottleImpState, tuple[Step, ...]]:
        """Put cards away, or play one and what Lopaka plays after it; the last card of a hand scores it."""
        place = state.place
        due = len(state.deal.form.choices[place])
        if len(answers) != due or not due:
            raise IllegalAction(f"answers: {len(answers)} given, {due} must be")
        if place == PASSING:
            return passes.choose(state, answers), ()
        after, played = tricks.play(state, answers[0])
        if after.place != OVER:
            return after, played
        after, dealt = hands.end(after)
        return after, (*played, *dealt)

    def seen(self, step: Step, seat: int | None) -> Step | None:
        """Show all but the others' hands and the rest, and what others discard and pass on."""
        if isinstance(step, Chance):
            groups = [group if to == seat else hide(group) for to, group in enumerate(step.outcome)]
            return Chance(step.name, tuple(groups))
        if isinstance(step, Played) and step.together is not None and seat != step.seat:
            verb = step.action.split()[0]
            # A seat that passes is at a table with one other seat: the one that receives the card.
            if verb in _SECRET or (verb == "pass" and seat is None):
                return Played(step.seat, f"{verb} {HIDDEN}", step.together)
        return step

    def view(self, state: BottleImpState, seat: int) -> BottleImpView:
        """Show the position to a seat."""
        return view_builder.build(state, seat)

    def result(self, state: BottleImpState) -> Result | None:
        """Add up the hands; Lopaka's score is in the detail only."""
        if not hands.is_over(state):
            return None
        deal = state.deal
        form = deal.form
        scores = deal.totals[: form.seats]
        detail: list[Json] = [
            {
                "scores": list(hand.scores),
                "owner": "lopaka" if form.variant == "lopaka" and hand.owner == LOPAKA else hand.owner,
                "price": hand.price,
                "devil": list(hand.devil),
            }
            for hand in deal.past
        ]
        return Result(scores, places(scores), "completed", {"hands": detail})


BOTTLE_IMP: Final = BottleImp()
