"""More than two seats: which bots sit at a table together.

Few bots: all k-subsets.  More: cyclic designs.  A base block is k residues mod N; its N shifts are N tables, at which
every bot sits k times.  Two bots at distance d meet as often as d is a difference of the base blocks, so a local search
over the blocks that evens the counts of the differences evens how often pairs meet.

Source: Bose 1939, *On the construction of balanced incomplete block designs* (the method of differences).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import combinations
from math import ceil, comb

from arena.games.chance import Stream

FEW_TABLES = 35
"""Up to so many k-subsets a cycle has all of them: each subset meets exactly once."""

_SWAPS_PER_BLOCK = 400
"""How long one round of the search lasts."""

_BLOCKS_TRIED = 24
"""How many blocks all rounds of a search build together: with few blocks a round is short, and its luck matters."""


@dataclass(frozen=True, slots=True)
class Tables:
    """A sequence of tables of `seats` entries; in every cycle each pair meets, all pairs equally often within 1.

    A cycle is all subsets where they are few, else about as many tables as it takes for everybody to meet everybody.
    """

    entries: int
    seats: int
    cycles: int = 1

    def __len__(self) -> int:
        """Count the tables of all cycles."""
        return self.cycles * len(_cycle(self.entries, self.seats, 0))

    def __getitem__(self, number: int) -> tuple[int, ...]:
        """Give the entries of the table with that number."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        cycle, table = divmod(number, len(_cycle(self.entries, self.seats, 0)))
        return _cycle(self.entries, self.seats, cycle)[table]


def meetings(tables: Sequence[tuple[int, ...]]) -> dict[tuple[int, int], int]:
    """Count how often each pair that meets does so."""
    counts: dict[tuple[int, int], int] = {}
    for table in tables:
        for pair in combinations(sorted(table), 2):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


@lru_cache(maxsize=64)
def _cycle(entries: int, seats: int, cycle: int) -> tuple[tuple[int, ...], ...]:
    if comb(entries, seats) <= FEW_TABLES:
        return tuple(combinations(range(entries), seats))
    return tuple(
        tuple((residue + shift) % entries for residue in block)
        for block in _blocks(entries, seats, cycle)
        for shift in range(entries)
    )


@lru_cache(maxsize=256)
def _blocks(entries: int, seats: int, cycle: int) -> tuple[tuple[int, ...], ...]:
    """Search the base blocks of a cycle; what the cycles before it left uneven is evened as far as it can be.

    The first cycle decides how many there are: the fewest with which everybody can meet everybody, or a few more where
    the search then finds a design that is even and theirs is not.
    """
    counts = [0] * entries
    for earlier in range(cycle):
        for block in _blocks(entries, seats, earlier):
            _count(counts, block, 1)
    stream = Stream(sha256(f"arena-design/1/{entries}/{seats}/{cycle}".encode()).digest())
    if cycle > 0:
        return _search(counts, seats, len(_blocks(entries, seats, 0)), stream)[0]
    fewest = ceil((entries - 1) / (seats * (seats - 1)))
    tried = (
        _search(counts, seats, number, stream)
        for number in range(fewest, fewest + fewest // 2 + 2, max(1, fewest // 12))
    )
    best, least = next(tried)
    for blocks, spread in tried:
        if least <= 1:
            break
        if spread < least:
            best, least = blocks, spread
    return best


def _search(
    counts: list[int], seats: int, number: int, stream: Stream
) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Find blocks and the spread of all meetings with them: the best of some rounds, or the first that is even."""
    best: tuple[tuple[int, ...], ...] = ()
    least = number * seats * len(counts)
    for _ in range(max(1, _BLOCKS_TRIED // number)):
        blocks, stream = _improved(list(counts), len(counts), seats, number, stream)
        tried = list(counts)
        for block in blocks:
            _count(tried, block, 1)
        spread = max(tried[1:]) - min(tried[1:])
        if spread < least:
            best, least = blocks, spread
        if spread <= 1:
            break
    return best, least


def _improved(
    counts: list[int], entries: int, seats: int, number: int, stream: Stream
) -> tuple[tuple[tuple[int, ...], ...], Stream]:
    """Start from random blocks and change one residue at a time as long as the differences get no less even."""
    blocks: list[tuple[int, ...]] = []
    for _ in range(number):
        residues, stream = stream.shuffle(range(1, entries))
        blocks.append((0, *residues[: seats - 1]))
        _count(counts, blocks[-1], 1)
    for _ in range(_SWAPS_PER_BLOCK * number):
        at, stream = stream.below(number)
        place, stream = stream.below(seats - 1)
        residue, stream = stream.below(entries)
        old = blocks[at]
        if residue in old:
            continue
        new = (*old[: place + 1], residue, *old[place + 2 :])
        change = _count(counts, old, -1) + _count(counts, new, 1)
        if change > 0:
            _count(counts, new, -1)
            _count(counts, old, 1)
            continue
        blocks[at] = new
        if change < 0 and max(counts[1:]) - min(counts[1:]) <= 1:
            break
    return tuple(blocks), stream


def _count(counts: list[int], block: tuple[int, ...], by: int) -> int:
    """Add the differences of a block, both ways round, or take them away; by how much the sum of squares changes.

    Half of an even N is its own negative and counts twice.
    """
    modulus = len(counts)
    change = 0
    for i, a in enumerate(block):
        for b in block[:i]:
            for difference in ((a - b) % modulus, (b - a) % modulus):
                before = counts[difference]
                counts[difference] = before + by
                change += by * (2 * before + by)
    return change
