"""Tables of more than two seats at which no two entries of one owner sit together.

Entries are numbered group by group, the largest group first.  In every cycle each entry has a quota of tables, the same for
all where that can be; a group of more than one in `seats` of all entries has one of its own at every table, and they sit
less often than the others.  A table is filled with those who have met least; then entries of two tables change places as
long as meetings become more even.

A group that still has to sit at each table that is left is seated first: so the quotas always come out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import chain, product
from itertools import combinations as subsets
from math import comb, gcd
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from arena.games.chance import Stream
from arena.scheduling.planning_terms import Groups
from arena.scheduling.table_designs import FEW_TABLES, evenly

_SWAPS_PER_TABLE = 60
_SWAPS_PER_LATER_TABLE = 10
"""Changes of places tried for each table, in the first cycle and in those that continue to even out."""

_MAX_SWAPS = 20_000
"""Of some 5 µs each."""

_SCHEDULES_KEPT = 16


def is_crowded(groups: Groups) -> bool:
    """Return whether two of the entries belong to one owner."""
    owned = [group for group in groups if group is not None]
    return len(set(owned)) < len(owned)


def owners(groups: Sequence[int | None]) -> int:
    """Count those of whom one can sit at a table: the owners, and each bot of the house."""
    return len(set(groups) - {None}) + list(groups).count(None)


def by_group(groups: Groups, order: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sizes of the groups, the largest first, and the entries in their order; `order` settles ties."""
    members: dict[tuple[int, int], list[int]] = {}
    for entry in order:
        group = groups[entry]
        members.setdefault((0, entry) if group is None else (1, group), []).append(entry)
    sorted_groups = sorted(members.values(), key=len, reverse=True)
    return tuple(map(len, sorted_groups)), tuple(chain.from_iterable(sorted_groups))


