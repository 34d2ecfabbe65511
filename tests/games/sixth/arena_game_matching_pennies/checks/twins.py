"""Twins of Matching Pennies: the stake of the round is another one, where the seat does not know it."""

from __future__ import annotations

from random import Random

from arena.games.kernel import Chance
from arena.games.playouts import Configuration, play
from arena.games.twins import Twin, follow
from arena_game_matching_pennies.rules import MATCHING_PENNIES, STAKES
from arena_game_matching_pennies.view import KNOWS_STAKE


def make_twins(chooser: Random, seat: int, length: float) -> tuple[Twin, Twin]:
    """Turn up another stake for the round at hand; to the seat that knows it nothing is hidden."""
    playout = play(Configuration(MATCHING_PENNIES, "standard", 2), chooser.randbytes(32), chooser)
    points = slice(0, int(len(playout.points) * length))
    true = follow(playout, playout.points[0].state, playout.opening, points)
    if seat == KNOWS_STAKE or true.state.round == true.state.rounds:
        return true, true
    stake = chooser.choice([each for each in STAKES if each != true.state.stake])
    steps = (*true.steps[:-1], Chance("stake", (str(stake),)))
    return true, true._replace(state=true.state._replace(stake=stake), steps=steps)
