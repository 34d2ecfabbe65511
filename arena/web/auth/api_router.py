"""Where the routes of the JSON API lie, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Depends
from fastapi.routing import APIRoute

from arena.web.auth.api_auth import check_origin

ROOT = "/api/v1"


def operation_id(route: APIRoute) -> str:
    """Name an operation as its function is named: `list_tournaments`."""
    return route.name


def api_router(
    prefix: str = "",
    *,
    tags: Sequence[str] = (),
    dependencies: Sequence[Any] = (),
) -> APIRouter:
    """Return a router of the API: its routes lie below the root and refuse writes from other sites."""
    return APIRouter(
        prefix=ROOT + prefix,
        tags=[*tags],
        dependencies=[Depends(check_origin), *dependencies],
        generate_unique_id_function=operation_id,
    )


def add_old_path(router: APIRouter, path: str, old: str, *, method: str = "") -> None:
    """Answer at a path of release 0.2 as at another, which has taken its place; `method` is that of the old one if it was another."""
    for route in [each for each in router.routes if isinstance(each, APIRoute) and each.path == ROOT + path]:
        router.add_api_route(
            (ROOT + old).removeprefix(router.prefix),
            route.endpoint,
            methods=[method] if method else route.methods,
            name=f"{route.name}_by_old_path",
            deprecated=True,
            response_model=route.response_model,
            status_code=route.status_code,
            summary=route.summary,
            responses=route.responses,
            response_class=route.response_class,
            openapi_extra=route.openapi_extra,
        )
