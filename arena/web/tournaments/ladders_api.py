"""Ladders: the list, starting one, stopping it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from pydantic import Field

from arena.accounts.actors import Actor
from arena.competition import ladders
from arena.competition.ladders import LadderRow, LadderSpec
from arena.web.auth.api_auth import require_scope
from arena.web.auth.api_router import api_router
from arena.web.http.path_parameters import TheStore
from arena.web.http.problems import answers
from arena.web.responses.response_cache import OfStore
from arena.web.tournaments.tournament_requests import Body

_LARGEST = 2**31 - 1

router = api_router(tags=["ladders"], dependencies=[OfStore])


class LadderRequest(Body):
    """A ladder to be started."""

    game: str = Field(max_length=64, description="The game's id.", examples=["lost_cities"])
    variant: str | None = Field(None, max_length=64, description="The variant; null: the standard one.")
    seats: int | None = Field(None, ge=1, le=_LARGEST, description="Seats at a table; null: the fewest.")
    epoch_s: float = Field(
        ladders.DAY_S,
        ge=0,
        le=1e9,
        description="Seconds until its secret is published and it gets a new one.",
    )
    rest_s: float = Field(
        ladders.STANDARD_REST_S, ge=0, le=1e9, description="Seconds of rest between two rounds."
    )
    priority: int = Field(
        ladders.STANDARD_PRIORITY,
        ge=1,
        le=_LARGEST,
        description="Its share of the workers; the default for tournaments is 10.",
    )
    delay_s: int = Field(
        0,
        ge=0,
        le=_LARGEST,
        description="How many seconds after a set is over what was hidden in it is shown, from the next epoch on.",
    )


@router.get("/ladders", summary="List the ladders")
def list_ladders(store: TheStore) -> tuple[LadderRow, ...]:
    """All ladders, those that are stopped included, by pool and seats."""
    return ladders.listing(store)


@router.post(
    "/ladders",
    status_code=201,
    summary="Start a ladder",
    responses=answers(401, 403, 404, 409, 422, 429),
)
def start_ladder(
    body: LadderRequest, store: TheStore, actor: Annotated[Actor, require_scope("tournaments")]
) -> LadderRow:
    """Start a ladder of all active versions of a pool, or resume one that was stopped."""
    return ladders.start(store, LadderSpec(**body.model_dump()), actor)


@router.post(
    "/ladders/{ladder_id}/stop",
    summary="Stop a ladder",
    responses=answers(401, 403, 404, 409, 422, 429),
)
def stop_ladder(
    ladder_id: Annotated[int, Path(ge=1, le=_LARGEST, description="The number of the ladder.")],
    store: TheStore,
    actor: Annotated[Actor, require_scope("tournaments")],
) -> LadderRow:
    """Stop it after the round that is being played."""
    return ladders.stop(store, ladder_id, actor)
