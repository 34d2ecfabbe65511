"""The list of all tournaments."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.services import tournaments
from arena.web.catalogue import TITLES
from arena.web.environment import render
from arena.web.parameters import TheStore
from arena.web.remembering import OfStore

router = APIRouter(include_in_schema=False, dependencies=[OfStore])


@router.get("/tournaments")
def show(request: Request, store: TheStore) -> Response:
    """Show all tournaments, the newest first."""
    return render(request, "tournaments.html", rows=tournaments.listing(store), titles=TITLES)
