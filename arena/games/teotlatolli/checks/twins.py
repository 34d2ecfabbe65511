"""Twins of Teotlatolli: matches that differ only in what a seat cannot see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from arena.games.chance import Stream
from arena.games.kernel import Chance
from arena.games.playouts import Configuration, play
from arena.games.teotlatolli.cards import SIGNS, gather, list_signs
from arena.games.teotlatolli.rules import TEOTLATOLLI
from arena.games.teotlatolli.state import Supply, TeotlatolliState
from arena.games.twins import Twin, follow, shuffle_places


@dataclass(frozen=True, slots=True)
class _Scripted(Stream):
    """A stream whose shuffles are given: the orders of the shuffles to come."""

    orders: tuple[tuple[int, ...], ...] = ()

    def shuffle(self, items: Sequence[Any]) -> tuple[tuple[Any, ...], Stream]:
        assert sorted(items) == sorted(self.orders[0])
        return self.orders[0], _Scripted(self.seed, self.position, self.orders[1:])


def make_twins(chooser: Random, seat: int, length: float) -> tuple[Twin, Twin]:
    """Twin are what the other seat drew since the last shuffle and still holds, the reserve, and the gods to come."""
    playout = play(Configuration(TEOTLATOLLI, "standard", 2), chooser.randbytes(32), chooser)
    points = slice(0, int(len(playout.points) * length))
    true = follow(playout, playout.points[0].state, playout.opening, points)
    state: TeotlatolliState = true.state
    (deal,) = playout.opening
    assert isinstance(deal, Chance)
    orders = [tuple(map(SIGNS.index, " ".join(deal.outcome[:3]).split()))]
    theirs = [*range(6 - 6 * seat, 12 - 6 * seat)]
    for point, after in zip(playout.points[points], [*playout.states()[1:]], strict=False):
        taken = [range(point.state.drawn, after.drawn)]
        if isinstance(point.steps[-1], Chance):
            orders.append(after.supply.reserve)
            theirs, taken = [], [range(after.drawn)]
        if point.decisions[0].seat != seat and point.answers == ("draw",):
            theirs += [place + 12 * (len(orders) == 1) for part in taken for place in part]
    drawn = state.drawn + 12 * (len(orders) == 1)
    hidden = list(range(drawn, len(orders[-1])))
    # Of equal cards the one that came last is taken to be still there, so that the others were there to be played.
    secret = list(list_signs(state.hands[1 - seat]))
    for place in reversed(theirs):
        if orders[-1][place] in secret:
            secret.remove(orders[-1][place])
            hidden.append(place)
    orders[-1] = tuple(shuffle_places(orders[-1], hidden, chooser))
    came = len(state.gods) + sum(map(len, state.completed))
    gods = tuple(shuffle_places(state.supply.gods, range(came, 20), chooser))
    deck = orders[0]
    groups = [" ".join([SIGNS[sign] for sign in part]) for part in (deck[:6], deck[6:12], deck[12:])]
    start = true.start.replace(
        supply=Supply(_Scripted(bytes(32), 0, tuple(orders[1:])), deck[12:], gods),
        hands=(gather(deck[:6]), gather(deck[6:12])),
    )
    opening = (Chance("deal", (*groups, " ".join(map(str, gods)))),)
    return true, follow(playout, start, opening, points)
