"""The web application, put together."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from arena.core.import_speed import collector_paused
from arena.core.release import release

with collector_paused():
    from fastapi import FastAPI
    from starlette.middleware.gzip import GZipMiddleware

    from arena.competition.qualification.submissions import Rules
    from arena.games.registry import GAMES
    from arena.web import api_routes, page_routes
    from arena.web.bots import sdk_downloads
    from arena.web.http import openapi_document, sse
    from arena.web.http.app_services import WallClock
    from arena.web.http.host_names import KnownHosts
    from arena.web.http.request_bodies import BoundedBodies
    from arena.web.http.request_ids import RequestIds
    from arena.web.http.reverse_proxies import ForwardedHeaders
    from arena.web.http.security_headers import HeadAsGet, SecurityHeaders
    from arena.web.http.web_limits import Limits
    from arena.web.monitoring.web_metrics import RequestTimes, WebMetrics
    from arena.web.play.human_games import PlayTerms
    from arena.web.responses import error_responses
    from arena.web.responses.response_cache import ResponseCacheMiddleware
    from arena.web.status import health
    from arena.web.ui import static_assets
    from arena.web.web_services import WebServices

if TYPE_CHECKING:
    import redis.asyncio

    from arena.storage import Store
    from arena.web.auth.api_auth import Access

_MIN_COMPRESSED_BYTES = 1000
_UPLOADS = "POST /api/v1/uploads" + ("" if "uploads" in GAMES else "|POST /api/v1/bots/uploads")
_STREAMED = re.compile(f"{_UPLOADS}|POST /submit|PUT /api/v1/weights/[^/]+/upload")
"""Requests whose route reads the body bit by bit, and bounds it itself."""
_DESCRIPTION = (
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
    """Make the application on a store and a Redis.

    `rules` are the limits of authors, and `limits` those of clients; both have defaults.  `playing` names the referees at which
    people may play; without it they cannot.  `hosts` are the site's host names; without any, all are accepted.
    `clock` returns the time that Arena TV and the daily puzzle go by.
    """
    limits = limits or Limits()
    services = WebServices.on(
        store,
        client,
        access,
        rules or Rules(),
        playing or PlayTerms(),
        limits,
        metrics or WebMetrics(),
        WallClock(clock),
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        static_assets.warn_if_charts_are_missing()
        async with services.running():
            yield

    app = FastAPI(
        title="Bot Arena",
        version=release(),
        description=_DESCRIPTION,
        # FastAPI's own documentation pages load scripts from a CDN; ours is arena/web/docs/reference_page.py.
        docs_url=None,
        openapi_url=None,  # openapi.install has a route for it
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.services = services
    app.router.routes += [
        *page_routes.ROUTES,
        *api_routes.ROUTES,
        *(route for noun in (sdk_downloads, health, static_assets) for route in noun.router.routes),
    ]
    error_responses.install(app)
    openapi_document.install(app)
    app.add_middleware(BoundedBodies, limits=limits, streamed=_STREAMED)
    app.add_middleware(GZipMiddleware, minimum_size=_MIN_COMPRESSED_BYTES)
    app.add_middleware(
        ResponseCacheMiddleware,
        store=store,
        count=lambda result: services.metrics.cache_lookups.labels(result).inc(),
    )
    app.add_middleware(RequestTimes, metrics=services.metrics)
    app.add_middleware(KnownHosts, hosts=hosts)
    app.add_middleware(HeadAsGet)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(sse.Streaming, limits=limits, is_proxy=services.proxies)
    app.add_middleware(ForwardedHeaders, proxies=services.proxies)
    app.add_middleware(RequestIds, is_proxy=services.proxies)  # outside: it has to know who really sends
    return app
