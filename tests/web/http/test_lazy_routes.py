"""Routes are completed when they are first asked for, and all of them can be."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import pytest
from fastapi import APIRouter, FastAPI, Path
from fastapi.exceptions import FastAPIError
from fastapi.routing import APIRoute
from httpx import ASGITransport, AsyncClient, Response

from arena.web import api_routes, page_routes
from arena.web.http.lazy_routes import LazyRoute, complete

if TYPE_CHECKING:
    from collections.abc import Sequence


def test_every_route_of_pages_and_api_is_lazy() -> None:
    routes = [*page_routes.ROUTES, *api_routes.ROUTES]
    assert [route for route in routes if not isinstance(route, LazyRoute)] == []


def test_every_route_of_pages_and_api_can_be_completed() -> None:
    complete([*page_routes.ROUTES, *api_routes.ROUTES])


def test_lazy_route_answers_what_its_function_returns() -> None:
    answer = _ask(_app(LazyRoute), "/bots/7")
    assert (answer.status_code, answer.json()) == (200, {"number": 7})


def test_lazy_route_checks_its_parameters() -> None:
    assert _ask(_app(LazyRoute), "/bots/0").status_code == 422


def test_lazy_route_refuses_other_methods_as_a_plain_one_does() -> None:
    plain, lazy = (
        [_ask(_app(kind), "/bots/7", method) for method in ("HEAD", "POST", "DELETE")]
        for kind in (APIRoute, LazyRoute)
    )
    assert [(each.status_code, each.headers["allow"]) for each in lazy] == [
        (each.status_code, each.headers["allow"]) for each in plain
    ]


def test_first_requests_at_the_same_time_are_all_answered() -> None:
    answers = asyncio.run(_ask_all(_app(LazyRoute), ["/bots/7"] * 8))
    assert [each.status_code for each in answers] == [200] * 8


def test_request_completes_its_own_route_alone() -> None:
    app = _app(LazyRoute)
    _ask(app, "/bots/7")
    routes = {route.path: route for route in app.routes if isinstance(route, LazyRoute)}
    assert {path: hasattr(route, "response_field") for path, route in routes.items()} == {
        "/bots/{number}": True,
        "/games": False,
    }


def test_document_of_lazy_routes_is_that_of_plain_ones() -> None:
    lazy = _app(LazyRoute)
    complete(lazy.routes)
    assert lazy.openapi() == _app(APIRoute).openapi()


def test_answer_that_cannot_be_declared_fails_when_the_route_is_completed() -> None:
    router = APIRouter(route_class=LazyRoute)

    @router.get("/wrong", response_model=_Opaque)
    def wrong() -> None:
        pass

    with pytest.raises(FastAPIError):
        complete(router.routes)


class _Opaque:
    """What no answer can be made of."""


def _app(kind: type[APIRoute]) -> FastAPI:
    """Return an app with two routes of a kind."""
    app = FastAPI()
    router = APIRouter(route_class=kind)

    @router.get("/bots/{number}")
    def show(number: Annotated[int, Path(ge=1)]) -> dict[str, int]:
        return {"number": number}

    @router.get("/games")
    def list_games() -> list[str]:
        return []

    app.router.routes += router.routes
    return app


def _ask(app: FastAPI, path: str, method: str = "GET") -> Response:
    return asyncio.run(_ask_all(app, [path], method))[0]


async def _ask_all(app: FastAPI, paths: Sequence[str], method: str = "GET") -> list[Response]:
    async with AsyncClient(transport=ASGITransport(app), base_url="http://arena") as client:
        return await asyncio.gather(*(client.request(method, path) for path in paths))
