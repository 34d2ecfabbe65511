"""The metrics of one web process."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, get_args

from prometheus_client import Counter, Gauge, Histogram

from arena.messaging.redis_collector import RedisErrors
from arena.monitoring.loop_lag import LoopLag
from arena.monitoring.part_registry import new_registry
from arena.web.http import sse
from arena.web.responses.response_cache import Lookup

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_BUCKETS = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})
_STATUSES = ("2xx", "3xx", "4xx", "5xx")
_NO_ROUTE = "none"
"""The label of requests that no route answers, so that strangers cannot make labels."""


class WebMetrics:
    """All of them, in a registry of their own.  Threads may share it."""

    def __init__(self) -> None:
        self.registry = new_registry("web")
        self.lag = LoopLag(self.registry)
        self.request_seconds = Histogram(
            "arena_web_request_seconds",
            "Time from a request to the head of its response, by route.",
            ("route", "method"),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.responses = Counter(
            "arena_web_responses",
            "Responses by the class of their status: 2xx, 3xx, 4xx, 5xx.",
            ("status",),
            registry=self.registry,
        )
        self.cache_lookups = Counter(
            "arena_web_cache_lookups",
            "Requests that the response cache may answer: `hit` was current, `stale` a little old, `miss` was made.",
            ("result",),
            registry=self.registry,
        )
        for status in _STATUSES:  # Prometheus sees no increase in a series that begins at 1
            self.responses.labels(status)
        for result in get_args(Lookup):
            self.cache_lookups.labels(result)
        self.database_errors = Counter(
            "arena_database_errors",
            "Errors of the database, those that were retried too.",
            registry=self.registry,
        )
        streams = Gauge("arena_web_event_streams", "Open streams of events.", registry=self.registry)
        streams.set_function(sse.count)
        self.registry.register(RedisErrors())


class RequestTimes:
    """ASGI middleware that measures requests.  It must be outside of the response cache, and see the scope that routes write to."""

    def __init__(self, app: ASGIApp, metrics: WebMetrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()

        async def send_and_measure(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._observe(scope, message["status"], time.perf_counter() - began)
            await send(message)

        await self._app(scope, receive, send_and_measure)

    def _observe(self, scope: Scope, status: int, took_s: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "other"
        route = getattr(scope.get("route"), "path", _NO_ROUTE)
        self._metrics.request_seconds.labels(route, method).observe(took_s)
        self._metrics.responses.labels(f"{status // 100}xx").inc()