@dataclass(frozen=True, slots=True)
class OwnerSeparation(Sequence[tuple[int, ...]]):
    """A sequence of tables; `sizes` are those of the groups.

    A cycle is all tables that there can be if they are few and all groups of one size; else as many as it takes for
    each entry to meet all outside its group, or, with `per_bot`, to sit at that many tables; but never fewer
    than the largest group has entries, so that each of them sits.
    Raises ValueError if there are fewer groups than seats.
    """

    sizes: tuple[int, ...]
    seats: int
    cycles: int = 1
    per_bot: int | None = None

    def __post_init__(self) -> None:
        if len(self.sizes) < self.seats:
            raise ValueError(f"{len(self.sizes)} groups: a table of {self.seats} seats needs so many")

    def __len__(self) -> int:
        """Count the tables of all cycles."""
        return self.cycles * _cycle_length(self.sizes, self.seats, self.per_bot)

    def __getitem__(self, number: int) -> tuple[int, ...]:  # type: ignore[override]  # tables are asked for one at a time
        """Return the entries of the table with that number."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        cycle, table = divmod(number, _cycle_length(self.sizes, self.seats, self.per_bot))
        return _cycles(self.sizes, self.seats, self.per_bot).tables(cycle)[table]


def _cycle_length(sizes: tuple[int, ...], seats: int, per_bot: int | None) -> int:
    if per_bot is None and (every := _every_table(sizes, seats)) is not None:
        return len(every)
    entries = sum(sizes)
    step = seats // gcd(entries, seats)
    if per_bot is not None:
        per_bot = evenly(entries, seats, per_bot)
        while entries * per_bot // seats < sizes[0]:
            per_bot += step
        return entries * per_bot // seats
    # Those of the smallest group have most to meet; those of the largest may have fewer tables than the others.
    per_bot = evenly(entries, seats, -(-(entries - sizes[-1]) // (seats - 1)))
    while entries * per_bot // seats // sizes[0] * (seats - 1) < entries - sizes[0]:
        per_bot += step
    return entries * per_bot // seats


@lru_cache(maxsize=_SCHEDULES_KEPT)
def _every_table(sizes: tuple[int, ...], seats: int) -> tuple[tuple[int, ...], ...] | None:
    """Return all tables that there can be, if they are few and even; None if they are not."""
    size = sizes[0]
    if sizes[-1] != size or comb(len(sizes), seats) * size**seats > FEW_TABLES:
        return None
    members = [range(start, start + size) for start in range(0, sum(sizes), size)]
    return tuple(table for groups in subsets(members, seats) for table in product(*groups))


@lru_cache(maxsize=_SCHEDULES_KEPT)
def _cycles(sizes: tuple[int, ...], seats: int, per_bot: int | None) -> _Cycles:
    return _Cycles(sizes, seats, per_bot)


class _Cycles:
    """One cycle after the other; each evens what those before it left uneven.  Private to this module."""

    def __init__(self, sizes: tuple[int, ...], seats: int, per_bot: int | None) -> None:
        entries = sum(sizes)
        self._sizes, self._seats, self._per_bot = sizes, seats, per_bot
        self._length = _cycle_length(sizes, seats, per_bot)
        self._every = _every_table(sizes, seats) if per_bot is None else None
        self._group = np.repeat(np.arange(len(sizes)), sizes)
        self._met: NDArray[np.int32] = np.zeros((entries, entries), dtype=np.int32)
        self._sat: NDArray[np.int64] = np.zeros(entries, dtype=np.int64)
        self._found: list[tuple[tuple[int, ...], ...]] = []
        self._lock = Lock()

    def tables(self, cycle: int) -> tuple[tuple[int, ...], ...]:
        """Return the tables of a cycle; those before it are found first."""
        if self._every is not None:
            return self._every
        with self._lock:
            while len(self._found) <= cycle:
                self._found.append(self._next(len(self._found)))
            return self._found[cycle]

    def _next(self, cycle: int) -> tuple[tuple[int, ...], ...]:
        sizes = ",".join(map(str, self._sizes))
        name = f"arena-design/3/{sizes}/{self._seats}/{self._per_bot or 0}/{cycle}"
        stream = Stream(sha256(name.encode()).digest())
        order, stream = stream.shuffle(range(len(self._group)))
        lots = np.array(order)
        tables = self._filled(self._quotas(lots), lots)
        each = _SWAPS_PER_LATER_TABLE if cycle else _SWAPS_PER_TABLE
        self._even_out(tables, min(_MAX_SWAPS, each * len(tables)), stream)
        return tuple(map(tuple, tables))

    def _quotas(self, lots: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many tables each entry has in this cycle; who had fewer so far has one more where they differ."""
        quotas = np.zeros(len(self._group), dtype=np.int64)
        at_each: set[int] = set()
        places, entries = self._seats * self._length, len(self._group)
        # A group whose share would be more than one place at each table has just that.
        while more := {
            number
            for number, size in enumerate(self._sizes)
            if number not in at_each and size * places >= self._length * entries
        }:
            at_each |= more
            places -= self._length * len(more)
            entries -= sum(self._sizes[number] for number in more)
        for number in at_each:
            self._share_out(quotas, self._length, lots[self._group[lots] == number])
        self._share_out(quotas, places, lots[~np.isin(self._group[lots], list(at_each))])
        return quotas

    def _share_out(self, quotas: NDArray[np.int64], places: int, entries: NDArray[np.int64]) -> None:
        if not len(entries):
            return
        quotas[entries] = places // len(entries)
        rest = places % len(entries)
        for entry in entries[np.argsort(self._sat[entries], kind="stable")]:
            if not rest:
                return
            if quotas[self._group == self._group[entry]].sum() < self._length:
                quotas[entry] += 1
                rest -= 1

    def _filled(self, left: NDArray[np.int64], lots: NDArray[np.int64]) -> list[list[int]]:
        """Fill the tables of a cycle one after the other; `left` is how often each entry still has to sit."""
        tables = []
        of_group = np.bincount(self._group, weights=left).astype(np.int64)
        for to_fill in range(self._length, 0, -1):
            table: list[int] = []
            free = left > 0
            must = of_group == to_fill
            meetings = np.zeros(len(left), dtype=np.int64)
            for _ in range(self._seats):
                among = free & must[self._group]
                if not among.any():
                    among = free
                # Those who have met least, of these the group that has most tables to come, of these one by lot.
                score = meetings * (to_fill + 1) - of_group[self._group]
                score[~among] = np.iinfo(np.int64).max
                entry = int(lots[np.argmin(score[lots])])
                table.append(entry)
                free &= self._group != self._group[entry]
                must[self._group[entry]] = False
                meetings += self._met[entry]
            for entry in table:
                left[entry] -= 1
                of_group[self._group[entry]] -= 1
            self._count(table)
            tables.append(table)
        return tables

    def _count(self, table: list[int]) -> None:
        for one, other in subsets(table, 2):
            self._met[one, other] += 1
            self._met[other, one] += 1
        self._sat[table] += 1

    def _even_out(self, tables: list[list[int]], swaps: int, stream: Stream) -> None:
        """Exchange entries of two matches as long as that makes meetings no less even."""
        if len(tables) < 2:
            return
        met: list[list[int]] = self._met.tolist()
        group: list[int] = self._group.tolist()
        for _ in range(swaps):
            at, stream = stream.below(len(tables))
            to, stream = stream.below(len(tables) - 1)
            place, stream = stream.below(self._seats)
            seat, stream = stream.below(self._seats)
            one, other = tables[at], tables[to + (to >= at)]
            x, y = one[place], other[seat]
            left, right = one[:place] + one[place + 1 :], other[:seat] + other[seat + 1 :]
            if x == y or any(group[z] == group[y] for z in left) or any(group[z] == group[x] for z in right):
                continue
            lost = [(x, z) for z in left if z not in right] + [(y, z) for z in right if z not in left]
            gained = [(y, z) for z in left if z not in right] + [(x, z) for z in right if z not in left]
            if sum(met[a][b] + 1 for a, b in gained) > sum(met[a][b] for a, b in lost):
                continue
            for pairs, by in ((lost, -1), (gained, 1)):
                for a, b in pairs:
                    met[a][b] += by
                    met[b][a] += by
            one[place], other[seat] = y, x
        self._met = np.array(met, dtype=np.int32)
