"""Existence of the maximum likelihood without a prior: for which bots it does not exist.

It exists where from each bot a way leads to each other over bots that took points from the next: else a group could be put
ever higher above the rest, and the results would only become likelier.  Source: Ford 1957, *Solution of a ranking
problem from binary comparisons*; assumption 1 of Hunter 2004.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy

from arena.ratings.totals import PairTotal


def unbounded(totals: Sequence[PairTotal]) -> tuple[str, ...]:
    """Name the bots that keep a maximum from being there: of each component all but those of its largest part.

    A part are bots of which a way leads from each to each; where none holds two, no bot is left out.
    """
    names = sorted({name for pair in totals for name in (pair.low, pair.high)})
    index = {name: i for i, name in enumerate(names)}
    edges = [
        (index[winner], index[loser])
        for pair in totals
        for winner, loser, units in (
            (pair.low, pair.high, pair.low_units),
            (pair.high, pair.low, pair.high_units),
        )
        if units > 0
    ]
    if not edges:
        return ()
    start, end = np.array(edges).T
    graph = scipy.sparse.coo_array((np.ones(len(edges)), (start, end)), shape=(len(names), len(names)))
    _, component = scipy.sparse.csgraph.connected_components(graph, directed=False)
    _, part = scipy.sparse.csgraph.connected_components(graph, directed=True, connection="strong")
    sizes = np.bincount(part)
    largest: dict[int, int] = {}
    for i in range(len(names)):
        held = largest.get(int(component[i]), int(part[i]))
        largest[int(component[i])] = max(held, int(part[i]), key=lambda each: (sizes[each], -each))
    whole = np.bincount(component) == sizes[[largest[group] for group in range(component.max() + 1)]]
    return tuple(
        name
        for i, name in enumerate(names)
        if not whole[component[i]] and (part[i] != largest[int(component[i])] or sizes[part[i]] == 1)
    )
