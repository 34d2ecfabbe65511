"""Matches worth watching: open ones between strong bots, each with the reason, which does not name the winner.

    results that were open at a moment ──▶ Elo of the weaker seat, drama ──▶ the best of each pairing ──▶ worth, reasons

Where no match has strong bots only, as in a young arena, the strongest are taken.  A match that a fault ended is never shown.
Everything follows from what was stored at the moment that is asked for, so all processes find the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from arena.competition.matches.outcomes import FAULT_END
from arena.competition.matches.stored_records import MatchKey
from arena.core.translatable import Wording, say, say_many
from arena.match.drama import NO_DRAMA, Drama
from arena.ratings.model import MEAN_ELO
from arena.reports.insights import match_strengths, stored_dramas, watchable_matches
from arena.reports.insights.match_strengths import MatchStrength
from arena.reports.match_details import MatchRow
from arena.reports.match_lists.upsets import UPSET_CHANCE
from arena.storage import Store

_DAY_S = 86_400.0
_REASONS = 2
"""The most reasons that a match is given."""
_EXCITING = 100.0
"""Elo points that an exciting match may be weaker than a dull one."""
_FRESH = 50.0
"""Elo points that a match of today may be weaker than an old one."""
_UNRATED = MEAN_ELO - 500
"""Elo that a match with an unrated bot is placed at: not what a stranger should see first."""
_CLOSE = 0.6
_MANY_CHANGES = 3
_LARGE_SWING = 0.6
LATEST = say("One of the latest matches")
"""The reason where there is no better one, and no Elo."""


@dataclass(frozen=True, slots=True)
class FeaturedMatch:
    """An open match; `worth` orders those of one moment, the best first."""

    row: MatchRow
    worth: float
    reasons: tuple[Wording, ...]
    """Reasons to watch it, the best first, at least one."""
    strength: MatchStrength = match_strengths.UNKNOWN

    @property
    def key(self) -> tuple[int, int, int]:
        """Name the match: its tournament, set and number."""
        return self.row.key

    @property
    def reason(self) -> Wording:
        """Return the best reason."""
        return self.reasons[0]


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
    dramas = stored_dramas.load(store, [row.key for row in rows], before=moment)
    return rank(rows, dramas, match_strengths.read(store, rows, moment), moment)


def rank(
    rows: Iterable[MatchRow],
    dramas: Mapping[MatchKey, Drama | None],
    strengths: Mapping[MatchKey, MatchStrength],
    moment: float,
) -> tuple[FeaturedMatch, ...]:
    """Order open matches by what they are worth at a moment, the best of each pairing, the best first."""
    by_game: dict[str, list[MatchRow]] = defaultdict(list)
    for row in rows:
        if row.end != FAULT_END:
            by_game[row.game].append(row)
    found = []
    for of_game in by_game.values():
        margins = [margin for row in of_game if (margin := row.margin) is not None]
        usual = max(median(margins), 1) if margins else 1
        judged = [
            _judge_match(
                row,
                dramas.get(row.key) or NO_DRAMA,
                strengths.get(row.key, match_strengths.UNKNOWN),
                usual,
                moment,
            )
            for row in of_game
        ]
        strong = [each for each in judged if not each.strength.is_weak]
        found += _best_of_pairings(strong or judged)
    return tuple(sorted(found, key=_order))


def _order(each: FeaturedMatch) -> tuple[float, MatchKey]:
    return -each.worth, each.key


def _best_of_pairings(judged: Iterable[FeaturedMatch]) -> list[FeaturedMatch]:
    best: dict[tuple[str, ...], FeaturedMatch] = {}
    for each in sorted(judged, key=_order):
        best.setdefault(tuple(sorted(seat.bot for seat in each.row.seats)), each)
    return list(best.values())


def _judge_match(
    row: MatchRow, drama: Drama, strength: MatchStrength, usual: float, moment: float
) -> FeaturedMatch:
    margin, changes = row.margin, len(drama.lead_changes)
    close = 0.0 if margin is None else max(0.0, 1 - margin / (2 * usual))
    chance = strength.chance
    is_upset = chance is not None and chance < UPSET_CHANCE
    weighted = []
    if margin is not None and close > _CLOSE:
        weighted.append(
            (close, say("Decided by {margin}", margin=margin) if margin else say("A tie for first place"))
        )
    if changes >= _MANY_CHANGES:
        weighted.append(
            (drama.turns, say_many("The lead changed once", "The lead changed {number} times", changes))
        )
    if is_upset and chance is not None:
        weighted.append((1.2, say("The underdog had a {chance} % chance", chance=round(100 * chance))))
    if drama.swing > _LARGE_SWING:
        weighted.append((0.6 * drama.swing, say("One turn was worth {points}", points=drama.largest_swing)))
    weighted.append((0.1, _strength_in_words(strength)))
    weighted.sort(key=lambda each: -each[0])
    excitement = (close + drama.excitement + drama.swing / 2 + is_upset) / 3.5
    is_fresh = (row.stored_at or 0.0) > moment - _DAY_S
    weakest = strength.weakest
    worth = _UNRATED if weakest is None else weakest
    worth += _EXCITING * excitement + _FRESH * is_fresh
    return FeaturedMatch(row, worth, tuple([reason for _, reason in weighted[:_REASONS]]), strength)


def _strength_in_words(strength: MatchStrength) -> Wording:
    elos = [round(elo) for elo in strength.elos if elo is not None]
    if not elos or len(elos) < len(strength.elos):
        return LATEST
    if len(elos) == 2:
        return say("Elo {strong} against {weak}", strong=elos[0], weak=elos[1])
    return say("All above {elo} Elo", elo=min(elos) - 1)
