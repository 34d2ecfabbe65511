"""Results of a series of matches by bot: points, mean scores and Elo, with errors clustered by set.

The matches of a set share a deal, so it is the sets, not the matches, that are independent of each other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import log, log10, sqrt

from arena.match.record import Ending

Z95 = 1.96
ELO_SCALE = 400.0


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over; `seats` are the bots' numbers in seat order."""

    set: int
    match: int
    id: str
    seats: tuple[int, ...]
    result: Ending


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and the half width of its 95 % interval; None where there are too few sets."""

    value: float
    error95: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One bot's results.  Each other seat of a match counts as one win, draw or loss."""

    wins: int
    draws: int
    losses: int
    score: Estimate | None
    """The mean score; None if every match ended by a fault."""
    faults: int

    @property
    def points(self) -> float:
        """Return one point for each win and half a point for each draw."""
        return self.wins + self.draws / 2


def tally(played: Sequence[Played], bots: int) -> tuple[Row, ...]:
    """Add up the results of each bot."""
    return tuple(row_of(played, bot) for bot in range(bots))


POINTS = "points: 1 for each other seat that a bot was ahead of in a match, ½ for each that it drew with"
"""Explanation of the column of this name below tables."""


def elo_over_others(played: Sequence[Played], bot: int, bots: int) -> Estimate | None:
    """Estimate how much stronger a bot is than the field of all others together, in Elo; None without a match."""
    return elo_difference(played, [each for each in range(bots) if each != bot], bot)


def elo_difference(played: Sequence[Played], rivals: Collection[int] = (1,), bot: int = 0) -> Estimate | None:
    """Estimate how much stronger a bot is than its rivals, taken as one player, in Elo; None without a match.

    The maximum of the likelihood with one virtual draw, so that it is finite; its error by the sandwich, one cluster
    per set and one for the draw:  SE(p)² = n/(n−1) · Σ (set's points − p · set's matches)² / matches².
    """
    sets: dict[int, list[float]] = {}
    for match in played:
        for other, compared in comparisons(match, bot):
            if other in rivals:
                sets.setdefault(match.set, []).append(compared)
    if not sets:
        return None
    clusters = [*sets.values(), [0.5]]
    p, error = _cluster_mean(clusters)
    slope = ELO_SCALE / log(10) / (p * (1 - p))
    return Estimate(ELO_SCALE * log10(p / (1 - p)), None if len(sets) == 1 else Z95 * slope * error)


def row_of(played: Sequence[Played], bot: int) -> Row:
    """Add up the results of one bot, which sat in each of the matches."""
    compared = [points for match in played for _, points in comparisons(match, bot)]
    scores: dict[int, list[float]] = {}
    faults = 0
    for match in played:
        seat = match.seats.index(bot)
        if match.result.fault is not None:
            faults += match.result.fault.seat == seat
        if match.result.scores is not None:
            scores.setdefault(match.set, []).append(match.result.scores[seat])
    mean = None
    if scores:
        value, error = _cluster_mean(list(scores.values()))
        mean = Estimate(value, Z95 * error if len(scores) > 1 else None)
    return Row(compared.count(1.0), compared.count(0.5), compared.count(0.0), mean, faults)


def comparisons(match: Played, bot: int) -> list[tuple[int, float]]:
    """Compare a bot with each other one: after a fault only the pairs of the seat at fault count."""
    seat = match.seats.index(bot)
    fault = match.result.fault
    places = match.result.places
    pairs = []
    for other, rival in enumerate(match.seats):
        if other == seat or (fault is not None and fault.seat not in {seat, other}):
            continue
        ahead, behind = places[seat] < places[other], places[seat] > places[other]
        pairs.append((rival, 1.0 if ahead else 0.0 if behind else 0.5))
    return pairs


def _cluster_mean(clusters: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the mean of all values and its cluster-robust standard error."""
    count = sum(len(values) for values in clusters)
    mean = sum(sum(values) for values in clusters) / count
    squares = sum((sum(values) - mean * len(values)) ** 2 for values in clusters)
    n = len(clusters)
    return mean, sqrt(n / (n - 1) * squares) / count if n > 1 else 0.0
