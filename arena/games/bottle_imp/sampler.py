"""Draws positions of The Bottle Imp that a seat may be in (arena.games.sampling).

Others hold what the seat passed to them until they play it, and no card of a colour that they failed to follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from arena.games.bottle_imp.state import (
    DECK,
    FORMS,
    HIGHEST,
    LOPAKA,
    NOBODY,
    PASSING,
    START_PRICE,
    SUIT,
    BottleImpState,
    Cards,
    Deal,
    Form,
)
from arena.games.bottle_imp.view import BottleImpView, Hand
from arena.games.chance import SEED_BYTES, Stream
from arena.games.kernel import Played, Setup, Step
from arena.games.sampling import deal_out

_Aside = dict[tuple[int, int], int]
"""Cards that another seat has put away unseen, by verb and seat."""


def sample(
    setup: Setup, view: BottleImpView, history: Sequence[Step], seat: int, random: Random
) -> BottleImpState:
    """Draw the other hands and the rest of the devil's trick; of the past hands only the last one is as it was."""
    form = FORMS[setup.variant, setup.seats]
    passing = view.choosing != "play"
    order = form.orders[view.dealer][view.leader]
    played, void = _read_tricks(form, view)
    hands = _look(form, view, seat)
    done = _count_done(form, view)
    unseen = set(DECK).difference(view.discarded, *played, *[cards for cards in hands if cards is not None])
    known = {} if passing and form.variant == "standard" else _passed_on(form, view, seat, unseen)
    unseen.difference_update(view.passed)
    hidden = [place for place, cards in enumerate(hands) if cards is None]
    aside = [
        (stage, other)
        for stage in range(done)
        if form.verbs[stage] == "devil" or (form.verbs[stage] == "left" and passing)
        for other in range(form.seats)
        if other != seat
    ]
    sizes = [
        form.groups[place] - _count_given(form, place, done) - len(played[place]) - len(known.get(place, ()))
        for place in hidden
    ]
    sizes += [1] * len(aside)
    sizes += form.groups[len(form.sides) :]
    drawn = deal_out(tuple(unseen), sizes, _allow(hidden, len(sizes), void), random)
    whole = tuple(
        [
            tuple(sorted((*drawn[hidden.index(place)], *known.get(place, ())))) if cards is None else cards
            for place, cards in enumerate(hands)
        ]
    )
    put = {key: drawn[len(hidden) + at][0] for at, key in enumerate(aside)}
    given: tuple[Cards, ...] = ()
    if done:
        pools = [] if passing else _list_received(form, view, seat, whole, played)
        given = _give(form, view, seat, done=done, put=put, pools=pools, history=history, random=random)
    return BottleImpState(
        deal=Deal(
            form=form,
            stream=Stream(random.randbytes(SEED_BYTES)),
            hand_limit=view.hands,
            target=view.target,
            past=_sum_up(view),
            totals=view.totals,
            dealer=view.dealer,
            rest=tuple(drawn[-1]) if form.variant == "lopaka" else (),
        ),
        given=given,
        place=PASSING if passing else order[len(view.trick)],
        hands=whole,
        order=order,
        trick=view.trick,
        price=view.price,
        owner=view.owner,
        points=view.points,
        tricks=view.tricks,
    )


def _read_tricks(form: Form, view: BottleImpView) -> tuple[list[list[int]], list[frozenset[int]]]:
    """Return, by place, the cards played from it, and the cards that cannot be there since it did not follow suit."""
    played: list[list[int]] = [[] for _ in form.sides]
    void: list[frozenset[int]] = [frozenset()] * len(form.sides)
    orders = form.orders[view.dealer]
    for leader, cards in (*[trick[:2] for trick in view.tricks], (view.leader, view.trick)):
        for place, card in zip(orders[leader], cards, strict=False):
            played[place].append(card)
            suit = SUIT[cards[0]]
            if card not in suit:
                void[place] |= suit
    return played, void


def _look(form: Form, view: BottleImpView, seat: int) -> list[Cards | None]:
    """Return the hands by place, None where the seat sees nothing."""
    hands: list[Cards | None] = [None] * len(form.sides)
    if form.variant == "bright_house":
        if view.laid_open:
            hands[:2] = view.laid_open
        hands[seat] = view.cards[0]
        if len(view.discarded) + len(view.passed) > 1:  # before that it has not looked at its second hand
            hands[seat + 2] = view.cards[1]
        return hands
    hands[seat] = view.cards[0]
    if view.laid_open:
        hands[LOPAKA] = view.laid_open[0]
    return hands


