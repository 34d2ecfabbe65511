"""The best open matches of the last day, each with the reason why it is worth watching, without revealing the winner.

featured matches, the games in turn ──▶ the best of them
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.storage import Store
from arena.web.tv import featured_matches, programme
from arena.web.tv.featured_matches import FeaturedMatch

_PERIOD_S = 300.0
"""Interval at which the matches are chosen, from those that were open at its beginning."""
_SETTLED_S = 30.0
_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class BestMatches:
    """Matches worth watching, the best first."""

    matches: tuple[FeaturedMatch, ...]
    of_the_day: bool
    """Whether they were played in the last 24 hours."""

    @property
    def are_strong(self) -> bool:
        """Return whether they are between strong bots."""
        return all(each.strength.is_strong for each in self.matches)


def read(store: Store, now: float, most: int, game: str | None = None) -> BestMatches:
    """Return the best matches of a game, or of all, as they were at the last full five minutes."""
    moment = now // _PERIOD_S * _PERIOD_S - _SETTLED_S
    found: BestMatches = store.cache.get(
        ("best matches", game, most), moment, lambda: _choose(store, moment, most, game)
    )
    # A new arena shows the first match of each game at once.
    return (
        found
        if found.matches
        else _complete(featured_matches.first_after(store, moment, now), now, most, game)
    )


def _choose(store: Store, moment: float, most: int, game: str | None) -> BestMatches:
    return _complete(featured_matches.at(store, moment), moment, most, game)


def _complete(ranked: Sequence[FeaturedMatch], moment: float, most: int, game: str | None) -> BestMatches:
    ranked = [each for each in ranked if game in {None, each.row.game}]
    strong = [each for each in ranked if not each.strength.is_weak]
    fresh = [each for each in strong or ranked if (each.row.stored_at or 0.0) >= moment - _DAY_S]
    chosen = fresh or strong or ranked
    if game is None:
        chosen = list(programme.interleave(chosen, lambda each: each.row.game))
    return BestMatches(tuple(chosen[:most]), bool(fresh))
