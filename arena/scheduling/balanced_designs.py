"""Designs of a chosen length: every bot at equally many tables, and pairs that meet as evenly as can be found soon.

    block   k residues mod N, shifted by 0, 1 … N − 1              N tables, every bot at k of them
    part    k residues mod N, shifted by 0, d … N − d              N/d tables, d = gcd(N, k)

Parts seat all bots equally often if together they have equally many residues of each class mod d.  So any number of
tables for each bot is possible that is a multiple of k/d, which is all that N·tables divisible by k leaves.

How often two bots meet depends on the class of the one and on their difference only.  A search moves one residue at a time to
where the pairs that it makes have met least, or has two parts exchange the classes of two residues.

Source: Bose 1939, *On the construction of balanced incomplete block designs* (the method of differences).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from arena.games.chance import Stream

Counts = NDArray[np.int64]
"""Meetings of a bot of a class mod d, by row, with the bot at a difference mod N, by column."""

ROUNDS = 4
"""Rounds of a search that finds no even design."""
MOVES = 2_500
"""Moves of a round: of 0.05 ms each, so that all rounds together take about half a second."""

_LOOK_EVERY = 4
_SLACK_ONE_IN = 32
"""One in this many moves may go where pairs have met once more than necessary: so the search leaves dead ends."""

_NEVER = 1 << 40


@dataclass(frozen=True, slots=True)
class Block:
    """Residues and the step by which they are shifted until they are back."""

    residues: tuple[int, ...]
    step: int

    def tables(self, entries: int) -> tuple[tuple[int, ...], ...]:
        """Return the tables of a block, shift by shift."""
        return tuple(
            tuple((residue + shift) % entries for residue in self.residues)
            for shift in range(0, entries, self.step)
        )


def even(entries: int, seats: int, tables: int) -> int:
    """Return the least number of tables for each bot, `tables` or more, at which all can sit equally often."""
    step = seats // gcd(entries, seats)
    return step * -(-tables // step)


def no_meetings(entries: int, seats: int) -> Counts:
    """Return the counts before any meeting."""
    return np.zeros((gcd(entries, seats), entries), dtype=np.int64)


def count(counts: Counts, block: Block) -> None:
    """Add what a block's pairs meet."""
    for i, a in enumerate(block.residues):
        for b in block.residues[:i]:
            _meet(counts, a, b, 1, whole=block.step == 1)


def spread(counts: Counts) -> int:
    """Return the difference between those who meet most and least."""
    others = counts[:, 1:]
    return int(others.max() - others.min()) if others.size else 0


def design(
    seats: int, tables: int, before: Counts, stream: Stream, *, rounds: int = ROUNDS, moves: int = MOVES
) -> tuple[Block, ...]:
    """Search blocks that seat every bot at `tables` tables and even out `before`; return the best of some rounds.

    Raises ValueError if the bots cannot all sit equally often.
    """
    d, entries = before.shape
    if not seats <= entries or even(entries, seats, tables) != tables:
        raise ValueError(f"{tables} tables for each of {entries} at {seats} seats do not come out even")
    whole, parts = tables // seats, tables % seats * d // seats
    best: tuple[Block, ...] = ()
    least = _NEVER
    for number in range(rounds):
        # A block is as good as d parts, which are slower to search but leave more choice.
        cut = number % 2 if whole and d > 1 else 0
        search = _Search(seats, whole - cut, parts + cut * d, before.copy(), stream)
        reached, blocks = search.best(moves)
        stream = search.stream
        if reached < least:
            best, least = blocks, reached
        if least <= 1:
            break
    return best


