"""Names of bots in lists that may have several versions of one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Protocol


class Versioned(Protocol):
    """Anything that names a version of a bot."""

    @property
    def bot(self) -> str:
        """The bot's name."""
        ...

    @property
    def version(self) -> str:
        """Its version."""
        ...


def names(rows: Sequence[Versioned]) -> tuple[str, ...]:
    """Return what each is called: `lc`, or `lc@4` where another version of `lc` is among them."""
    versions = defaultdict(set)
    for row in rows:
        versions[row.bot].add(row.version)
    return tuple(row.bot if len(versions[row.bot]) == 1 else f"{row.bot}@{row.version}" for row in rows)


def names_in_all(groups: Sequence[Sequence[Versioned]]) -> list[tuple[str, ...]]:
    """Return what the members of each group are called, such as the seats of matches: with versions where all groups together have several."""
    flat = iter(names([row for group in groups for row in group]))
    return [tuple(islice(flat, len(group))) for group in groups]


def called(row: Versioned, rows: Iterable[Versioned]) -> str:
    """Return what one of some versions is called."""
    others = any(each.bot == row.bot and each.version != row.version for each in rows)
    return f"{row.bot}@{row.version}" if others else row.bot
