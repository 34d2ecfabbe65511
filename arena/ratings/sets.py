"""Sets: the clusters of the error bars.

The matches of a set share a deal, so their results are not independent; sets are.  A set is its pair totals, added up
over its matches.  Sets with the same totals are kept as one, with their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena.ratings.laplacian import Floats, Ints
from arena.ratings.totals import UNITS_PER_POINT, PairTotal

SetTotal = tuple[PairTotal, ...]
"""What the versions of one set took from each other in its matches, sorted."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """Sets as arrays: the rows are their pairs, those of a set one after the other."""

    cluster: Ints
    """By row, the number of its set; ascending from 0."""

    low: Ints
    high: Ints
    low_points: Floats
    high_points: Floats
    count: Floats
    """By set, how many there were with just these totals."""


def clusters(sets: Mapping[SetTotal, int], index: Mapping[str, int]) -> Clusters:
    """Turn sets, with how many there were of each, into arrays; `index` numbers the versions."""
    ordered = sorted(item for item in sets.items() if item[0])
    rows = [(number, pair) for number, (pairs, _) in enumerate(ordered) for pair in pairs]
    return Clusters(
        cluster=np.array([number for number, _ in rows], dtype=np.intp),
        low=np.array([index[pair.low] for _, pair in rows], dtype=np.intp),
        high=np.array([index[pair.high] for _, pair in rows], dtype=np.intp),
        low_points=np.array([pair.low_units for _, pair in rows], dtype=np.float64) / UNITS_PER_POINT,
        high_points=np.array([pair.high_units for _, pair in rows], dtype=np.float64) / UNITS_PER_POINT,
        count=np.array([count for _, count in ordered], dtype=np.float64),
    )


def count(sets: Iterable[Sequence[PairTotal]]) -> Counter[SetTotal]:
    """Count sets by their totals."""
    return Counter(tuple(sorted(pairs)) for pairs in sets)
