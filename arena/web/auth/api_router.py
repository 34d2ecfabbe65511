"""Where the routes of the JSON API lie, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Depends

from arena.web.auth.api_auth import check_origin
from arena.web.http.lazy_routes import LazyRoute
from arena.web.http.openapi_document import operation_id

ROOT = "/api/v1"


def api_router(
    prefix: str = "",
    *,
    tags: Sequence[str] = (),
    dependencies: Sequence[Any] = (),
) -> APIRouter:
    """Return a router of the API whose routes are complete: below its root, and guarded.

    To include a router in another would make each of its routes a second time.
    """
    return APIRouter(
        prefix=ROOT + prefix,
        tags=[*tags],
        dependencies=[Depends(check_origin), *dependencies],
        generate_unique_id_function=operation_id,
        route_class=LazyRoute,
    )
