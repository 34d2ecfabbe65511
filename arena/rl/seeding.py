"""Seeds of matches from the small integers that learners' libraries use."""

from __future__ import annotations

import secrets
from hashlib import sha256


class MatchSeeds:
    """The seeds of matches played one after the other; mutable.  The same integer gives the same seeds."""

    def __init__(self, seed: int | None = None) -> None:
        """Begin at random if no integer is given."""
        self._root = (
            secrets.token_bytes(32) if seed is None else sha256(f"arena-rl/1 {seed}".encode()).digest()
        )
        self._count = 0

    def draw(self) -> bytes:
        """Return the 32 bytes of the next match."""
        self._count += 1
        return sha256(self._root + self._count.to_bytes(8, "big")).digest()
