"""Uploads have a path of their own; the old one gives way to a game that is called `uploads`."""

from __future__ import annotations

from starlette.routing import BaseRoute

from arena.web import api_routes
from arena.web.bots import uploads_api


def path_of(route: BaseRoute) -> str:
    return str(getattr(route, "path", ""))


def test_uploads_are_taken_at_the_path_of_release_0_2_too() -> None:
    paths = [path_of(route) for route in api_routes.ROUTES]
    assert {"/api/v1/uploads", "/api/v1/bots/uploads"} <= {*paths}
    assert paths.index("/api/v1/bots/uploads") < paths.index("/api/v1/bots/{game_id}")


def test_bots_can_be_added_to_a_game_that_is_called_uploads() -> None:
    routes = uploads_api.unshadowed(api_routes.ROUTES, {"uploads"})
    assert {path_of(route) for route in api_routes.ROUTES} - {path_of(route) for route in routes} == {
        "/api/v1/bots/uploads"
    }
