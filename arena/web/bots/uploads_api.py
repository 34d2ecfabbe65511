"""Uploads of bots, at a path that no game's bots can have: a game may be called `uploads`."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Annotated

from fastapi import Depends
from starlette.routing import BaseRoute

from arena.competition.qualification.submissions import VersionRow
from arena.service.paging import Page
from arena.web.accounts.accounts_api import keep_nowhere
from arena.web.auth.api_router import ROOT, api_router
from arena.web.bots import bots_api
from arena.web.http.problems import answers

_OLD_PATH = f"{ROOT}/bots/uploads"

router = api_router("/uploads", tags=["bots"], dependencies=[Depends(keep_nowhere)])


@router.post(
    "",
    status_code=201,
    summary="Submit a bot",
    responses=answers(400, 401, 403, 408, 409, 413, 422, 429, 503),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
def submit_bot(
    versions: Annotated[tuple[VersionRow, ...], Depends(bots_api.submit_bot)],
) -> Page[VersionRow]:
    """Upload a Python file, or a zip with a `bot.toml`, as a new version of a bot, which then waits for its qualification.

    The answer has one version for each game that it plays.
    """
    return Page(versions, None)


def unshadowed(routes: Iterable[BaseRoute], games: Container[str]) -> tuple[BaseRoute, ...]:
    """Return routes without the old path of uploads, if it is the one of the bots of a game."""
    return tuple(
        route for route in routes if "uploads" not in games or getattr(route, "path", "") != _OLD_PATH
    )
