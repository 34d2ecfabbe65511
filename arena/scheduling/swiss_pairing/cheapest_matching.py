"""Perfect matchings of minimum cost: all vertices in pairs, by Edmonds' algorithm.

Costs are integers that leave no two matchings of one cost: callers add lots to them.  So the pairs follow from the costs alone,
independent of the algorithm and of the order of edges.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from hashlib import shake_256
from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]
"""Two vertices, the smaller first."""

Matching: TypeAlias = tuple[Pair, ...]
"""Pairs that share no vertex, sorted."""

LOT_BITS = 40
"""By the isolation lemma two matchings of m edges cost the same with a probability of at most m / 2**40."""


def cheapest_matching(vertices: Collection[int], costs: Mapping[Pair, int]) -> Matching | None:
    """Return the pairs of all vertices with the smallest sum of costs; None if they cannot all be paired.

    A cost is 0 to 2**120.
    """
    import rustworkx  # noqa: PLC0415 - only a Swiss needs it

    places = {vertex: place for place, vertex in enumerate(sorted(vertices))}
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    names = sorted(places)
    graph.add_nodes_from(names)
    most = max(costs.values(), default=0) + 1
    graph.add_edges_from([(places[a], places[b], most - cost) for (a, b), cost in sorted(costs.items())])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < len(names):
        return None
    return tuple(sorted((names[min(pair)], names[max(pair)]) for pair in found))


def lots(seed: bytes, pairs: Sequence[Pair]) -> dict[Pair, int]:
    """Draw a lot of `LOT_BITS` for each pair; they follow from the seed and the order of the pairs."""
    size = LOT_BITS // 8
    drawn = shake_256(seed).digest(size * len(pairs))
    return {
        pair: int.from_bytes(drawn[at : at + size], "big")
        for pair, at in zip(pairs, range(0, len(drawn), size), strict=True)
    }
