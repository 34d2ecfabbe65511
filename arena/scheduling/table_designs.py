"""More than two seats: which bots sit at a table together.

Few bots: all k-subsets.  More: cyclic designs.  A base block is k residues mod N; its N shifts are N tables, at which
every bot sits k times.  Two bots at distance d meet as often as d is a difference of the base blocks, so a local search
over the blocks that evens the counts of the differences evens how often pairs meet.

A cycle is whole, every bot meets every other; or it is as long as requested (`arena.scheduling.balanced_designs`): a thousand bots
need 336 tables each for that at four seats, and may be satisfied with ten.

Source: Bose 1939, *On the construction of balanced incomplete block designs* (the method of differences).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import combinations
from math import ceil, comb
from threading import Lock

from arena.games.chance import Stream
from arena.scheduling import balanced_designs
from arena.scheduling.balanced_designs import Block

FEW_TABLES = 35
"""Number of k-subsets up to which a cycle has all of them: each subset meets exactly once."""

_SWAPS_PER_BLOCK = 400
"""Swaps tried per block in one round of the search."""

_BLOCKS_TRIED = 24
"""Blocks that all rounds of a search build together: with few blocks a round is short, and its luck matters."""


_LONG = 256
"""Cycle from which the quicker search of `arena.scheduling.balanced_designs` continues to even out."""

_LATER_MOVES = 500
"""Moves of that search after the first cycle: there may be thousands of cycles, and each may even out the rest."""


@dataclass(frozen=True, slots=True)
class TableDesign:
    """A sequence of tables of `seats` entries, pairs meeting equally often within 1, or 2 where no better was found soon.

    A whole cycle is all subsets if they are few, else about as many tables as it takes for every pair to meet.
    With `per_bot` every cycle seats each bot at that many tables, as few as one; `evenly` says which numbers are possible.
    Raises ValueError for others.  Many cycles of fewer than `seats` tables get less even than one that is as long as all.
    """

    entries: int
    seats: int
    cycles: int = 1
    per_bot: int | None = None

    def __post_init__(self) -> None:
        if self.per_bot is not None and self.per_bot != evenly(self.entries, self.seats, self.per_bot):
            raise ValueError(
                f"per_bot {self.per_bot}: {self.entries} entries at {self.seats} seats cannot all sit equally often; "
                f"{evenly(self.entries, self.seats, self.per_bot)} is possible"
            )

    def __len__(self) -> int:
        """Count the tables of all cycles."""
        return self.cycles * self._cycle_length

    def __getitem__(self, number: int) -> tuple[int, ...]:
        """Return the entries of the table with that number."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        cycle, table = divmod(number, self._cycle_length)
        return _cycle(self.entries, self.seats, self.per_bot, cycle)[table]

    @property
    def _cycle_length(self) -> int:
        if self.per_bot is not None:
            return self.entries * self.per_bot // self.seats
        return len(_cycle(self.entries, self.seats, None, 0))


def evenly(entries: int, seats: int, per_bot: int) -> int:
    """Return the least possible number of tables for each entry that is `per_bot` or more, and at least 1."""
    return balanced_designs.even(entries, seats, max(1, per_bot))


def meetings(tables: Sequence[tuple[int, ...]]) -> dict[tuple[int, int], int]:
    """Count how often each pair that meets does so."""
    counts: dict[tuple[int, int], int] = {}
    for table in tables:
        for pair in combinations(sorted(table), 2):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


@lru_cache(maxsize=64)
def _cycle(entries: int, seats: int, per_bot: int | None, cycle: int) -> tuple[tuple[int, ...], ...]:
    if per_bot is None and comb(entries, seats) <= FEW_TABLES:
        return tuple(combinations(range(entries), seats))
    blocks = _cycles(entries, seats, per_bot).blocks(cycle)
    return tuple(table for block in blocks for table in block.tables(entries))


class _Cycles:
    """The blocks of one cycle after the other; each evens what those before it left uneven, as far as it can be."""

    def __init__(self, entries: int, seats: int, per_bot: int | None) -> None:
        self._entries, self._seats, self._per_bot = entries, seats, per_bot
        self._counts = balanced_designs.no_meetings(entries, seats)
        self._found: list[tuple[Block, ...]] = []
        self._lock = Lock()

    def blocks(self, cycle: int) -> tuple[Block, ...]:
        """Return the blocks of a cycle; those before it are searched first."""
        with self._lock:
            while len(self._found) <= cycle:
                found = self._searched(len(self._found))
                for block in found:
                    balanced_designs.count(self._counts, block)
                self._found.append(found)
            return self._found[cycle]

    def _searched(self, cycle: int) -> tuple[Block, ...]:
        entries, seats = self._entries, self._seats
        if self._per_bot is None and cycle < _LONG:
            number = len(self._found[0]) if cycle else None
            whole = _whole(self._counts[0].tolist(), seats, cycle, number)
            return tuple(Block(residues, 1) for residues in whole)
        per_bot = seats * len(self._found[0]) if self._per_bot is None else self._per_bot
        name = f"arena-design/2/{entries}/{seats}/{self._per_bot or 0}/{cycle}"
        # Numbers stay small in however many cycles: what all have had is of no interest.
        before = self._counts - self._counts[:, 1:].min()
        if cycle == 0:
            return balanced_designs.design(seats, per_bot, before, _stream(name))
        return balanced_designs.design(seats, per_bot, before, _stream(name), rounds=1, moves=_LATER_MOVES)


@lru_cache(maxsize=64)
def _cycles(entries: int, seats: int, per_bot: int | None) -> _Cycles:
    return _Cycles(entries, seats, per_bot)


def _stream(name: str) -> Stream:
    return Stream(sha256(name.encode()).digest())


def _whole(counts: list[int], seats: int, cycle: int, number: int | None) -> tuple[tuple[int, ...], ...]:
    """Search the base blocks of a whole cycle; `counts` are the differences of the cycles before it.

    The first cycle decides how many there are: the fewest with which every pair can meet, or a few more if
    only then the search finds an even design.
    """
    entries = len(counts)
    stream = _stream(f"arena-design/1/{entries}/{seats}/{cycle}")
    if number is not None:
        return _search(counts, seats, number, stream)[0]
    fewest = ceil((entries - 1) / (seats * (seats - 1)))
    tried = (
        _search(counts, seats, count, stream)
        for count in range(fewest, fewest + fewest // 2 + 2, max(1, fewest // 12))
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
