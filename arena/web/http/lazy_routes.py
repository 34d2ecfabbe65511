"""Routes whose parameters and models are read when they are first asked for.

FastAPI makes validators for all that a route takes and answers as soon as it is declared.  For all routes together that is
more than a third of the web's start, and most of them are not asked for soon.  What is wrong with a declaration shows when
its route is completed; tests/web/http/test_lazy_routes.py completes them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send


class LazyRoute(APIRoute):
    """A route that knows its address and methods; the first request, or the OpenAPI document, completes it."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **declared: Any) -> None:  # noqa: ANN401 - as APIRoute's
        methods = declared["methods"] or {"GET"}
        Route.__init__(
            self,
            path,
            endpoint,
            methods=methods,
            name=declared["name"],
            include_in_schema=declared["include_in_schema"],
        )
        self.methods = {*methods}  # without HEAD, which starlette adds, as in FastAPI's own
        self.app = self._complete_and_answer
        self._declared: dict[str, Any] | None = declared
        self._completing = Lock()

    def complete(self) -> None:
        """Read what the route takes and answers, unless that is done.  Raises FastAPIError for what cannot be declared."""
        with self._completing:
            if self._declared is not None:
                super().__init__(self.path, self.endpoint, **self._declared)
                self._declared = None

    async def _complete_and_answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        await run_in_threadpool(self.complete)
        await self.app(scope, receive, send)


def complete(routes: Iterable[BaseRoute]) -> None:
    """Complete those of the routes that are lazy."""
    for route in routes:
        if isinstance(route, LazyRoute):
            route.complete()


def page_router(prefix: str = "", *, dependencies: Sequence[Any] = ()) -> APIRouter:
    """Return a router of pages, which the OpenAPI document leaves out."""
    return APIRouter(
        prefix=prefix, dependencies=[*dependencies], include_in_schema=False, route_class=LazyRoute
    )
