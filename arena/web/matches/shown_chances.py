"""The chances that a replay shows: from the store, or asked for where they are not computed yet."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from redis.exceptions import RedisError
from starlette.background import BackgroundTask

from arena.competition.matches import stored_chances
from arena.games import registry
from arena.match.chances import key_moments
from arena.messaging.job_queue import enqueue_chances
from arena.web.matches.match_chart import draw_chances

if TYPE_CHECKING:
    from redis import Redis

    from arena.reports.match_details import MatchPage
    from arena.storage import Store
    from arena.web.matches.stepper import Course


def read(store: Store, match: MatchPage, course: Course, number: int) -> dict[str, Any]:
    """Return what the page of an open match shows of its chances, and of its key moments, at a point."""
    found = stored_chances.load(store, match.tournament_id, match.set, match.match)
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
    return BackgroundTask(_enqueue, queue, match.tournament_id, match.set, match.match)


def _enqueue(queue: Redis, tournament_id: int, set_number: int, match_number: int) -> None:
    # Without Redis they are asked for when the match is looked at again.
    with suppress(RedisError, OSError):
        enqueue_chances(queue, tournament_id, set_number, match_number)
