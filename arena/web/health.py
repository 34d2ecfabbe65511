"""Health: whether this process can do its work, for whoever watches over it."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from arena.services import bots
from arena.store import Store
from arena.web.parameters import TheLive, TheStore

router = APIRouter(tags=["health"])

Part = Literal["ok", "away"]


class Health(BaseModel):
    """Which parts answer.  Pages need the store only; without Redis they are not live."""

    status: Part | Literal["degraded"] = Field(
        description="Whether pages can be served (`away`: not), and matches played (`degraded`: not all that could be)."
    )
    store: Part = Field(description="Whether the database answers.")
    redis: Part = Field(description="Whether Redis answers.")
    protection: dict[str, str] = Field(
        description="What keeps hosted bots from doing harm at each referee that is known: `full: …`, `partial: …` or `none: …`."
    )
    missing_referees: tuple[str, ...] = Field(description="Referees that workers name and do not reach.")
    waiting_workers: tuple[str, ...] = Field(description="Workers that have no referee, and so play nothing.")


@router.get(
    "/health", summary="Health", responses={503: {"model": Health, "description": "The store is away"}}
)
async def show_health(store: TheStore, live: TheLive, response: Response) -> Health:
    """200 while pages can be served, 503 while the store is away."""
    stored = await run_in_threadpool(_ask, store)
    response.status_code = 200 if stored == "ok" else 503
    response.headers["Cache-Control"] = "no-store"
    redis: Part = "ok" if await live.is_connected() else "away"
    missing, waiting = await live.outages()
    return Health(
        status="degraded" if stored == "ok" and (missing or waiting) else stored,
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
