"""Masks: of a game's views, what everybody at the table may see; the private fields are blank.

A mask takes the views that are known, by seat, None for those that are not.  What it gives must be the same whichever of
a position's views it is made from: tests/web/test_masks.py holds it to that, and to giving nothing away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.games.bottle_imp.view import BottleImpView
from arena.games.land_unter.view import LandUnterView
from arena.games.lost_cities.view import LostCitiesView
from arena.games.teotlatolli.view import TeotlatolliView

Views = Sequence[Any]
"""By seat: its view, or None."""

_LOST_CITIES_CARDS = 60
_LAND_UNTER_HAND = 12
_BOTTLE_IMP_CARDS = 36
_LOPAKA_HAND = 11
_BRIGHT_HOUSE_HAND = 9


@dataclass(frozen=True, slots=True)
class Table:
    """What lies open on the table.  Tuples by seat are in seat order.

    `view` is a view of the game with blank private fields; `held` counts the cards of each of a seat's hands; `known` names
    the cards of its hand that all have seen it take up.
    """

    view: Any
    held: tuple[tuple[int, ...], ...]
    known: tuple[tuple[str, ...], ...]


def _any(views: Views) -> Any:  # noqa: ANN401 - each game has its own view
    return next(view for view in views if view is not None)


def _lost_cities(views: Views) -> Table:
    view: LostCitiesView = _any(views)
    seat = views.index(view)
    lying = sum(len(pile) for piles in (*view.expeditions, view.discards) for pile in piles)
    other = _LOST_CITIES_CARDS - lying - view.draw_pile - len(view.hand)
    held = ((other,), (len(view.hand),)) if seat else ((len(view.hand),), (other,))
    known = tuple(each.opponent_known if each is not None else () for each in reversed(views))
    return Table(view._replace(hand=(), opponent_known=()), held, known)


def _land_unter(views: Views) -> Table:
    view: LandUnterView = _any(views)
    left = _LAND_UNTER_HAND - len(view.tricks)
    held = tuple((left if seat.still_in else 0,) for seat in view.seats)
    return Table(view._replace(hand=()), held, ((),) * len(held))


def _bottle_imp(views: Views) -> Table:
    view: BottleImpView = _any(views)
    # How many cards were put away is known to all, and says which of two equal choices is made.
    blank = view._replace(
        cards=(),
        discarded=(0,) * len(view.discarded),
        passed=(0,) * len(view.passed),
        received=(0,) * len(view.received),
    )
    return Table(blank, _count_bottle_imp(blank, len(views)), ((),) * len(views))


def _count_bottle_imp(view: BottleImpView, seats: int) -> tuple[tuple[int, ...], ...]:
    if len(view.points) > seats:
        order: tuple[int, ...] = (view.dealer, 1 - view.dealer, 2)
        start, playing = _LOPAKA_HAND, _LOPAKA_HAND
    elif seats == 2:
        return _count_bright_house(view)
    else:
        order = tuple(range(seats))
        start = _BOTTLE_IMP_CARDS // seats
        playing = start - 1
    if view.choosing not in {"", "play"}:
        return ((start - len(view.discarded) - len(view.passed),),) * seats
    first = order.index(view.leader)
    played = {order[(first + at) % len(order)] for at in range(len(view.trick))}
    return tuple((playing - len(view.tricks) - (seat in played),) for seat in range(seats))


def _count_bright_house(view: BottleImpView) -> tuple[tuple[int, ...], ...]:
    done = len(view.discarded) + len(view.passed)
    if view.choosing not in {"", "play"}:
        # A hand gives away two cards and gets one; the second is dealt, but not looked at before its turn.
        first = (_BRIGHT_HOUSE_HAND, _BRIGHT_HOUSE_HAND - 1, _BRIGHT_HOUSE_HAND - 1)[min(done, 2)]
        second = (_BRIGHT_HOUSE_HAND, _BRIGHT_HOUSE_HAND - 1, _BRIGHT_HOUSE_HAND - 1)[max(done - 2, 0)]
        return ((first, second),) * 2
    left = _BRIGHT_HOUSE_HAND - 1 - len(view.tricks)
    played = len(view.trick)
    order = (view.leader, 1 - view.leader)
    return tuple(
        (left - (order.index(seat) < played), left - (order.index(seat) + 2 < played)) for seat in range(2)
    )


def _teotlatolli(views: Views) -> Table:
    view: TeotlatolliView = _any(views)
    held = ((len(view.hand),), (view.opponent_hand,))
    # What must be in the other hand follows from one's own: that is no open knowledge.
    blank = view._replace(hand=(), opponent_hand=0, opponent_known=())
    return Table(blank, held[::-1] if views.index(view) else held, ((), ()))


def _show_all(views: Views) -> Table:
    """Return the view as it is: the game hides nothing."""
    return Table(_any(views), ((),) * len(views), ((),) * len(views))


MASKS: Mapping[str, Callable[[Views], Table]] = {
    "lost_cities": _lost_cities,
    "land_unter": _land_unter,
    "bottle_imp": _bottle_imp,
    "lifeboats": _show_all,
    "teotlatolli": _teotlatolli,
}
"""By game.  A game without one is drawn with all cards open only."""

OPEN_GAMES = frozenset(game for game, mask in MASKS.items() if mask is _show_all)
"""The games in which all seats see the same."""
