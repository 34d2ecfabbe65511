"""The web application, put together."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from arena.core.import_speed import collector_paused
from arena.core.release import release

with collector_paused():
    from fastapi import FastAPI
    from starlette.middleware.gzip import GZipMiddleware

    from arena.competition.qualification.submissions import Rules
    from arena.messaging.redis_connection import connect_beside
    from arena.operations.readiness import Readiness
    from arena.operations.write_probe import Probe
    from arena.reports import live_matches
    from arena.web import api_routes, page_routes
    from arena.web.auth.password_pool import PasswordPool
    from arena.web.bots import sdk_downloads
    from arena.web.http import openapi_document, sse
    from arena.web.http.bulk_downloads import Downloads
    from arena.web.http.host_names import KnownHosts
    from arena.web.http.rate_limits import Rates
    from arena.web.http.request_bodies import BoundedBodies
    from arena.web.http.request_ids import RequestIds
    from arena.web.http.reverse_proxies import BelieveProxies, TrustedProxies
    from arena.web.http.security_headers import HeadAsGet, SecurityHeaders
    from arena.web.http.wakeup_middleware import WakeupMiddleware
    from arena.web.http.web_limits import Limits
    from arena.web.live import tournament_progress
    from arena.web.live.lobby_hub import LobbyHub
    from arena.web.live.match_hub import LiveMatchHub
    from arena.web.live.progress_hub import ProgressHub
    from arena.web.monitoring.web_metrics import RequestTimes, WebMetrics
    from arena.web.play.human_games import HumanGames, PlayTerms
    from arena.web.previews.rasterizer import Rasterizer
    from arena.web.puzzles.puzzle_answers import PuzzleAnswers
    from arena.web.responses import error_responses
    from arena.web.responses.response_cache import ResponseCacheMiddleware
    from arena.web.status import health
    from arena.web.ui import static_assets
    from arena.web.uploads.upload_places import Uploads

if TYPE_CHECKING:
    import redis.asyncio

    from arena.storage import Store
    from arena.web.auth.api_auth import Access

_MIN_COMPRESSED_BYTES = 1000
_STREAMED = re.compile("POST /api/v1/bots/uploads|POST /submit|PUT /api/v1/weights/[^/]+/upload")
"""Requests whose route reads the body bit by bit, and bounds it itself."""
_ABOUT = (
    "Tournaments of game-playing bots: games, Elo tables, standings, matches and their records. "
    "What could give away a deal that is still to be played appears when the match is over, or all that share its deal."
)


def create_app(
    store: Store,
    client: redis.asyncio.Redis,
    access: Access,
    rules: Rules | None = None,
    playing: PlayTerms | None = None,
    *,
    limits: Limits | None = None,
    metrics: WebMetrics | None = None,
    hosts: Collection[str] = (),
    clock: Callable[[], float] = time.time,
) -> FastAPI:
    """Make the application on a store and a Redis: pages only read; the API also writes, for those who may.

    `rules` is what authors may do; the standard ones, if not given.  `playing` is where people may play; nowhere, if not given.
    `limits` is what clients may use up; the standard, if not given.  `metrics` is where it is counted what they do.
    `hosts` are the names that the site is reached by; any, if there are none.
    `clock` tells the time of Arena TV's programme.
    """
    limits = limits or Limits()
    metrics = metrics or WebMetrics()
    queue = connect_beside(client)
    live = ProgressHub(client, partial(tournament_progress.load, store))
    people = HumanGames(playing or PlayTerms())
    watching = LiveMatchHub(client, partial(live_matches.find, store))
    proxies = TrustedProxies()
    lobby = LobbyHub(client, watching, partial(live_matches.describe, store))

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        static_assets.tell_what_is_missing()
        measuring = asyncio.create_task(metrics.lag.run())
        async with (
            live.running(),
            watching.running(),
            lobby.running(),
            people.running(),
            sse.kept_awake(),
            proxies.kept_current(),
        ):
            yield
        measuring.cancel()
        queue.close()

    app = FastAPI(
        title="Bot Arena",
        version=release(),
        description=_ABOUT,
        # FastAPI's own documentation pages load scripts from a CDN; ours is arena/web/docs/reference_page.py.
        docs_url=None,
        openapi_url=None,  # openapi.install has a route for it
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.store = store
    app.state.proxies = proxies
    app.state.metrics = metrics
    app.state.clock = clock
    app.state.probe = Probe(store)
    app.state.readiness = Readiness(app.state.probe, queue)
    app.state.live = live
    app.state.watching = watching
    app.state.lobby = lobby
    app.state.queue = queue
    app.state.people = people
    app.state.rates = Rates(client)
    app.state.access = access
    app.state.rules = rules or Rules()
    app.state.hashing = PasswordPool()
    app.state.rasterizer = Rasterizer()
    app.state.puzzle_answers = PuzzleAnswers(client)
    app.state.uploads = Uploads(limits)
    app.state.downloads = Downloads(limits, proxies)
    app.router.routes += [
        *page_routes.ROUTES,
        *api_routes.ROUTES,
        *(route for noun in (sdk_downloads, health, static_assets) for route in noun.router.routes),
    ]
    error_responses.install(app)
    openapi_document.install(app)
    app.add_middleware(WakeupMiddleware, client=client)
    app.add_middleware(BoundedBodies, limits=limits, streamed=_STREAMED)
    app.add_middleware(GZipMiddleware, minimum_size=_MIN_COMPRESSED_BYTES)
    app.add_middleware(
        ResponseCacheMiddleware, store=store, count=lambda result: metrics.cache_lookups.labels(result).inc()
    )
    app.add_middleware(RequestTimes, metrics=metrics)
    app.add_middleware(KnownHosts, hosts=hosts)
    app.add_middleware(HeadAsGet)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(sse.Streaming, limits=limits, is_proxy=proxies)
    app.add_middleware(BelieveProxies, proxies=proxies)
    app.add_middleware(RequestIds, is_proxy=proxies)  # outside: it has to know who really sends
    return app
