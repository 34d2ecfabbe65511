"""Health: whether this process can do its work, for whatever watches over it.

anybody                                  whether all is well, and by the status code whether pages can be served
admins, and the machine's own operator   which part is away, and what protects each referee
"""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from arena.errors import Refusal
from arena.services import bots, sessions, tokens
from arena.store import Store
from arena.web import cookies
from arena.web.identity import COOKIE, Bearer
from arena.web.live import Live
from arena.web.parameters import TheLive, TheStore
from arena.web.proxies import is_from_this_machine

router = APIRouter(tags=["health"])

Part = Literal["ok", "away"]


class Health(BaseModel):
    """Whether all is well."""

    status: Literal["ok", "degraded"] = Field(
        description="degraded: a part is away; pages can be served all the same, unless the answer is 503."
    )


class HealthDetails(Health):
    """Which parts answer, for admins and on the machine itself.  Pages need the store only; without Redis they are not live."""

    store: Part = Field(description="Whether the database answers.")
    redis: Part = Field(description="Whether Redis answers.")
    protection: dict[str, str] = Field(
        description="What keeps hosted bots from doing harm at each referee that is known: `full: …`, `partial: …` or `none: …`."
    )
    missing_referees: tuple[str, ...] = Field(description="Referees that workers name and do not reach.")
    waiting_workers: tuple[str, ...] = Field(description="Workers that have no referee, and so play nothing.")


@router.get(
    "/health",
    summary="Health",
    response_model=HealthDetails | Health,
    responses={503: {"model": Health, "description": "The store is away"}},
)
async def show_health(request: Request, store: TheStore, live: TheLive, bearer: Bearer) -> Response:
    """200 while pages can be served, 503 while the store is away; admins see which parts answer."""
    details = await _examine(store, live)
    token = None if bearer is None else bearer.credentials
    shows_all = is_from_this_machine(request) or await run_in_threadpool(_is_admin, request, store, token)
    shown = details if shows_all else Health(status=details.status)
    return JSONResponse(
        shown.model_dump(),
        200 if details.store == "ok" else 503,
        {"Cache-Control": "no-store", "Vary": "Authorization, Cookie"},
    )


async def _examine(store: Store, live: Live) -> HealthDetails:
    """Ask all parts how they are."""
    stored = await run_in_threadpool(_ask, store)
    redis: Part = "ok" if await live.is_connected() else "away"
    missing, waiting = await live.outages()
    is_well = stored == redis == "ok" and not missing and not waiting
    return HealthDetails(
        status="ok" if is_well else "degraded",
        store=stored,
        redis=redis,
        protection=await live.protections(),
        missing_referees=missing,
        waiting_workers=waiting,
    )


def _ask(store: Store) -> Part:
    try:
        bots.listing(store, "")
    except SQLAlchemyError:
        return "away"
    return "ok"


def _is_admin(request: Request, store: Store, token: str | None) -> bool:
    """Return whether an admin asks; wrong credentials, and those that cannot be looked up, are nobody's."""
    cookie = cookies.read(request, COOKIE)
    try:
        if token is not None:
            actor = tokens.identify(store, token)
        elif cookie is not None:
            actor = sessions.identify(store, request.app.state.access.secret, cookie)
        else:
            return False
    except (Refusal, SQLAlchemyError):
        return False
    return "admin" in actor.scopes
