"""What a seat sees of The Bottle Imp."""

from __future__ import annotations

from typing import NamedTuple

from arena.games.bottle_imp.hands import is_over
from arena.games.bottle_imp.passes import taken_up
from arena.games.bottle_imp.past import Hand, Trick
from arena.games.bottle_imp.state import LOPAKA, PASSING, BottleImpState, Cards


class BottleImpView(NamedTuple):
    """The position as one seat may know it; a named tuple, since one is made per decision.

    A side is a seat, or 2 for Lopaka; tuples by side are in that order.
    """

    hand_number: int
    hands: int
    target: int
    dealer: int
    choosing: str
    """What is to be chosen now: devil, left, right, pass, open or play; empty when the match is over."""

    cards: tuple[Cards, ...]
    """Its hand, ascending; bright_house: the first and the second, once opened the open and the hidden one."""

    laid_open: tuple[Cards, ...]
    """lopaka: Lopaka's hand; bright_house: the open hands of seat 0 and seat 1; empty before they are open."""

    discarded: Cards
    """What it put into the devil's trick."""

    passed: Cards
    """What it passed: to the left, to the right; bright_house: from the first hand, from the second."""

    received: Cards
    """What it received: from the left, from the right; bright_house: into the first hand, into the second."""

    price: int
    owner: int
    """The side that has the bottle, −1 for nobody."""

    leader: int
    trick: Cards
    """In the order of play."""

    tricks: tuple[Trick, ...]
    """The tricks of this hand that are over, first one first."""

    points: Cards
    """By side, won in this hand so far."""

    totals: Cards
    """By side, over the hands that are over."""

    last_hand: Hand | None
    """How the last hand that is over ended."""


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
    return BottleImpView(
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
