"""Inputs of an Elo table, as columns of integers in one order, and their SHA-256.

Names are sorted, pairs are in the order of their names, and equal sets are merged with their number: the result does not depend
on the order of the rows or on the numbers in a database.

    arena-elo/2                        the algorithm
    a@1 → b@1 → 280 → 560              pair totals: two names and the units that each took (→ is a tab)
                                       an empty line
    2 → a@1 → b@1 → 0 → 280            sets: how many there are, and the totals of their pairs one after the other
    1 → a@1 → b@1 → 280 → 0            those with fewer pairs first, then by names and units
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from arena.ratings.laplacian import Ints
from arena.ratings.model import ALGORITHM
from arena.ratings.set_clusters import SetTotal
from arena.ratings.totals import PairTotal

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

_ROWS_AT_ONCE = 8192


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals of each two versions that met: the numbers of their names, low < high, and the units each took."""

    names: tuple[str, ...]
    low: Ints
    high: Ints
    low_units: Ints
    high_units: Ints


@dataclass(frozen=True, slots=True)
class Sets:
    """The clusters of the error bars: the rows are the pairs of sets, those of a set one after the other.

    `cluster` numbers the sets from 0, ascending; `count`, by that number, says how many sets had just these totals.
    """

    cluster: Ints
    low: Ints
    high: Ints
    low_units: Ints
    high_units: Ints
    count: Ints


@dataclass(frozen=True, slots=True)
class Inputs:
    """Totals and sets; equal where the SHA-256, in hex digits, is."""

    sha256: str
    totals: Totals = field(compare=False, repr=False)
    sets: Sets = field(compare=False, repr=False)
    complete: bool = field(compare=False)
    """Whether the sets add up to the totals: only then do they give error bars."""


def of(totals: Iterable[PairTotal], sets: Mapping[SetTotal, int]) -> Inputs:
    """Take totals, and sets with how many there were of each."""
    pairs = list(totals)
    names = sorted({name for pair in pairs for name in (pair.low, pair.high)})
    number = {name: i for i, name in enumerate(names)}
    rows = [(number[pair.low], number[pair.high], pair.low_units, pair.high_units) for pair in pairs]
    clusters = [
        (each, number.get(pair.low, -1), number.get(pair.high, -1), pair.low_units, pair.high_units, count)
        for each, (of_set, count) in enumerate(sets.items())
        for pair in of_set
    ]
    return gather(dict(enumerate(names)), rows, clusters)


def gather(names: Mapping[int, str], pairs: Iterable[Sequence[int]], sets: Iterable[Sequence[int]]) -> Inputs:
    """Take rows as a store has them.

    `names` names versions by their numbers there; `pairs` are rows of low, high and their units, and `sets` of a number of the set,
    low, high, their units, and the number of such sets.  Rows of a set need not be adjacent.
    """
    totals = _totals(names, _columns(pairs, 4))
    clusters = _sets(totals.names, names, _columns(sets, 6))
    return Inputs(_digest(totals, clusters), totals, clusters, _adds_up(totals, clusters))


def _columns(rows: Iterable[Sequence[int]], width: int) -> Ints:
    # Row by row: a hundred thousand that are kept would have Python look for garbage among all that it holds.
    return np.fromiter(chain.from_iterable(rows), dtype=np.int64).reshape(-1, width).T


def _totals(names: Mapping[int, str], columns: Ints) -> Totals:
    met = sorted({names[int(version)] for version in np.unique(columns[:2])})
    low, high, low_units, high_units = _numbered(met, names, columns)
    order = np.lexsort((high, low))
    return Totals(tuple(met), low[order], high[order], low_units[order], high_units[order])


