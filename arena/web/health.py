"""Health: whether this process can do its work, for whoever watches over it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from arena.services.storage import Verdict
from arena.web.live import Live
from arena.web.parameters import TheLive, TheProbe

_REDIS_S = 3.0

router = APIRouter(tags=["health"])

Part = Literal["ok", "away"]


StorePart = Literal["ok", "unwritable", "away"]


class Health(BaseModel):
    """Which parts answer.  Pages need the store only; without Redis they are not live."""

    status: StorePart | Literal["degraded"] = Field(
        description="Whether the arena works: as `store`; `degraded` where a referee is missing, or a worker has none."
    )
    store: StorePart = Field(
        description="Whether the database can be written; `unwritable`: only read, so no result is stored meanwhile."
    )
    problem: str = Field(description="What is wrong with the store, and what to do; empty if nothing is.")
    redis: Part = Field(description="Whether Redis answers.")
    protection: dict[str, str] = Field(
        description="What keeps hosted bots from doing harm at each referee that is known: `full: …`, `partial: …` or `none: …`."
    )
    missing_referees: tuple[str, ...] = Field(description="Referees that workers name and do not reach.")
    waiting_workers: tuple[str, ...] = Field(description="Workers that have no referee, and so play nothing.")


@router.get(
    "/health",
    summary="Health",
    responses={503: {"model": Health, "description": "The store is away, or cannot be written"}},
)
async def show_health(probe: TheProbe, live: TheLive, response: Response) -> Health:
    """200 while the store can be written, found out by writing; 503 else, and while this web is still starting."""
    verdict = await run_in_threadpool(probe.verdict)
    stored = _name(verdict)
    response.status_code = 200 if stored == "ok" else 503
    response.headers["Cache-Control"] = "no-store"
    redis = await _ask_redis(live)
    missing, waiting = redis.outages
    return Health(
        status="degraded" if stored == "ok" and (missing or waiting) else stored,
        store=stored,
        problem=verdict.problem,
        redis="ok" if redis.connected else "away",
        protection=dict(redis.protections),
        missing_referees=missing,
        waiting_workers=waiting,
    )


class _Redis(NamedTuple):
    """What Redis tells of the other parts; nothing while it is away."""

    connected: bool = False
    protections: Mapping[str, str] = MappingProxyType({})
    outages: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


async def _ask_redis(live: Live) -> _Redis:
    """Ask Redis, for a moment: one that hangs is as good as away, and this answer is this process's sign of life."""
    try:
        async with asyncio.timeout(_REDIS_S):
            return _Redis(await live.is_connected(), await live.protections(), await live.outages())
    except TimeoutError:
        return _Redis()


def _name(verdict: Verdict) -> StorePart:
    if verdict.writable:
        return "ok"
    return "unwritable" if verdict.readable else "away"
