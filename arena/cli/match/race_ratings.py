"""Elo of the bots of a race, by the fit of the arena's tables: it takes into account that those who stayed met stronger opponents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from arena.cli.match.match_tally import Estimate, Played, comparisons
from arena.ratings.elo_table import rate
from arena.ratings.rating_data import of
from arena.ratings.set_clusters import count
from arena.ratings.totals import PairTotal, half_units


def elo_of_all(played: Sequence[Played], bots: int) -> list[Estimate | None]:
    """Estimate the Elo of each bot, relative to the mean of all; None for a bot without a match."""
    sets: dict[int, list[Played]] = defaultdict(list)
    for match in played:
        sets[match.set].append(match)
    inputs = of(_pair_totals(played), count(_pair_totals(matches) for matches in sets.values()))
    rows = {row.name: row for row in rate(inputs, mean=0.0, superiority=False).rows}
    found = (rows.get(_name(bot)) for bot in range(bots))
    return [None if row is None else Estimate(row.elo, row.error) for row in found]


def _pair_totals(played: Sequence[Played]) -> list[PairTotal]:
    sums: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
    for match in played:
        units = 2 * half_units(len(match.seats))
        for bot in match.seats:
            for rival, points in comparisons(match, bot):
                if bot < rival:
                    sums[bot, rival][0] += round(points * units)
                    sums[bot, rival][1] += round((1 - points) * units)
    return [PairTotal(_name(low), _name(high), *won) for (low, high), won in sorted(sums.items())]


def _name(bot: int) -> str:
    """Name a bot so that names are in the order of the numbers."""
    return f"{bot:03}"
