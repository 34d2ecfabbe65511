"""The channels of Arena TV: one of all games, one for each; their programmes, made once a period from the stored matches."""

from __future__ import annotations

from dataclasses import dataclass, field

from arena.games import registry
from arena.reports import match_views
from arena.storage import Store
from arena.web.matches.opened_records import open_match
from arena.web.matches.stepper import Course
from arena.web.tv import featured_matches, programme
from arena.web.tv.featured_matches import FeaturedMatch
from arena.web.tv.programme import Slot

_SETTLED_S = 30.0
"""Time that a match must have been open before the period, so that every process sees it in the store."""
_STEP_S = 1.9
_PER_COMPLEXITY_S = 0.3
_SENTENCE_S = 0.5
_PART_S = 2.0
_FIRST_S = 5.0
_LAST_S = 12.0


@dataclass(slots=True, eq=False)
class Broadcast:
    """A match that is on a channel, with all that its positions are drawn from."""

    featured: FeaturedMatch
    course: Course = field(repr=False)


Programme = tuple[Slot[Broadcast], ...]


def programme_of(store: Store, game: str | None, now: float) -> Programme:
    """Return the programme of a channel at a moment, `game` None for that of all games; nothing if there is no match to show."""
    begins_at = programme.period_of(now)
    found: Programme = store.cache.get(
        ("programme", game, begins_at), begins_at, lambda: _of_period(store, game, begins_at)
    )
    # Until the first match is on the programme of a period, the first that was played since is shown.
    return found or _compose(
        store, _of_game(featured_matches.first_after(store, begins_at - _SETTLED_S, now), game), begins_at
    )


def _of_period(store: Store, game: str | None, begins_at: float) -> Programme:
    return _compose(store, _of_game(featured_matches.at(store, begins_at - _SETTLED_S), game), begins_at)


def _of_game(found: tuple[FeaturedMatch, ...], game: str | None) -> tuple[FeaturedMatch, ...]:
    if game is not None:
        return tuple([each for each in found if each.row.game == game])
    return programme.interleave(found, lambda each: each.row.game)


def _compose(store: Store, ranked: tuple[FeaturedMatch, ...], begins_at: float) -> Programme:
    courses: dict[tuple[int, int, int], Course | None] = {}

    def lengths(featured: FeaturedMatch) -> list[float]:
        if featured.key not in courses:
            courses[featured.key] = open_match(match_views.page(store, *featured.key)).course
        course = courses[featured.key]
        return [] if course is None else reading_times(course)

    slots = programme.compose(ranked, begins_at, lengths)
    return tuple(
        [
            Slot(Broadcast(slot.match, course), slot.shown_at, slot.ends_at)
            for slot in slots
            if (course := courses[slot.match.key]) is not None
        ]
    )


def reading_times(course: Course) -> list[float]:
    """Return for how many seconds each position of a match is shown: longer with more to read, and where a part ends."""
    step_s = _STEP_S + _PER_COMPLEXITY_S * registry.package(course.game).complexity
    times = [step_s + _SENTENCE_S * min(len(told), 3) for told in course.told]
    for section in course.sections[1:]:
        times[section.parts[0].start] += _PART_S
    times[0] = _FIRST_S
    times[-1] = _LAST_S
    return times
