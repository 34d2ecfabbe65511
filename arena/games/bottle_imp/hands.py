"""Beginning and end of a hand of The Bottle Imp (docs/rules.md, *Rules*)."""

from __future__ import annotations

from typing import Final

from arena.games.bottle_imp.state import (
    DECK,
    HIGHEST,
    NOBODY,
    OVER,
    PASSING,
    POINTS,
    START_PRICE,
    BottleImpState,
    Cards,
    Deal,
    Form,
)
from arena.games.bottle_imp.view import Hand
from arena.games.chance import Stream
from arena.games.kernel import Chance, Step
from arena.games.tuples import append

_NAMES: Final = tuple(str(card) for card in range(HIGHEST + 1))


def start(
    form: Form,
    stream: Stream,
    *,
    hand_limit: int,
    target: int,
    past: tuple[Hand, ...] = (),
    totals: Cards = (),
) -> tuple[BottleImpState, tuple[Step, ...]]:
    """Deal a hand."""
    deck, stream = stream.shuffle(DECK)
    groups: list[Cards] = []
    for size in form.groups:
        groups.append(deck[:size])
        deck = deck[size:]
    dealer = len(past) % form.seats
    sides = max(form.sides) + 1
    places = len(form.sides)
    state = BottleImpState(
        deal=Deal(
            form=form,
            stream=stream,
            hand_limit=hand_limit,
            target=target,
            past=past,
            totals=totals or (0,) * sides,
            dealer=dealer,
            rest=sum(groups[places:], ()),
        ),
        given=(),
        place=PASSING,
        hands=tuple([tuple(sorted(group)) for group in groups[:places]]),
        order=form.orders[dealer][(dealer + 1) % form.seats],
        trick=(),
        price=START_PRICE,
        owner=NOBODY,
        points=(0,) * sides,
        tricks=(),
    )
    return state, (Chance("deal", tuple([" ".join([_NAMES[card] for card in group]) for group in groups])),)


def devils_trick(state: BottleImpState) -> Cards:
    """Return the devil's trick so far, in the order in which the cards were put there."""
    deal = state.deal
    devil = deal.rest
    for stage, cards in enumerate(state.given):
        if deal.form.verbs[stage] == "devil":
            devil += cards
    return devil


def score(points: Cards, owner: int, devil: Cards) -> Cards:
    """Score a hand: the owner of the bottle minus the devil's trick, each other side what it won."""
    penalty = -sum(POINTS[card] for card in devil)
    return tuple([penalty if side == owner else won for side, won in enumerate(points)])


def end(state: BottleImpState) -> tuple[BottleImpState, tuple[Step, ...]]:
    """Score the hand, and deal the next or leave the match as it is, over."""
    deal = state.deal
    form = deal.form
    devil = devils_trick(state)
    scores = score(state.points, state.owner, devil)
    past = append(deal.past, Hand(scores, state.owner, state.price, devil))
    totals = tuple([total + scores[side] for side, total in enumerate(deal.totals)])
    reached = deal.target > 0 and max(totals[: form.seats]) >= deal.target
    if reached or len(past) == deal.hand_limit:
        after = state.copy()
        after.deal = deal.replace(past=past, totals=totals)
        return after, ()
    return start(form, deal.stream, hand_limit=deal.hand_limit, target=deal.target, past=past, totals=totals)


def is_over(state: BottleImpState) -> bool:
    """Return whether the match is over: the last hand stays where it is."""
    return state.place == OVER
