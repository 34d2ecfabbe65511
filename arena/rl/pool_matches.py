"""The matches that a rating is measured by, all in this process and all from the pool's seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import combinations
from typing import Any

from arena.rl.reference_pool import Pool
from arena.sdk.bot import Bot
from arena.sdk.practice import PracticeMatch, play_out

Place = tuple[str, int]
"""A bot's name and its place."""

Make = Callable[[str], Bot[Any]]
"""Makes a bot of its name, a new one for each set: what it remembers reaches no other set."""


def tables(bots: Sequence[str], seats: int, own: str | None = None) -> list[tuple[str, ...]]:
    """List the pairings: all combinations of the pool's bots; with a bot under test, it and all combinations for the other seats."""
    if own is None:
        return list(combinations(bots, seats))
    return [(own, *others) for others in combinations(bots, seats - 1)]


def play_sets(pool: Pool, table: Sequence[str], sets: int, make: Make) -> Iterator[list[list[Place]]]:
    """Play sets at one table; yield of each the places in each of its matches, in seat order.

    In a set every bot has every seat once, all with the same deal.  Raises IllegalAction, and what a bot raises.
    """
    count = len(table)
    for number in range(sets):
        bots = {name: make(name) for name in table}
        seed = sha256(f"arena-pool/1 {pool.seed} {number}".encode()).digest()
        played: list[list[Place]] = []
        for turn in range(count):
            order = [table[(seat + turn) % count] for seat in range(count)]
            match = PracticeMatch(
                pool.game,
                [bots[name] for name in order],
                seed=seed,
                variant=pool.variant,
                options=pool.options,
            )
            played.append(list(zip(order, play_out(match).places, strict=True)))
        yield played
