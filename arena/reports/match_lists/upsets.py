"""Which matches were upsets: the winner is weaker than a bot that it beat, by more than the error bars of both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import hypot
from typing import Protocol, TypeAlias

from arena.competition.matches.outcomes import FAULT_END
from arena.reports.match_details import MatchRow

_LEAST = 50.0
"""Elo points that an upset takes, however sure the ratings are."""


class Rated(Protocol):
    """A row of an Elo table."""

    @property
    def bot(self) -> str:
        """The bot's name."""
        ...

    @property
    def version(self) -> str:
        """Its version."""
        ...

    @property
    def elo(self) -> float | None:
        """Its Elo."""
        ...

    @property
    def error(self) -> float | None:
        """The half width of its interval."""
        ...


_Strengths: TypeAlias = Mapping[tuple[str, str], tuple[float, float]]


def among(rows: Iterable[MatchRow], table: Iterable[Rated]) -> frozenset[str]:
    """Return the ids of those matches that were upsets by an Elo table; a fault is none."""
    strengths = {
        (row.bot, row.version): (row.elo, row.error)
        for row in table
        if row.elo is not None and row.error is not None
    }
    return frozenset(row.id for row in rows if _is_upset(row, strengths))


def _is_upset(row: MatchRow, strengths: _Strengths) -> bool:
    if row.state != "finished" or row.end == FAULT_END:
        return False
    winners = [strengths.get((seat.bot, seat.version)) for seat in row.seats if seat.place == 1]
    losers = [strengths.get((seat.bot, seat.version)) for seat in row.seats if (seat.place or 0) > 1]
    if len(winners) != 1 or winners[0] is None:
        return False
    elo, error = winners[0]
    return any(
        loser is not None and loser[0] - elo >= max(_LEAST, hypot(error, loser[1])) for loser in losers
    )