def _numbered(order: Sequence[str], names: Mapping[int, str], columns: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Replace a store's numbers by those of the sorted names, −1 for one that is not there, so that low < high."""
    place = {name: i for i, name in enumerate(order)}
    numbers = np.full(max(names, default=-1) + 2, -1, dtype=np.int64)  # the last entry is that of number −1
    for version, name in names.items():
        numbers[version] = place.get(name, -1)
    low, high = numbers[columns[0]], numbers[columns[1]]
    swapped = low > high
    return (
        np.where(swapped, high, low),
        np.where(swapped, low, high),
        np.where(swapped, columns[3], columns[2]),
        np.where(swapped, columns[2], columns[3]),
    )


def _sets(order: Sequence[str], names: Mapping[int, str], columns: Ints) -> Sets:
    low, high, low_units, high_units = _numbered(order, names, columns[1:5])
    _, first, cluster = np.unique(columns[0], return_index=True, return_inverse=True)
    counts = columns[5][first]
    inside = np.lexsort((high, low, cluster))
    values = np.stack((low, high, low_units, high_units))[:, inside]
    sizes = np.bincount(cluster, minlength=len(counts))
    begins = np.concatenate(((0,), np.cumsum(sizes)))[:-1]
    merged, numbers, found = [], [], []
    total = 0
    for size in np.unique(sizes):
        chosen = np.flatnonzero(sizes == size)
        table = values[:, begins[chosen][:, None] + np.arange(size)]  # (4, sets, pairs)
        flat = table.transpose(2, 0, 1).reshape(4 * size, len(chosen))
        by_all = np.lexsort(flat[::-1])
        ordered = flat[:, by_all]
        new = np.concatenate(((True,), (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)))
        same = np.cumsum(new) - 1
        found.append(np.bincount(same, counts[chosen][by_all]).astype(np.int64))
        different = len(found[-1])
        merged.append(ordered[:, new].reshape(size, 4, different).transpose(1, 2, 0).reshape(4, -1))
        numbers.append(np.repeat(np.arange(total, total + different), size))
        total += different
    nothing = np.zeros((4, 0), dtype=np.int64)
    rows = np.concatenate((nothing, *merged), axis=1)
    none = np.zeros(0, dtype=np.int64)
    return Sets(
        np.concatenate((none, *numbers)), rows[0], rows[1], rows[2], rows[3], np.concatenate((none, *found))
    )


def _adds_up(totals: Totals, sets: Sets) -> bool:
    """Return whether the sets are these totals, pair by pair."""
    bots = len(totals.names)
    pairs, rows = totals.low * bots + totals.high, sets.low * bots + sets.high
    if not len(pairs):
        return not len(rows)
    at = np.minimum(np.searchsorted(pairs, rows), len(pairs) - 1)
    if sets.low.min(initial=0) < 0 or (pairs[at] != rows).any():
        return False
    times = sets.count[sets.cluster]
    # Floats add integers exactly up to 2⁵³: some 10¹³ points.
    return all(
        np.array_equal(np.bincount(at, times * units, len(pairs)), of_pairs)
        for units, of_pairs in ((sets.low_units, totals.low_units), (sets.high_units, totals.high_units))
    )


def _digest(totals: Totals, sets: Sets) -> str:
    names = np.array([f"{name}\t" for name in (*totals.names, "?")], dtype=object)  # −1 is the last
    first = np.concatenate(((True,), sets.cluster[1:] != sets.cluster[:-1]))[: len(sets.cluster)]
    found = sha256(ALGORITHM.encode())
    for part in _parts(totals.low):
        _add(found, "\n" + _lines(names, totals, part))
    found.update(b"\n")
    for part in _parts(sets.low):
        begins = np.full(len(first[part]), "\t", dtype=object)
        begins[first[part]] = _texts("\n{}\t", sets.count[sets.cluster[part][first[part]]])
        _add(found, begins + _lines(names, sets, part))
    found.update(b"\n")
    return found.hexdigest()


def _parts(rows: Ints) -> Iterator[slice]:
    """Cut rows into parts: their texts together would be many times as large as they are, and more with each result."""
    return (slice(start, start + _ROWS_AT_ONCE) for start in range(0, len(rows), _ROWS_AT_ONCE))


def _add(found: Hash, lines: NDArray[np.object_]) -> None:
    found.update("".join(lines).encode())


def _lines(names: NDArray[np.object_], of: Totals | Sets, part: slice) -> NDArray[np.object_]:
    # Text by text, not line by line: of thousands of lines few have units of their own.
    units = _texts("{}\t", of.low_units[part]) + _texts("{}", of.high_units[part])
    return np.asarray(names[of.low[part]] + names[of.high[part]] + units)


def _texts(form: str, numbers: Ints) -> NDArray[np.object_]:
    """Write each number in a form."""
    different, which = np.unique(numbers, return_inverse=True)
    return np.array([form.format(number) for number in different.tolist()], dtype=object)[which]
