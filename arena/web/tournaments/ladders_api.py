"""Ladders: the list, starting one, stopping it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

from arena.competition.ladders import LadderRequest, LadderRow
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import OrganiserArena, TheArena
from arena.web.http.list_answers import Listed, ThePaging
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED

router = api_router("/ladders", tags=["ladders"], dependencies=[CACHED])

_REFUSALS = answers(401, 403, 404, 409, 422, 429)
LadderId = Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of the ladder.")]


@router.get("", summary="List the ladders", responses=answers(422))
def list_ladders(arena: TheArena, paging: ThePaging) -> Listed[LadderRow]:
    """List all ladders by pool and seats, stopped ones included."""
    return paging.answer(arena.ladders.list)


@router.post("", status_code=201, summary="Start a ladder", responses=_REFUSALS)
def start_ladder(body: LadderRequest, arena: OrganiserArena) -> LadderRow:
    """Start a ladder of all active versions of a pool, or resume one that was stopped."""
    return arena.ladders.start(body)


@router.post("/{ladder_id}/stop", summary="Stop a ladder", responses=_REFUSALS)
def stop_ladder(arena: OrganiserArena, ladder_id: LadderId) -> LadderRow:
    """Stop a ladder after its current round."""
    return arena.ladders.stop(ladder_id)
