"""Elo of one bot against a pool whose ratings are fixed.

The maximum of the likelihood of the model behind all our Elo (arena/ratings/model.py), with one virtual draw against a bot of 1500,
so that it is finite.  Its error by the sandwich, one cluster per set:  SE² = Σ (set's surplus)² / I²,  I = Σ w · p · (1 − p).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from arena.ratings.error_bars import QUANTILE
from arena.ratings.model import MEAN_ELO, POINTS_PER_E, expected
from arena.rl.pool_matches import Place

_STEPS = 100
_CLOSE = 1e-9
_LARGEST_STEP = 200.0


@dataclass(frozen=True, slots=True)
class PoolRating:
    """A bot's Elo, the half width of its 95 % interval, and what it is made of; the pool's own errors are not in it."""

    elo: float
    error: float
    matches: int
    points: float
    """Shares of the pairs with the pool's bots: a win 1, a shared place ½, weighted so that a match counts as in our tables."""
    pairs: float


@dataclass(frozen=True, slots=True)
class _Meeting:
    opponent_elo: float
    weight: float
    points: float
    """0, ½ or 1, times the weight."""


def rate(own: str, sets: Sequence[Sequence[Sequence[Place]]], elo: Mapping[str, float]) -> PoolRating:
    """Rate a bot by the sets that it played against bots of these ratings."""
    clusters = [[meeting for match in played for meeting in _meetings(own, match, elo)] for played in sets]
    clusters.append([_Meeting(MEAN_ELO, 1.0, 0.5)])
    found = _maximum([meeting for cluster in clusters for meeting in cluster])
    surplus = [
        sum([each.points - each.weight * expected(found, each.opponent_elo) for each in cluster])
        for cluster in clusters
    ]
    information = sum([_information(found, each) for cluster in clusters for each in cluster])
    real = [each for cluster in clusters[:-1] for each in cluster]
    return PoolRating(
        elo=round(found, 1),
        error=round(QUANTILE * POINTS_PER_E * sqrt(sum([each * each for each in surplus])) / information, 1),
        matches=sum([len(played) for played in sets]),
        points=round(sum([each.points for each in real]), 2),
        pairs=round(sum([each.weight for each in real]), 2),
    )


def _meetings(own: str, match: Sequence[Place], elo: Mapping[str, float]) -> list[_Meeting]:
    weight = 3 / (len(match) + 1)
    mine = dict(match)[own]
    return [
        _Meeting(elo[bot], weight, weight * ((mine < place) + 0.5 * (mine == place)))
        for bot, place in match
        if bot != own
    ]


def _information(elo: float, meeting: _Meeting) -> float:
    chance = expected(elo, meeting.opponent_elo)
    return meeting.weight * chance * (1 - chance)


def _maximum(meetings: Sequence[_Meeting]) -> float:
    """Return the Elo at which what is expected equals what was won: Newton's method, with bounded steps."""
    elo = MEAN_ELO
    for _ in range(_STEPS):
        surplus = sum([each.points - each.weight * expected(elo, each.opponent_elo) for each in meetings])
        slope = sum([_information(elo, each) for each in meetings]) / POINTS_PER_E
        step = max(-_LARGEST_STEP, min(_LARGEST_STEP, surplus / slope))
        elo += step
        if abs(step) < _CLOSE:
            break
    return elo
