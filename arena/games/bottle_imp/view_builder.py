"""Views of The Bottle Imp, made from a position."""

from __future__ import annotations

from typing import Final

from arena.games.bottle_imp.hands import is_over
from arena.games.bottle_imp.passes import taken_up
from arena.games.bottle_imp.state import LOPAKA, PASSING, BottleImpState, Cards
from arena.games.bottle_imp.view import BottleImpView

_make: Final = tuple.__new__


def build(state: BottleImpState, seat: int) -> BottleImpView:
    """Show the position to a seat; after the end it is that of the last hand."""
    deal, place, hands = state.deal, state.place, state.hands
    form, given, past = deal.form, state.given, deal.past
    over = is_over(state)
    own: tuple[Cards, ...] = (hands[seat],)
    laid_open: tuple[Cards, ...] = ()
    if form.variant == "bright_house":
        # The second hand is not looked at before the first has passed its card.
        own = (hands[seat], hands[seat + 2] if len(given) > 1 else ())
        laid_open = hands[:2] if place != PASSING else ()
    elif form.variant == "lopaka" and place != PASSING:
        laid_open = (hands[LOPAKA],)
    discarded, passed, received = _passing(state, seat)
    return _make(
        BottleImpView,
        (
            len(past) - over,
            deal.hand_limit,
            deal.target,
            deal.dealer,
            "" if over else "play" if place != PASSING else form.verbs[len(given)],
            own,
            laid_open,
            discarded,
            passed,
            received,
            state.price,
            state.owner,
            form.sides[state.order[0]],
            state.trick,
            state.tricks,
            state.points,
            deal.totals,
            past[-1] if past else None,
        ),
    )


def _passing(state: BottleImpState, seat: int) -> tuple[Cards, Cards, Cards]:
    form, given = state.deal.form, state.given
    discarded: list[int] = []
    passed: list[int] = []
    received: list[int] = []
    for stage, cards in enumerate(given):
        verb = form.verbs[stage]
        if verb == "devil":
            discarded.append(cards[seat])
        elif verb != "open":
            passed.append(cards[seat])
            received += taken_up(form, given[: stage + 1])[seat]
    return tuple(discarded), tuple(passed), tuple(received)
