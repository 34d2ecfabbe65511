"""Health: whether this process can do its work, for monitoring.

to all clients                              whether all is well, and by the status code whether pages can be served
to admins, and to clients on the machine    which part is away, and what protects each referee
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from arena.accounts import sessions, tokens
from arena.core.errors import Refusal
from arena.messaging import presence
from arena.operations import write_probe
from arena.operations.write_probe import Probe, Verdict
from arena.storage import Store
from arena.web.auth import auth_cookies
from arena.web.auth.api_auth import COOKIE, Access, Bearer, TheAccess
from arena.web.auth.api_router import operation_id
from arena.web.http.path_parameters import TheProbe, TheReadiness, TheStore
from arena.web.http.reverse_proxies import is_from_this_machine
from arena.web.live.live_dependencies import TheLive
from arena.web.live.progress_hub import ProgressHub

_REDIS_S = 3.0

router = APIRouter(tags=["health"], generate_unique_id_function=operation_id)

RedisPart = Literal["ok", "unwritable", "away"]
StorePart = Literal["ok", "unwritable", "away"]


class Health(BaseModel):
    """The state of the arena."""

    status: Literal["ok", "degraded", "starting"] = Field(
        description="`degraded`: a part is away; pages can be served all the same, unless the answer is 503.  `starting`, with 503: this web is not ready yet."
    )


class HealthDetails(Health):
    """Which parts answer, for admins and on the machine itself.  Pages need the store only; without Redis they are not live."""

    store: StorePart = Field(
        description="Whether the database can be written; `unwritable`: only read, so no result is stored meanwhile."
    )
    problem: str = Field(description="What is wrong with the store, and what to do; empty if nothing is.")
    redis: RedisPart = Field(
        description="Whether Redis can be written; `unwritable`: it answers, and refuses writes."
    )
    redis_problem: str = Field(
        description="Why Redis refuses writes, and what to do; empty if it takes them, or does not answer."
    )
    protection: dict[str, str] = Field(
        description="What keeps hosted bots from doing harm at each referee that is known: `full: …`, `partial: …` or `none: …`."
    )
    missing_referees: tuple[str, ...] = Field(description="Referees that workers name and do not reach.")
    waiting_workers: tuple[str, ...] = Field(description="Workers that have no referee, and so play nothing.")


@router.get(
    "/health",
    summary="Health",
    response_model=HealthDetails | Health,
    responses={503: {"model": Health, "description": "The store is away, or cannot be written"}},
)
async def show_health(
    request: Request,
    store: TheStore,
    access: TheAccess,
    probe: TheProbe,
    live: TheLive,
    bearer: Bearer,
) -> Response:
    """Return 200 while the store can be written, which is tested by writing; 503 otherwise, and while this web is starting.  Admins see which parts answer."""
    details = await _examine(probe, live)
    token = None if bearer is None else bearer.credentials
    shows_all = is_from_this_machine(request) or await run_in_threadpool(
        _is_admin, request, store, access, token
    )
    shown = details if shows_all else Health(status=details.status)
    return JSONResponse(
        shown.model_dump(),
        200 if details.store == "ok" else 503,
        {"Cache-Control": "no-store", "Vary": "Authorization, Cookie"},
    )


class Check(BaseModel):
    """The answer to a probe, which restarts the process or sends it no requests."""

    status: Literal["ok", "ready", "unready", "starting"] = Field(
        description="`ok`: the process is live; `ready`: it can do all of its work; `unready`, with 503: the store takes no writes, Redis does not answer, or it is stopping; `starting`, with 503: not yet."
    )


@router.get("/health/live", summary="Liveness", response_model=Check, include_in_schema=False)
async def show_live() -> Response:
    """Return 200 while this process answers; one that does not should be restarted.  Store and Redis are not checked."""
    return JSONResponse({"status": "ok"}, headers={"Cache-Control": "no-store"})


@router.get(
    "/health/ready",
    summary="Readiness",
    response_model=Check,
    responses={503: {"model": Check, "description": "The store takes no writes, or Redis does not answer"}},
    include_in_schema=False,  # for supervisors and load balancers; clients ask /health
)
async def show_ready(readiness: TheReadiness) -> Response:
    """Return 200 while this web can do all of its work: the store takes a write, and Redis answers."""
    problems = await run_in_threadpool(readiness.problems)
    return JSONResponse(
        {"status": "unready" if problems else "ready"},
        503 if problems else 200,
        {"Cache-Control": "no-store"},
    )


async def _examine(probe: Probe, live: ProgressHub) -> HealthDetails:
    """Ask all parts how they are."""
    verdict = await run_in_threadpool(probe.verdict)
    redis = await _ask_redis(live)
    missing, waiting = redis.outages.missing_referees, redis.outages.waiting_workers
    if verdict.writable and redis.outages.full_workers:
        verdict = write_probe.find_no_room()
    stored = _name(verdict)
    is_well = stored == "ok" and redis.state == "ok" and not missing and not waiting
    return HealthDetails(
        status="ok" if is_well else "degraded",
        store=stored,
        problem=verdict.problem,
        redis=redis.state,
        redis_problem=redis.refusal,
        protection=dict(redis.protections),
        missing_referees=missing,
        waiting_workers=waiting,
    )


class _Redis(NamedTuple):
    """The state of the other parts as Redis has it; empty while Redis is away."""

    state: RedisPart = "away"
    refusal: str = ""
    protections: Mapping[str, str] = MappingProxyType({})
    outages: presence.Outages = presence.Outages()


async def _ask_redis(live: ProgressHub) -> _Redis:
    """Ask Redis, for a moment: one that hangs is as good as away, and this answer is this process's sign of life."""
    try:
        async with asyncio.timeout(_REDIS_S):
            refusal = await live.find_refusal()
            if refusal is None:
                return _Redis()
            state: RedisPart = "unwritable" if refusal else "ok"
            return _Redis(state, refusal, await live.protections(), await live.outages())
    except TimeoutError:
        return _Redis()


def _name(verdict: Verdict) -> StorePart:
    if verdict.writable:
        return "ok"
    return "unwritable" if verdict.readable else "away"


def _is_admin(request: Request, store: Store, access: Access, token: str | None) -> bool:
    """Return whether the request is an admin's; False for credentials that are invalid or cannot be looked up."""
    cookie = auth_cookies.read(request, COOKIE)
    try:
        if token is not None:
            actor = tokens.identify(store, token)
        elif cookie is not None:
            actor = sessions.identify(store, access.secret, cookie)
        else:
            return False
    except (Refusal, SQLAlchemyError):
        return False
    return "admin" in actor.scopes
