"""Twins of Land Unter: matches that differ only in what a seat cannot see."""

from __future__ import annotations

from random import Random

from arena.games.kernel import Chance, Played
from arena.games.land_unter.rules import LAND_UNTER
from arena.games.land_unter.state import LandUnterState, count_lifebelts
from arena.games.playouts import Configuration, play
from arena.games.twins import Twin, follow, shuffle_places


def make_twins(chooser: Random, seat: int, length: float) -> tuple[Twin, Twin]:
    """Deal the hands that a seat has not held again, and the water that is still to be turned."""
    seats = chooser.randint(max(3, seat + 1), 5)
    playout = play(Configuration(LAND_UNTER, "standard", seats), chooser.randbytes(32), chooser)
    points = slice(0, int(len(playout.points) * length))
    true = follow(playout, playout.points[0].state, playout.opening, points)
    deal, water = playout.opening
    assert isinstance(deal, Chance)
    deck = [int(name) for group in deal.outcome for name in group.split()]
    state: LandUnterState = true.state
    played = {int(step.action.split()[1]) for step in true.steps if isinstance(step, Played)}
    # The seat has held the hands dealt to it and to the seats on its right, one more in each round.
    last = min(len(state.scores), state.rounds - 1)
    held = {(seat - number) % seats for number in range(last + 1)}
    hidden = [
        place for place, card in enumerate(deck) if card not in played and min(place // 12, seats) not in held
    ]
    other = deck
    for group in (
        {0, 4},
        {1, 3},
        {2},
    ):  # lifebelts are open, so cards change places with cards that show as many
        other = shuffle_places(
            other, [place for place in hidden if (deck[place] - 1) // 12 in group], chooser
        )
    groups = [other[12 * at : 12 * at + 12] for at in range(seats)]
    rest = other[12 * seats :]
    twin_deal = Chance("deal", tuple(" ".join(map(str, group)) for group in (*groups, rest)))
    dealt = tuple(tuple(sorted(group)) for group in groups)
    assert [*map(count_lifebelts, dealt)] == [*map(count_lifebelts, true.start.dealt)]
    twin = follow(
        playout, true.start.replace(dealt=dealt, hands=dealt, rest=tuple(rest)), (twin_deal, water), points
    )
    # The water cards of this round that are still to be turned.
    turned = 2 * len(state.tricks) + 2
    order = shuffle_places(state.water, range(turned, 24), chooser)
    at, shuffle = [(at, step) for at, step in enumerate(twin.steps) if getattr(step, "name", "") == "water"][
        -1
    ]
    assert shuffle in true.steps
    steps = (*twin.steps[:at], Chance("water", (" ".join(map(str, order)),)), *twin.steps[at + 1 :])
    return true, twin._replace(state=twin.state.replace(water=tuple(order)), steps=steps)
