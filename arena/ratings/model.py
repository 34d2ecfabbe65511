"""The model behind the Elo: who finishes ahead of whom, with which chance, and what everything is measured from.

    P(A ahead of B) = 1 / (1 + 10^((R_B − R_A) / 400))

A shared place counts half a win.  A match of k seats is its k(k − 1)/2 pairs, each with weight 3/(k + 1).

Sources: Bradley and Terry 1952 for the model; FIDE handbook B.02 for the scale of 400; Hunter 2004, *MM algorithms for
generalized Bradley-Terry models*, for when the maximum exists; the BayesElo manual for a prior of virtual draws.
"""

from __future__ import annotations

from math import log

ALGORITHM = "arena-elo/2"
"""Names this model, its fit and its error bars; it changes whenever the same results would give another table."""

POINTS_PER_E = 400 / log(10)
"""Elo points for odds of e to 1."""

MEAN_ELO = 1500.0
"""Mean of a group without the anchor; elsewhere the Elo of the anchor."""

PRIOR_DRAWS = 1.0
"""Virtual draws per bot, spread over its actual opponents as its actual meetings are."""

PROVISIONAL_MATCHES = 30
PROVISIONAL_ERROR = 100.0
"""With fewer matches, or a half width of the 95 % interval that is not less, a rating is provisional."""


def provisional(matches: int, error: float | None) -> bool:
    """Return whether a rating is too unsure to be relied on; an error of None is an unknown one."""
    return matches < PROVISIONAL_MATCHES or error is None or error >= PROVISIONAL_ERROR


def expected(elo: float, opponent_elo: float) -> float:
    """Return the chance of finishing ahead, a shared place counting half."""
    return float(1 / (1 + 10 ** ((opponent_elo - elo) / 400)))
