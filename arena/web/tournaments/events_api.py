"""Server-sent events: how far tournaments are, while they run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict

from starlette.concurrency import run_in_threadpool

from arena.reports import tournaments
from arena.web.auth.api_router import api_router
from arena.web.http import sse
from arena.web.http.path_parameters import TheStore, TournamentId
from arena.web.http.problems import answers
from arena.web.http.sse import EventStream
from arena.web.live import tournament_progress
from arena.web.live.live_dependencies import TheLive
from arena.web.live.progress_hub import Progress, ProgressHub

_OVERVIEW_S = 60.0
"""A stream of all running tournaments ends after this, so that the browser comes back for those that are new."""

router = api_router(tags=["events"])


@router.get(
    "/tournaments/{tournament_id}/events",
    summary="Follow a tournament",
    response_class=EventStream,
    responses={**sse.DOCUMENTED, **answers(404, 422)},
)
async def follow_tournament(store: TheStore, live: TheLive, tournament_id: TournamentId) -> EventStream:
    """Send events `progress` with `tournament`, `state`, `matches_done`, `matches_total`: one at once, then on each change.

    Event `end` closes the stream when the tournament is over.  Each event is the complete state, so a client that
    reconnects has missed nothing.
    """
    await run_in_threadpool(tournament_progress.load, store, tournament_id)
    return EventStream(_tell(live, tournament_id))


@router.get(
    "/events",
    summary="Follow all running tournaments",
    response_class=EventStream,
    responses=sse.DOCUMENTED,
)
async def follow_all(store: TheStore, live: TheLive) -> EventStream:
    """Send events `progress` of all running tournaments.  The stream ends after a minute; reconnect to include new tournaments."""
    rows = await run_in_threadpool(tournaments.running, store)
    return EventStream(_overview(live, [row.id for row in rows]))


async def _tell(live: ProgressHub, *tournament_ids: int) -> AsyncIterator[bytes]:
    async for news in live.follow(*tournament_ids):
        yield _event(news)
    yield sse.event("end", {})


async def _overview(live: ProgressHub, tournament_ids: list[int]) -> AsyncIterator[bytes]:
    try:
        async with asyncio.timeout(_OVERVIEW_S):
            async for news in live.follow(*tournament_ids):
                yield _event(news)
            await asyncio.sleep(_OVERVIEW_S)
    except TimeoutError:
        return


def _event(news: Progress) -> bytes:
    data = asdict(news)
    event_id = data.pop("id")
    return sse.event("progress", data, event_id)
