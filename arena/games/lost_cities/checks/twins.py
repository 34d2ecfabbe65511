"""Twins of Lost Cities: matches that differ only in what a seat cannot see."""

from __future__ import annotations

from random import Random

from arena.games.kernel import Chance
from arena.games.lost_cities.rules import LOST_CITIES
from arena.games.lost_cities.state import CARDS, NAMES, LostCitiesState
from arena.games.playouts import Configuration, Playout, play
from arena.games.twins import Twin, follow, shuffle_places


def make_twins(chooser: Random, seat: int, length: float) -> tuple[Twin, Twin]:
    """Deal the rest of the other hand and of the draw pile again."""
    playout = play(Configuration(LOST_CITIES, "standard", 2), chooser.randbytes(32), chooser, hands=1)
    points = slice(0, int(len(playout.points) * length))
    true = follow(playout, playout.points[0].state, playout.opening, points)
    (deal,) = playout.opening
    assert isinstance(deal, Chance)
    deck = [CARDS[name] for name in " ".join(deal.outcome).split()]
    state: LostCitiesState = true.state
    # Twin are the other hand less the cards known to be in it, and the rest of the pile.
    secret = list(state.hands[1 - seat])
    for card in state.known[1 - seat]:
        secret.remove(card)
    theirs = range(8 - 8 * seat, 16 - 8 * seat)
    drawn = range(16, 16 + state.drawn)
    hidden = list(range(16 + state.drawn, 60))
    mine = _drawn_by(playout, points, seat)
    # Of equal cards the one that came last is taken to be still there, so that the others were there to be played.
    for place in (*[place for place in reversed(drawn) if place not in mine], *theirs):
        if deck[place] in secret:
            secret.remove(deck[place])
            hidden.append(place)
    assert not secret
    other = shuffle_places(deck, hidden, chooser)
    groups = (other[:8], other[8:16], other[16:])
    twin_deal = Chance("deal", tuple(" ".join(NAMES[card] for card in group) for group in groups))
    start: LostCitiesState = true.start
    twin_start = start.replace(
        hands=(tuple(sorted(groups[0])), tuple(sorted(groups[1]))),
        deal=start.deal.replace(pile=tuple(groups[2])),
    )
    return true, follow(playout, twin_start, (twin_deal,), points)


def _drawn_by(playout: Playout, points: slice, seat: int) -> set[int]:
    """Return the places in the deck of the cards that a seat drew from the pile."""
    draws = [point.decisions[0].seat for point in playout.points[points] if point.answers == ("draw deck",)]
    return {16 + at for at, drawer in enumerate(draws) if drawer == seat}
