"""A bot's style as its page shows it: traits compared with the average bot's, a histogram of scores, results by seat, notable matches."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from arena.core.translatable import Wording, say, say_many
from arena.games import registry
from arena.reports.insights import stored_styles
from arena.reports.insights.playing_style import (
    LEAST_MATCHES,
    AverageBot,
    NotableMatch,
    PlayingStyle,
    stands_out,
)

if TYPE_CHECKING:
    from arena.rankings.leaderboards import Leader
    from arena.reports.bot_profiles import Profile
    from arena.storage import Store

_SAYINGS = 4
_BARS = 9
_STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class TraitRow:
    """A trait of a bot, and the average bot's; `scale` reaches from the lowest bot of the pool to the highest."""

    label: str
    is_share: bool
    value: float
    error: float
    average: float | None
    scale: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ScoreBar:
    """The scores from `low` to `high`: the share of the bot's matches, and of those of all seats of the pool."""

    low: int
    high: int
    share: float
    usual: float | None


@dataclass(frozen=True, slots=True)
class Scores:
    """The distribution of a bot's scores."""

    bars: tuple[ScoreBar, ...]
    median: float
    lowest: int
    highest: int


@dataclass(frozen=True, slots=True)
class NotableRow:
    """A match worth a look: its address, and why."""

    address: str
    reason: Wording


@dataclass(frozen=True, slots=True)
class ShownStyle:
    """A style as it is shown; `measured` is None until a worker has measured it, and `enough` says whether there are enough matches."""

    version_id: int
    version: str
    variant: str
    is_due: bool
    played: int
    measured: PlayingStyle | None
    enough: bool
    sayings: tuple[str, ...] = ()
    traits: tuple[TraitRow, ...] = ()
    scores: Scores | None = None
    best: tuple[NotableRow, ...] = ()
    worst: tuple[NotableRow, ...] = ()

    @property
    def margins(self) -> Mapping[tuple[str, str], float]:
        """Return how far it is ahead of each opponent on average, by bot and version."""
        of_all = () if self.measured is None else self.measured.margins
        return {(each.bot, each.version): each.margin for each in of_all}

    @property
    def least(self) -> int:
        """Return the number of matches that a style needs."""
        return LEAST_MATCHES


def read(store: Store, profile: Profile, variant: str, rated: Leader) -> ShownStyle:
    """Return what is shown of a version of a bot in a variant."""
    played = count_matches(profile, rated)
    stored = stored_styles.load(store, rated.version_id, profile.game, variant, played)
    style = stored.style
    enough = style is not None and style.matches >= LEAST_MATCHES
    if style is None or not enough:
        return ShownStyle(
            rated.version_id, rated.version, variant, stored.is_due, played, style, enough=False
        )
    return ShownStyle(
        rated.version_id,
        rated.version,
        variant,
        stored.is_due,
        played,
        style,
        enough=True,
        sayings=_sayings(profile.game, style, stored.average),
        traits=_traits(profile.game, style, stored.average),
        scores=arrange_scores(style.scores, stored.average.scores if stored.average else ()),
        best=tuple(NotableRow(_address(each), _praise(each)) for each in style.best),
        worst=tuple(NotableRow(_address(each), _regret(each)) for each in style.worst),
    )


def count_matches(profile: Profile, rated: Leader) -> int:
    """Count the matches of a version in tournaments."""
    return sum(each.matches for each in profile.versions if each.version == rated.version)


def arrange_scores(scores: Sequence[int], usual: Sequence[int]) -> Scores | None:
    """Return a histogram of the scores with a few bars, and of the usual ones; None without scores."""
    if not scores:
        return None
    both = [*scores, *usual]
    low, high = min(both), max(both)
    step = _step(high - low + 1)
    first = low - low % step
    bounds = range(first + step, high + 1, step)
    mine, theirs = _shares(scores, bounds), _shares(usual, bounds)
    bars = tuple(
        ScoreBar(first + at * step, first + (at + 1) * step - 1, share, theirs[at] if usual else None)
        for at, share in enumerate(mine)
    )
    return Scores(bars, median(scores), min(scores), max(scores))


def _step(width: int) -> int:
    """Return the smallest round width of bars with which a range of scores fits."""
    ten = 1
    while True:
        for step in _STEPS:
            if step * ten * _BARS >= width:
                return step * ten
        ten *= 10


def _shares(scores: Sequence[int], bounds: range) -> list[float]:
    counts = [0] * (len(bounds) + 1)
    for score in scores:
        counts[bisect_right(bounds, score)] += 1
    return [count / max(1, len(scores)) for count in counts]


def _traits(game: str, style: PlayingStyle, average: AverageBot | None) -> tuple[TraitRow, ...]:
    rows = []
    for trait in registry.package(game).traits.traits:
        found = style.traits.get(trait.id)
        if found is None:
            continue
        among = None if average is None else average.traits.get(trait.id)
        ends = [found.value] if among is None else [found.value, among.lowest, among.highest]
        low, high = min(ends), max(ends)
        room = 0.05 * (high - low) or 0.5  # a bot at an end is drawn whole
        rows.append(
            TraitRow(
                trait.label,
                trait.is_share,
                found.value,
                found.error,
                None if among is None else among.average,
                (low - room, high + room),
            )
        )
    return tuple(rows)


def _sayings(game: str, style: PlayingStyle, average: AverageBot | None) -> tuple[str, ...]:
    """Say what the bot does clearly more or less of than the average bot, the most striking first."""
    if average is None:
        return ()
    found = []
    for trait in registry.package(game).traits.traits:
        if trait.id in style.traits:
            away = stands_out(style.traits[trait.id], average.traits.get(trait.id))
            if away:
                found.append((abs(away), trait.more if away > 0 else trait.less))
    return tuple(saying for _, saying in sorted(found, key=lambda each: -each[0])[:_SAYINGS])


def _address(match: NotableMatch) -> str:
    return f"/tournaments/{match.tournament_id}/sets/{match.set}/matches/{match.match}"


def _praise(match: NotableMatch) -> Wording:
    names = ", ".join(match.opponents)
    if match.kind == "margin":
        return say_many(
            "Won by {number} point against {names}",
            "Won by {number} points against {names}",
            match.number,
            names=names,
        )
    if match.kind == "score":
        return say("Its highest score, {score}, against {names}", score=_minus(match.number), names=names)
    return say("Beat {names}, the strongest opponent that it beat", names=names)


def _regret(match: NotableMatch) -> Wording:
    names = ", ".join(match.opponents)
    if match.kind == "margin":
        return say_many(
            "Lost by {number} point against {names}",
            "Lost by {number} points against {names}",
            match.number,
            names=names,
        )
    if match.kind == "score":
        return say("Its lowest score, {score}, against {names}", score=_minus(match.number), names=names)
    return say("Lost to {names}, the weakest opponent that it lost to", names=names)


def _minus(number: int) -> str:
    return f"{'−' if number < 0 else ''}{abs(number)}"
