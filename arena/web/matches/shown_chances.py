"""The chances that a replay shows: from the store, or asked for where they are not computed yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.background import BackgroundTask

from arena.games import registry
from arena.match.chances import key_moments
from arena.reports.insights import stored_chances
from arena.web.matches.match_chart import draw_chances

if TYPE_CHECKING:
    from redis import Redis

    from arena.reports.match_details import MatchPage
    from arena.storage import Store
    from arena.web.matches.stepper import Course


def read(store: Store, match: MatchPage, course: Course, number: int) -> dict[str, Any]:
    """Return what the page of an open match shows of its chances, and of its key moments, at a point."""
    found = stored_chances.OF_MATCHES.load(store, match.tournament_id, match.set, match.match)
    if found is None:
        return {
            "chances": None,
            "moments": (),
            "computing": "search" in registry.package(course.game).house_bots,
        }
    if not found:  # its game has nothing to play on by
        return {"chances": None, "moments": (), "computing": False}
    moments = key_moments(found)
    points = [each.point for each in moments]
    return {
        "chances": draw_chances(found),
        "moments": moments,
        "computing": False,
        "key_back": max((point for point in points if point < number), default=None),
        "key_forward": min((point for point in points if point > number), default=None),
    }


def ask(queue: Redis, match: MatchPage) -> BackgroundTask:
    """Return a task that asks for the chances of a match, after the page has gone out: no reader waits for Redis."""
    return BackgroundTask(stored_chances.CHANCES.ask, queue, match.tournament_id, match.set, match.match)
