"""Look-ahead: rounds without a second meeting that can still be played after this one.

Pairs that have not met are the edges of a graph, and rounds are perfect matchings of it that share no edge.  Whether enough of them exist
is hard to decide in general; taking one at random after the other, and some of them back when no further one is left, finds them
almost always.  Where it does not, rounds found earlier (`pairing`), at first those of a Berger table, are played.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

from arena.scheduling.swiss_pairing.cheapest_matching import Matching, Pair, cheapest_matching, lots

_MOST_SEARCHED = 100
"""A search among more vertices takes more than a second."""

_TRIES = 60
_TRIES_PER_ROUND = 4


def degree(vertices: Collection[int], pairs: Collection[Pair]) -> int:
    """Return how many rounds there can be at most: the number of opponents of the vertex that has fewest."""
    counts = dict.fromkeys(vertices, 0)
    for a, b in pairs:
        counts[a] += 1
        counts[b] += 1
    return min(counts.values(), default=0)


def is_safe(vertices: Collection[int], pairs: Collection[Pair], rounds: int) -> bool:
    """Return whether any `rounds` matchings, one after the other, leave another one possible until the last is found.

    A graph in which each of n vertices has n/2 neighbours has a Hamiltonian cycle (Dirac 1952), so a perfect matching if n is even.
    """
    return 2 * (degree(vertices, pairs) - rounds + 1) >= len(vertices)


def find_rounds(vertices: Collection[int], pairs: frozenset[Pair], rounds: int) -> tuple[Matching, ...]:
    """Return `rounds` perfect matchings that share no pair, or as many as were found; the same for the same graph."""
    if rounds < 1 or len(vertices) > _MOST_SEARCHED:
        return ()
    found: list[Matching] = []
    best: tuple[Matching, ...] = ()
    left = set(pairs)
    for attempt in range(_TRIES + _TRIES_PER_ROUND * rounds):
        matching = cheapest_matching(vertices, lots(b"arena-swiss-ahead/1 %d" % attempt, sorted(left)))
        if matching is not None:
            found.append(matching)
            left.difference_update(matching)
            if len(found) > len(best):
                best = tuple(found)
            if len(best) == rounds:
                break
        elif not found:
            break
        else:
            for _ in range(min(1 + attempt % 3, len(found))):
                left.update(found.pop(attempt % len(found)))
    return best


def berger_table(vertices: Collection[int]) -> tuple[Matching, ...]:
    """Return the rounds in which each of an even number of vertices meets every other one once."""
    first, *ring = sorted(vertices)
    size = len(ring)
    return tuple(
        tuple(
            sorted(
                tuple(sorted(pair))  # type: ignore[misc]  # a pair
                for pair in (
                    (first, ring[turn]),
                    *((ring[(turn + by) % size], ring[(turn - by) % size]) for by in range(1, size // 2 + 1)),
                )
            )
        )
        for turn in range(size)
    )


def all_pairs(vertices: Collection[int]) -> frozenset[Pair]:
    """Return every pair of the vertices."""
    return frozenset(combinations(sorted(vertices), 2))
