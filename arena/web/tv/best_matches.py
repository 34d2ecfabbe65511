"""The best open matches of the last day, each with the reason why it is worth watching, without revealing the winner.

featured matches, the games in turn ──▶ the best of them
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.translatable import Wording
from arena.storage import Store
from arena.web.tv import featured_matches, programme
from arena.web.tv.featured_matches import FeaturedMatch

_PERIOD_S = 300.0
"""Interval at which the matches are chosen, from those that were open at its beginning."""
_SETTLED_S = 30.0
_DAY_S = 86_400.0
_SAID_BY_CHANGES = (featured_matches.LATEST, featured_matches.CHANGING_LEAD)
_FEW_CHANGES = 2
"""Minimum number of lead changes that is shown."""


@dataclass(frozen=True, slots=True)
class BestMatch:
    """A match that is worth watching."""

    featured: FeaturedMatch

    @property
    def lead_changes(self) -> int | None:
        """Return the number of lead changes; None if there are too few to be shown, or if it is unknown."""
        changes = len(self.featured.drama.lead_changes)
        return changes if changes >= _FEW_CHANGES else None

    @property
    def reason(self) -> Wording | None:
        """Return the reason; None where the lead changes say more than it."""
        reason = self.featured.reason
        return None if self.lead_changes and reason in _SAID_BY_CHANGES else reason


@dataclass(frozen=True, slots=True)
class BestMatches:
    """Matches worth watching, the best first; `of_the_day` is False if none was played in the last 24 hours."""

    matches: tuple[BestMatch, ...]
    of_the_day: bool


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
    # Those that a fault ended are worth less than nothing.
    ranked = [each for each in ranked if each.worth >= 0 and game in {None, each.row.game}]
    fresh = [each for each in ranked if (each.row.stored_at or 0.0) >= moment - _DAY_S]
    if game is None:
        chosen = programme.interleave(fresh or ranked, lambda each: each.row.game)
    else:
        chosen = tuple(fresh or ranked)
    return BestMatches(tuple([BestMatch(each) for each in chosen[:most]]), bool(fresh))
