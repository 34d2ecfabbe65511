"""Turns: whether a trial or a tournament is played next, where both wait.

Trials have a share of the workers' time, and tournaments the rest.  What counts is how far trials are ahead of their share:

    a worker plays a trial for a second          ahead + (1 − share)
    a worker plays a tournament for a second     ahead − share

It is the turn of trials as long as they are not ahead (stride scheduling of two clients: Waldspurger and Weihl 1995).  Time is
counted, not matches, since a bot that sleeps makes a match as long as its clock allows.
"""

from __future__ import annotations

TRIALS_SHARE = 1 / 3


def is_trials_turn(ahead: float) -> bool:
    """Return whether trials go first, being `ahead` of their share by so many seconds."""
    return ahead <= 0


def after(ahead: float, seconds: float, *, trial: bool) -> float:
    """Return how far trials are ahead after a worker has played a trial, or a tournament, for some seconds."""
    return ahead + seconds * ((1 - TRIALS_SHARE) if trial else -TRIALS_SHARE)
