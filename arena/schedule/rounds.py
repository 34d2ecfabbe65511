"""Formats that adapt: each round follows from the results of the rounds before it, and from nothing else.

    played rounds ──next──▶ Round ──(its sets are played)──▶ played rounds ──next──▶ … ──▶ None

`basis` gives the hash that a decision is logged with: whoever has the results can make the decision again.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol, TypeAlias

from arena.games.chance import Stream

Table: TypeAlias = tuple[int, ...]
"""The entries that play a set together."""


@dataclass(frozen=True, slots=True)
class PlayedSet:
    """A set that is over: its entries, and what each took from the others, a win counting 2 and a shared place 1."""

    table: Table
    halves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """What is to be played next, and who sits out."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that is over."""

    sets: tuple[PlayedSet, ...]
    byes: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    """Who had left when it was drawn."""


class Rounds(Protocol):
    """A format that adapts.  Its values are frozen and hold what the organiser chose."""

    def next(self, played: Sequence[PlayedRound], gone: Collection[int], stream: Stream) -> Round | None:
        """Draw the next round, or None if it is over; who is gone plays no more.  The stream is the round's own."""
        ...


def basis(played: Sequence[PlayedRound], gone: Collection[int]) -> str:
    """Give the SHA-256, in hex digits, of all that the next round follows from."""
    facts = {
        "gone": sorted(gone),
        "rounds": [
            {
                "byes": list(each.byes),
                "gone": sorted(each.gone),
                "sets": [[list(one.table), list(one.halves)] for one in each.sets],
            }
            for each in played
        ],
    }
    return sha256(json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