def _count_done(form: Form, view: BottleImpView) -> int:
    """Count the verbs that all seats are done with."""
    return len(form.verbs) if view.choosing == "play" else len(view.discarded) + len(view.passed)


def _count_given(form: Form, place: int, done: int) -> int:
    """Count the cards that a place has given away more than it was given."""
    if form.variant == "standard":
        return 1 if done == len(form.verbs) else done
    devil = 0 if place < form.seats else 2  # the verb by which a hand gives to the devil's trick
    return int(form.variant == "bright_house" and done > devil)


def _passed_on(form: Form, view: BottleImpView, seat: int, unseen: set[int]) -> dict[int, list[int]]:
    """Return, by place, the cards that the seat passed there and that were not seen again."""
    known: dict[int, list[int]] = {}
    for at, card in enumerate(view.passed):
        if card in unseen:
            if form.variant == "standard":
                place = (seat + (-1 if at else 1)) % form.seats
            elif view.laid_open and form.variant == "bright_house":
                place = 3 - seat
            else:
                place = 1 - seat + 2 * at
            known.setdefault(place, []).append(card)
    return known


def _allow(
    hidden: Sequence[int], places: int, void: Sequence[frozenset[int]]
) -> list[tuple[int, ...]] | None:
    """Return, by card, the places where it may be, in the order of `hidden` and what comes after it; None: anywhere."""
    if not any(void[place] for place in hidden):
        return None
    free = tuple(range(len(hidden), places))
    return [
        (*[at for at, place in enumerate(hidden) if card not in void[place]], *free)
        for card in range(HIGHEST + 1)
    ]


def _list_received(
    form: Form, view: BottleImpView, seat: int, hands: tuple[Cards, ...], played: Sequence[Sequence[int]]
) -> list[list[int]]:
    """Return, by place, the cards that may have come there from another seat than this one."""
    pools = [[*hand, *cards] for hand, cards in zip(hands, played, strict=True)]
    if form.variant == "standard" and len(view.passed) == 2:
        pools[(seat + 1) % form.seats].remove(view.passed[0])
        pools[seat - 1].remove(view.passed[1])
    return pools


def _give(
    form: Form,
    view: BottleImpView,
    seat: int,
    *,
    done: int,
    put: _Aside,
    pools: Sequence[list[int]],
    history: Sequence[Step],
    random: Random,
) -> tuple[Cards, ...]:
    """Put together what all seats chose, verb by verb; what passed between others is drawn from their pools."""
    discarded, passed = iter(view.discarded), iter(view.passed)
    received = iter(view.received if len(form.verbs) != 3 else view.received[::-1])
    given: list[Cards] = []
    for stage, verb in enumerate(form.verbs[:done]):
        if verb == "open":
            given.append(_opened(history))
            continue
        cards = [0] * form.seats
        cards[seat] = next(discarded if verb == "devil" else passed)
        for other in range(form.seats):
            if other == seat:
                continue
            if (stage, other) in put:
                cards[other] = put[stage, other]
            else:
                to = (other + (-1 if verb == "right" else 1)) % form.seats
                cards[other] = next(received) if to == seat else _draw(pools[to], random)
        given.append(tuple(cards))
    return tuple(given)


def _draw(pool: list[int], random: Random) -> int:
    return pool.pop(int(random.random() * len(pool)))


def _opened(history: Sequence[Step]) -> Cards:
    """Return the numbers of the hands that the seats opened last."""
    opened = [0, 0]
    for step in reversed(history):
        if type(step) is Played and step.action.startswith("open"):
            opened[step.seat] = int(step.action[5:])
            if all(opened):
                break
    return tuple(opened)


def _sum_up(view: BottleImpView) -> tuple[Hand, ...]:
    if view.last_hand is None:
        return ()
    return (*[Hand((), NOBODY, START_PRICE, ())] * (view.hand_number - 1), view.last_hand)


def redeal(state: BottleImpState, random: Random) -> BottleImpState:
    """Draw the later hands; in this one all cards are dealt."""
    after = state.copy()
    after.deal = state.deal.replace(stream=Stream(random.randbytes(SEED_BYTES)))
    return after
