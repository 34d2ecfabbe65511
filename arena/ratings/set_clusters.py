"""Sets: the clusters of the error bars.

The matches of a set share a deal, so their results are not independent; sets are.  A set is its pair totals, added up
over its matches.  Sets with the same totals are kept as one, with their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from arena.ratings.totals import PairTotal

SetTotal = tuple[PairTotal, ...]
"""Totals of the pairs of one set, sorted."""


def count(sets: Iterable[Sequence[PairTotal]]) -> Counter[SetTotal]:
    """Count sets by their totals; those of which nothing is rated are none."""
    return Counter(tuple(sorted(pairs)) for pairs in sets if pairs)
