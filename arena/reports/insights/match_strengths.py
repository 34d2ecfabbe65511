"""How strong the bots of matches were at a moment, by the Elo of their pool: what a match is chosen by to be shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import select

from arena.competition.matches.stored_records import MatchKey
from arena.rankings import past_ratings
from arena.reports.insights.watchable_matches import BELOW_BEST
from arena.reports.match_details import MatchRow
from arena.reports.match_lists import upsets
from arena.storage import Store
from arena.storage.schema import Tournament


@dataclass(frozen=True, slots=True)
class MatchStrength:
    """Elo of the seats of a match, the highest first, None without a rating; and of the best bot of their pool."""

    elos: tuple[float | None, ...] = ()
    best: float | None = None
    chance: float | None = None
    """The winner's chance against the strongest bot that it beat."""

    @property
    def weakest(self) -> float | None:
        """Return the Elo of the weakest seat; None if one has none."""
        rated = [elo for elo in self.elos if elo is not None]
        return min(rated) if rated and len(rated) == len(self.elos) else None

    @property
    def is_strong(self) -> bool:
        """Return whether every bot is among the best of its pool."""
        return self.best is not None and not self.is_weak

    @property
    def is_weak(self) -> bool:
        """Return whether a bot is far below the best, or unrated; not where no bot of the pool is rated."""
        return self.best is not None and (self.weakest is None or self.weakest < self.best - BELOW_BEST)


UNKNOWN = MatchStrength()
"""The strength of a match in a pool without ratings."""


def read(store: Store, rows: Iterable[MatchRow], moment: float) -> Mapping[MatchKey, MatchStrength]:
    """Return the strength of matches by the ratings of a moment."""
    rows = list(rows)
    with store.read() as session:
        query = select(Tournament.id, Tournament.variant).where(
            Tournament.id.in_({row.tournament_id for row in rows})
        )
        variants: dict[int, str] = dict(session.execute(query).all())
    pools: dict[tuple[str, str], list[MatchRow]] = defaultdict(list)
    for row in rows:
        pools[row.game, variants[row.tournament_id]].append(row)
    found = {}
    for (game, variant), of_pool in pools.items():
        bots = {(seat.bot, seat.version) for row in of_pool for seat in row.seats}
        ratings = past_ratings.read(store, game, variant, bots, moment)
        for row in of_pool:
            elos = [ratings.of.get((seat.bot, seat.version), (None, 0.0))[0] for seat in row.seats]
            found[row.key] = MatchStrength(
                tuple(sorted(elos, key=lambda elo: -(elo or 0.0))),
                ratings.best,
                upsets.chance_of_winner(row, ratings.of),
            )
    return found
