"""Formats that adapt: each round follows from the results of the rounds before it, and from nothing else.

    played rounds ──next──▶ Round ──(its sets are played)──▶ played rounds ──next──▶ … ──▶ None

`basis` gives the hash that is logged with a decision, so that it can be recomputed from the results.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple, Protocol, TypeAlias

from arena.games.chance import Stream

TableEntries: TypeAlias = tuple[int, ...]
"""The entries that play a set together."""


class PairUnits(NamedTuple):
    """Units that two entries, `low` < `high`, took from each other in a set, in 1/280 point (`arena.ratings.totals`).

    Both are 0 if both entries were absent from all matches of the pair.
    """

    low: int
    high: int
    low_units: int
    high_units: int


SetPairs: TypeAlias = tuple[PairUnits, ...]
"""All pairs of one set, sorted; none where nothing of it counts."""


@dataclass(frozen=True, slots=True)
class PlayedSet:
    """A set that is over: its entries, and what each took from the others, a win counting 2 and a shared place 1.

    It is `unattended` if its entries were away from all of its matches.
    """

    table: TableEntries
    halves: tuple[int, ...]
    unattended: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """Round to be played next, with the entries that sit out."""

    tables: tuple[TableEntries, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that is over."""

    sets: tuple[PlayedSet, ...]
    byes: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    """Entries that had left when the round was drawn."""


@dataclass(frozen=True, slots=True)
class ShownTie:
    """Entries that met in a round, with the half points of each; `winner` is who went on, in a format that says so.

    Nobody did where both were away when it was to be decided: then it is `unattended`.
    """

    table: TableEntries
    halves: tuple[int, ...]
    winner: int | None
    sets: int
    unattended: bool = False


@dataclass(frozen=True, slots=True)
class ShownRound:
    """A round as a page shows it: its name in words, who met, and who sat out."""

    name: str
    ties: tuple[ShownTie, ...]
    byes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Elimination:
    """A look at a race: after how many rounds in all, who has left since the one before, and how many are still in."""

    rounds: int
    left: tuple[int, ...]
    still_in: int


class Rounds(Protocol):
    """A format that adapts.  Its values are frozen and hold what the organiser chose."""

    def next(self, played: Sequence[PlayedRound], gone: Collection[int], stream: Stream) -> Round | None:
        """Draw the next round, or None if it is over; who is gone plays no more.  The stream is the round's own."""
        ...


def basis(played: Mapping[int, SetPairs], gone: Collection[int]) -> str:
    """Return the SHA-256, in hex digits, of all that the next decision follows from: sets by number, and who has left."""
    facts = {
        "gone": sorted(gone),
        "sets": [
            [number, [list(pair) for pair in pairs]] for number, pairs in sorted(played.items()) if pairs
        ],
    }
    return sha256(json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
