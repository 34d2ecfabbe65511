"""Matches worth watching: open ones, each with the reason, which does not reveal the result.

    results that were open at a moment ──▶ the form of their bots, the usual margin, their drama ──▶ worth, reason

Everything follows from what was stored at the moment that is asked for, so all processes find the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from arena.competition.matches.outcomes import FAULT_END
from arena.competition.matches.stored_records import MatchKey
from arena.core.translatable import Wording, say
from arena.match.drama import NO_DRAMA, Drama
from arena.reports.insights import stored_dramas, watchable_matches
from arena.reports.match_details import MatchRow
from arena.storage import Store

_HOUR_S = 3600.0
LATEST = say("One of the latest matches")
"""The reason where there is no better one."""
CHANGING_LEAD = say("The lead changed again and again")
_PRIOR = 2.0
"""Drawn pairs that are added to a bot's form, so that one lucky match makes no favourite."""
_MANY_CHANGES = 3
_LARGE_SWING = 0.6


@dataclass(frozen=True, slots=True)
class FeaturedMatch:
    """An open match; `worth` orders those of one moment, the best first."""

    row: MatchRow
    worth: float
    reason: Wording
    drama: Drama = NO_DRAMA
    """The drama of its scores; while it is not measured, that of a match without scores."""

    @property
    def key(self) -> tuple[int, int, int]:
        """Name the match: its tournament, set and number."""
        return self.row.key


def at(store: Store, moment: float) -> tuple[FeaturedMatch, ...]:
    """Return matches of all games that were open at a moment, in seconds since the epoch, the best first."""
    found: tuple[FeaturedMatch, ...] = store.cache.get(
        ("featured matches", moment),
        moment,
        lambda: _judge(store, watchable_matches.open_at(store, moment), moment),
    )
    return found


def first_after(store: Store, moment: float, now: float) -> tuple[FeaturedMatch, ...]:
    """Return for each game the match that was the first to be open after a moment, as far as there is one by now."""
    return _judge(store, watchable_matches.first_after(store, moment, now), now)


def _judge(store: Store, rows: Sequence[MatchRow], moment: float) -> tuple[FeaturedMatch, ...]:
    # Later measurements are left out, so that all processes have the same programme.
    return rank(rows, stored_dramas.load(store, [row.key for row in rows], before=moment), moment)


def rank(
    rows: Iterable[MatchRow], dramas: Mapping[MatchKey, Drama | None], moment: float
) -> tuple[FeaturedMatch, ...]:
    """Order open matches by what they are worth at a moment, the best first."""
    by_game: dict[str, list[MatchRow]] = defaultdict(list)
    for row in rows:
        by_game[row.game].append(row)
    found = [judged for of_game in by_game.values() for judged in _judge_game(of_game, dramas, moment)]
    return tuple(sorted(found, key=lambda each: (-each.worth, each.key)))


def _judge_game(
    rows: Sequence[MatchRow], dramas: Mapping[MatchKey, Drama | None], moment: float
) -> list[FeaturedMatch]:
    rows = [row for row in rows if row.end != FAULT_END] or rows
    form = form_of(rows)
    margins = [found for row in rows if (found := row.margin) is not None]
    usual = max(median(margins), 1) if margins else 1
    best = max((seat.score for row in rows for seat in row.seats if seat.score is not None), default=0)
    return [_judge_match(row, dramas.get(row.key) or NO_DRAMA, form, usual, best, moment) for row in rows]


def _judge_match(
    row: MatchRow, drama: Drama, form: Mapping[str, float], usual: float, best: int, moment: float
) -> FeaturedMatch:
    if row.end == FAULT_END:
        return FeaturedMatch(row, -1.0, say("A match that a fault ended"), drama)
    between = row.margin
    close = 0.0 if between is None else max(0.0, 1 - between / (2 * usual))
    strengths = sorted((form[seat.name] for seat in row.seats), reverse=True)
    strong = sum(strengths[:2]) - 1
    winners = [seat for seat in row.seats if seat.place == 1]
    upset = max(0.0, strengths[0] - max(form[seat.name] for seat in winners)) if winners else 0.0
    high = any(seat.score is not None and seat.score >= best > 0 for seat in winners)
    reasons = [
        (1.0 * close if close > 0.7 else 0.0, say("Close to the end")),
        (2.0 * upset if upset > 0.15 else 0.0, say("A favourite in trouble")),
        (0.9 * strong if strong > 0.15 else 0.0, say("Two bots in top form")),
        (0.6 if high else 0.0, say("The highest recent score")),
        (0.9 * drama.turns if len(drama.lead_changes) >= _MANY_CHANGES else 0.0, CHANGING_LEAD),
        (0.6 * drama.swing if drama.swing > _LARGE_SWING else 0.0, say("A dramatic swing")),
    ]
    weight, reason = max(reasons, key=lambda each: each[0])
    fresh = max(0.0, 1 - (moment - (row.stored_at or 0.0)) / _HOUR_S)
    worth = close + 2.0 * upset + 0.9 * strong + (0.6 if high else 0.0) + 0.5 * fresh
    worth += 1.5 * drama.excitement + 0.5 * drama.swing
    return FeaturedMatch(row, worth, reason if weight else LATEST, drama)


def form_of(rows: Iterable[MatchRow]) -> Mapping[str, float]:
    """Return the share of points that each bot took from the others in some matches, drawn towards a half."""
    taken: dict[str, float] = defaultdict(float)
    pairs: dict[str, int] = defaultdict(int)
    for row in rows:
        for seat in row.seats:
            for other in row.seats:
                if other.seat == seat.seat or seat.place is None or other.place is None:
                    continue
                pairs[seat.name] += 1
                taken[seat.name] += 0.5 if seat.place == other.place else float(seat.place < other.place)
            pairs[seat.name] += 0
    return {name: (taken[name] + _PRIOR / 2) / (count + _PRIOR) for name, count in pairs.items()}
