"""An organiser's start: their tournaments, and the ladders."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response

from arena.accounts.actors import Actor
from arena.competition import ladders
from arena.competition.tournament_states import OVER
from arena.reports import tournaments
from arena.web.auth.page_auth import require_page_scope
from arena.web.http.path_parameters import TheStore
from arena.web.ui.game_titles import TITLES
from arena.web.ui.templating import render

_MAX_FINISHED = 30
"""Of those that are over, the newest are listed; all are on the page of all tournaments."""

router = APIRouter(include_in_schema=False)


@router.get("/organise")
def show(
    request: Request, store: TheStore, actor: Annotated[Actor, require_page_scope("tournaments")]
) -> Response:
    """Show the tournaments and ladders of the organiser."""
    mine = tournaments.created_by(store, actor.name)
    return render(
        request,
        "organise.html",
        going=[row for row in mine if row.state not in OVER],
        over=[row for row in mine if row.state in OVER][:_MAX_FINISHED],
        ladders=ladders.listing(store),
        titles=TITLES,
    )