class _Search:
    """One round: blocks that change, and the counts with them."""

    def __init__(self, seats: int, whole: int, parts: int, counts: Counts, stream: Stream) -> None:
        self.stream = stream
        self._seats, self._whole, self._parts = seats, whole, parts
        self._counts = counts
        self._classes: int = counts.shape[0]
        self._entries: int = counts.shape[1]
        self._all = np.arange(self._entries)
        self._blocks: list[list[int]] = []
        for number in range(whole + parts):
            self._blocks.append(self._drawn(1 if number < whole else self._classes))
            count(counts, self._block(number))

    def best(self, moves: int) -> tuple[int, tuple[Block, ...]]:
        """Move until the counts are even or the moves are made; the least spread, and the blocks that had it."""
        least, blocks = spread(self._counts), self._frozen()
        for number in range(1, moves + 1):
            if least <= 1:
                break
            self._move()
            if number % _LOOK_EVERY == 0 and (now := spread(self._counts)) < least:
                least, blocks = now, self._frozen()
        return least, blocks

    def _drawn(self, classes: int) -> list[int]:
        """Draw residues, equally many of each class."""
        drawn: list[int] = []
        for each in range(classes):
            residues, self.stream = self.stream.shuffle(range(each, self._entries, classes))
            drawn += residues[: self._seats // classes]
        return drawn

    def _block(self, at: int) -> Block:
        return Block(tuple(self._blocks[at]), 1 if at < self._whole else self._classes)

    def _frozen(self) -> tuple[Block, ...]:
        return tuple(self._block(at) for at in range(len(self._blocks)))

    def _below(self, n: int) -> int:
        number, self.stream = self.stream.below(n)
        return number

    def _move(self) -> None:
        at, place, lot = self._below(len(self._blocks)), self._below(self._seats), self._below(_SLACK_ONE_IN)
        if at >= self._whole and self._parts > 1 and lot % 4 == 1:
            other = self._whole + self._below(self._parts - 1)
            self._exchange((at, place), (other + (other >= at), self._below(self._seats)))
            return
        residue = self._lift(at, place)
        self._put(at, place, self._choose(at, place, residue % self._classes, slack=int(lot == 0)))

    def _exchange(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        """Exchange the classes of two residues of two parts, unless that makes the counts less even."""
        places = (one, other)
        old = [self._blocks[at][place] for at, place in places]
        wanted = [residue % self._classes for residue in reversed(old)]
        if wanted[0] == wanted[1] or not all(map(self._has_room, places, wanted)):
            return
        before = int((self._counts**2).sum())
        for (at, place), each in zip(places, wanted, strict=True):
            self._lift(at, place)
            self._put(at, place, self._choose(at, place, each, slack=0))
        if int((self._counts**2).sum()) > before:
            for (at, place), residue in zip(places, old, strict=True):
                self._lift(at, place)
                self._put(at, place, residue)

    def _has_room(self, place: tuple[int, int], wanted: int) -> bool:
        """Return whether a part has not all residues of a class yet."""
        taken = [residue for residue in self._blocks[place[0]] if residue % self._classes == wanted]
        return len(taken) < self._entries // self._classes

    def _choose(self, at: int, place: int, wanted: int, slack: int) -> int:
        """Choose a residue for a place, of a class if the block is a part: one of those whose pairs have met least."""
        if at < self._whole:
            residues, met, slack = self._all, self._counts.sum(axis=0), slack * self._classes
        else:
            residues, met = self._all[wanted :: self._classes], self._counts[wanted]
        meetings = np.zeros(len(residues), dtype=np.int64)
        others = self._others(at, place)
        for other in others:
            meetings += met[(other - residues) % self._entries]
        meetings[np.isin(residues, others)] = _NEVER
        ties = np.flatnonzero(meetings <= meetings.min() + slack)
        return int(residues[ties[self._below(len(ties))]])

    def _others(self, at: int, place: int) -> list[int]:
        block = self._blocks[at]
        return block[:place] + block[place + 1 :]

    def _lift(self, at: int, place: int) -> int:
        """Take a residue out of the counts; its place is empty until another is put there."""
        residue = self._blocks[at][place]
        self._meet_others(at, place, residue, -1)
        return residue

    def _put(self, at: int, place: int, residue: int) -> None:
        self._blocks[at][place] = residue
        self._meet_others(at, place, residue, 1)

    def _meet_others(self, at: int, place: int, residue: int, by: int) -> None:
        for other in self._others(at, place):
            _meet(self._counts, residue, other, by, whole=at < self._whole)


def _meet(counts: Counts, a: int, b: int, by: int, *, whole: bool) -> None:
    """Count a pair of a block, both ways round; half of an even N is its own negative and may count twice."""
    classes, entries = counts.shape
    for one, other in ((a, b), (b, a)):
        if whole:
            counts[:, (other - one) % entries] += by
        else:
            counts[one % classes, (other - one) % entries] += by
