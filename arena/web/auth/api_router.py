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
