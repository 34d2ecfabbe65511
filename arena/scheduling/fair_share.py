"""Turns: whether a trial or a tournament is played next, where both wait, and for how long a tournament is.

Trials have a share of the workers' time, and tournaments the rest.  What counts is how far trials are ahead of their share:

    a worker plays a trial for a second          ahead + (1 − share)
    a worker plays a tournament for a second     ahead − share

It is the turn of trials as long as they are not ahead (stride scheduling of two clients: Waldspurger and Weihl 1995).  Time is
counted, not matches, since a bot that sleeps makes a match as long as its clock allows.
"""

from __future__ import annotations

TRIALS_SHARE = 1 / 3
SLICE_S = 5.0
"""Seconds that a worker plays one tournament before it turns to another, if few are waiting: starting other bots takes time."""
ROUND_S = 60.0
"""Seconds within which each tournament gets its turn, if only time slices keep workers busy."""


def time_slice_s(tournaments: int) -> float:
    """Return how many seconds a worker plays one of `tournaments` waiting tournaments."""
    return min(SLICE_S, ROUND_S / max(1, tournaments))


def is_trials_turn(ahead: float) -> bool:
    """Return whether trials go first; they are `ahead` seconds ahead of their share."""
    return ahead <= 0


def after(ahead: float, seconds: float, *, trial: bool) -> float:
    """Return how far trials are ahead after a worker has played a trial, or a tournament, for some seconds."""
    return ahead + seconds * ((1 - TRIALS_SHARE) if trial else -TRIALS_SHARE)
