"""The seeded stream: all chance of a match, from its 256-bit seed and nothing else.

    block i = SHA-256(seed ‖ i as 8 bytes big-endian)      the stream = block 0 ‖ block 1 ‖ …

A `Stream` is a value: drawing gives the outcome and the stream after it, so states that hold one can be copied,
compared and played again.  Source: docs/record.md, *Chance*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from struct import Struct
from typing import Final, TypeVar

from arena.games.values import mypyc_attr

SEED_BYTES: Final = 32
_WORDS: Final = Struct(">8I")
_WORDS_PER_BLOCK: Final = 8
_SPAN: Final = 1 << 32

Item = TypeVar("Item")


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, slots=True)
class Stream:
    """A position in the stream of a seed, counted in words of 4 bytes."""

    seed: bytes
    position: int = 0

    def below(self, n: int) -> tuple[int, Stream]:
        """Draw a number from 0 to n − 1, each equally likely."""
        numbers, after = self._draw(n, n)
        return numbers[0], after

    def shuffle(self, items: Sequence[Item]) -> tuple[tuple[Item, ...], Stream]:
        """Shuffle by Fisher-Yates from the top: for i = len−1 … 1, swap i with a number below i + 1."""
        shuffled = list(items)
        i = len(shuffled)
        numbers, after = self._draw(i, 2)
        for j in numbers:
            i -= 1
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return tuple(shuffled), after

    def _draw(self, first: int, last: int) -> tuple[list[int], Stream]:
        """Draw a number below each of `first`, `first` − 1, … `last`."""
        index, word = divmod(self.position, _WORDS_PER_BLOCK)
        words = self._block(index)
        numbers = []
        for n in range(first, last - 1, -1):
            limit = _SPAN - _SPAN % n
            x = limit
            while x >= limit:
                if word == _WORDS_PER_BLOCK:
                    index, word = index + 1, 0
                    words = self._block(index)
                x = words[word]
                word += 1
            numbers.append(x % n)
        return numbers, Stream(self.seed, index * _WORDS_PER_BLOCK + word)

    def _block(self, index: int) -> tuple[int, ...]:
        return _WORDS.unpack(sha256(self.seed + index.to_bytes(8, "big")).digest())


def bot_seed(seed: bytes, seat: int) -> bytes:
    """Return the 32 bytes that a seat's bot may draw its own random numbers from."""
    return sha256(b"arena-bot/1" + seed + bytes((seat,))).digest()


def commitment(match: str, seed: bytes) -> bytes:
    """Return the 32 bytes that are published before the first decision and bind the match to its seed."""
    return sha256(b"arena-commitment/1" + match.encode() + seed).digest()
