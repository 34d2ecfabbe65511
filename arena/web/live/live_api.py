"""The tables at which matches are being played now, and their public steps as they happen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

from starlette.concurrency import run_in_threadpool

from arena.match.record import write_step
from arena.reports import live_matches
from arena.reports.live_matches import LiveMatchRow
from arena.service.paging import listed
from arena.web.auth.api_router import api_router
from arena.web.http import sse
from arena.web.http.list_answers import Listed, ThePaging
from arena.web.http.path_parameters import TheStore
from arena.web.http.problems import answers
from arena.web.http.sse import EventStream
from arena.web.live.live_dependencies import (
    LastEventId,
    TheLobby,
    TheMatch,
    TheWatching,
)
from arena.web.live.match_hub import LiveMatchHub, MatchKey, WatchedMatch

_ADDRESS = "/tournaments/{tournament_id}/sets/{set_number}/matches/{match_number}"

router = api_router(tags=["live"])


@router.get("/live", summary="List the matches now playing", responses=answers(422))
async def list_live(lobby: TheLobby, paging: ThePaging) -> Listed[LiveMatchRow]:
    """List the matches in progress without trials, the longest running first."""
    return paging.answer(partial(listed, await lobby.now()))


@router.get(
    f"{_ADDRESS}/events",
    summary="Follow a match",
    response_class=EventStream,
    responses={**sse.DOCUMENTED, **answers(404, 422)},
)
async def follow_match(
    store: TheStore,
    watching: TheWatching,
    key: TheMatch,
    last_event_id: LastEventId = "",
) -> EventStream:
    """Send events `points` with `run`, `first` and `points`: lists of the public steps, in the record's notation.

    Point 0 is the deal before the first decision; `first` is the number of the first one sent, `run` counts how
    often the match was restarted after a failure of the platform.  The first event has all points so far.  Event `end`
    with `places`, `scores` and `end` closes the stream, without them if the match is over already or not shown live.
    """
    await run_in_threadpool(live_matches.find, store, *key)
    return EventStream(_tell(watching, key, last_event_id))


async def _tell(watching: LiveMatchHub, key: MatchKey, after: str) -> AsyncIterator[bytes]:
    async for table, first, over in watching.follow(key, after):
        if first is not None:
            yield table.drawn(("json", first), partial(_points, table, first))
        if over:
            yield sse.event("end", _ending(table))


def _points(table: WatchedMatch, first: int) -> bytes:
    running = table.running
    points = [[write_step(step) for step in point] for point in running.points[first:]]
    data = {"run": running.run, "first": first, "points": points}
    return sse.event("points", data, table.id)


def _ending(table: WatchedMatch) -> dict[str, object]:
    ended = table.running.ended
    if ended is None or not ended.places:
        return {}
    return {"places": ended.places, "scores": ended.scores, "end": ended.end}
