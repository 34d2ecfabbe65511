"""The best open matches of the last day, each with the reason why it is worth watching; none of it tells who won.

featured matches, the games in turn ──▶ the best of them ──▶ how often the lead changed in each
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.errors import ArenaError
from arena.core.translatable import Wording
from arena.match import drama, score_series
from arena.match.record import from_json
from arena.reports import match_views
from arena.storage import Store
from arena.web.tv import featured_matches, programme
from arena.web.tv.featured_matches import FeaturedMatch

_PERIOD_S = 300.0
"""The matches are chosen anew so often, and from what was open at the beginning of the period."""
_SETTLED_S = 30.0
_DAY_S = 86_400.0
_FEW_CHANGES = 2
"""The lead changes at least so often in a match of which that is told."""


@dataclass(frozen=True, slots=True)
class BestMatch:
    """A match that is worth watching; `lead_changes` is None where there are too few of them to be told."""

    featured: FeaturedMatch
    lead_changes: int | None

    @property
    def reason(self) -> Wording | None:
        """Return the reason; None where the lead changes say more than it."""
        reason = self.featured.reason
        return None if self.lead_changes and reason == featured_matches.LATEST else reason


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
        else _complete(store, featured_matches.first_after(store, moment, now), now, most, game)
    )


def _choose(store: Store, moment: float, most: int, game: str | None) -> BestMatches:
    return _complete(store, featured_matches.at(store, moment), moment, most, game)


def _complete(
    store: Store, ranked: Sequence[FeaturedMatch], moment: float, most: int, game: str | None
) -> BestMatches:
    # Those that a fault ended are worth less than nothing.
    ranked = [each for each in ranked if each.worth >= 0 and game in {None, each.row.game}]
    fresh = [each for each in ranked if (each.row.stored_at or 0.0) >= moment - _DAY_S]
    if game is None:
        chosen = programme.interleave(fresh or ranked, lambda each: each.row.game)
    else:
        chosen = tuple(fresh or ranked)
    return BestMatches(
        tuple([BestMatch(each, _lead_changes(store, each)) for each in chosen[:most]]), bool(fresh)
    )


def _lead_changes(store: Store, featured: FeaturedMatch) -> int | None:
    found: int = store.cache.get(
        ("lead changes", featured.key), featured.row.stored_at, lambda: _count_changes(store, featured)
    )
    return found if found >= _FEW_CHANGES else None


def _count_changes(store: Store, featured: FeaturedMatch) -> int:
    text = match_views.page(store, *featured.key).record
    if text is None:
        return 0
    try:
        return len(drama.measure(score_series.of_record(from_json(text))).lead_changes)
    except ArenaError:
        return 0  # the game is no longer here, or has other rules
