"""Which matches were upsets: before the match, the winner's chance against a bot that it beat was under 20 %.

The chance follows from both Elo; the less certain they are, the closer to a half it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import hypot, log, pi, sqrt
from typing import Protocol, TypeAlias

from arena.competition.matches.outcomes import FAULT_END
from arena.ratings.model import POINTS_PER_E
from arena.reports.match_details import MatchRow

UPSET_CHANCE = 0.2
"""Chance below which a win is an upset."""
_QUANTILE = 1.96


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


Strengths: TypeAlias = Mapping[tuple[str, str], tuple[float, float]]
"""Elo and its error by bot and version."""


def among(rows: Iterable[MatchRow], table: Iterable[Rated]) -> frozenset[str]:
    """Return the ids of those matches that were upsets by an Elo table; a fault is none."""
    strengths = {
        (row.bot, row.version): (row.elo, row.error)
        for row in table
        if row.elo is not None and row.error is not None
    }
    return frozenset(row.id for row in rows if is_upset(row, strengths))


def is_upset(row: MatchRow, strengths: Strengths) -> bool:
    """Return whether a match was an upset."""
    chance = chance_of_winner(row, strengths)
    return chance is not None and chance < UPSET_CHANCE


def chance_of_winner(row: MatchRow, strengths: Strengths) -> float | None:
    """Return the winner's chance to finish ahead of the strongest bot that it beat.

    None after a fault, where first place was shared, and without the Elo of both.
    """
    if row.state != "finished" or row.end == FAULT_END:
        return None
    winners = [strengths.get((seat.bot, seat.version)) for seat in row.seats if seat.place == 1]
    losers = [strengths.get((seat.bot, seat.version)) for seat in row.seats if (seat.place or 0) > 1]
    if len(winners) != 1 or winners[0] is None:
        return None
    elo, error = winners[0]
    return min((_chance(loser[0] - elo, hypot(error, loser[1])) for loser in losers if loser), default=None)


def _chance(behind: float, error: float) -> float:
    """Return the chance against a bot that is `behind` Elo points ahead, where the difference has an error.

    The mean over what the difference may be, by the usual approximation (Glickman 1999, *Parameter estimation in large
    dynamic paired comparison experiments*, eq. 16).
    """
    spread = error / _QUANTILE / POINTS_PER_E
    certainty = 1 / sqrt(1 + 3 * spread**2 / pi**2)
    return float(1 / (1 + 10 ** (certainty * behind / (POINTS_PER_E * log(10)))))
