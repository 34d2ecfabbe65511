"""Creating a tournament: first the game, then the form; it says what it comes to before anything is created."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.datastructures import FormData

from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.competition import creation, estimates
from arena.competition.estimates import Estimate
from arena.core.errors import UsageError
from arena.games import registry
from arena.games.registry import GAMES, AnyGame
from arena.storage import Store
from arena.web.auth.page_auth import require_page_scope, see_other
from arena.web.games.game_titles import describe_seats
from arena.web.http.path_parameters import TheStore
from arena.web.tournaments import tournament_form
from arena.web.tournaments.tournament_form import Asked
from arena.web.ui.templating import render

router = APIRouter(prefix="/organise/tournament", include_in_schema=False)


async def _form(request: Request) -> FormData:
    return await request.form()


TheForm = Annotated[FormData, Depends(_form)]
Organiser = Annotated[Actor, require_page_scope("tournaments")]


@router.get("")
def show(
    request: Request, store: TheStore, actor: Organiser, game: Annotated[str, Query(max_length=64)] = ""
) -> Response:
    """Ask for the game, or show the form for it."""
    actor.require("tournaments")
    if not game:
        active = bots.count_active(store)
        games = [(each, describe_seats(each), active.get(each.id, 0)) for each in GAMES.values()]
        return render(request, "organise_game.html", games=games)
    return _show(request, store, registry.find(game), FormData(), Asked(None, {}), None)


@router.post("")
def create(request: Request, store: TheStore, actor: Organiser, form: TheForm) -> Response:
    """Create what was asked for, or say what it comes to, or what is wrong with it."""
    game = registry.find(str(form.get("game", ""))[:64])
    asked = tournament_form.read(game, form, tournament_form.candidates(store, game))
    estimate = None
    if asked.wish is not None:
        try:
            if form.get("do") == "create":
                return see_other(f"/tournaments/{creation.create(store, asked.wish.spec(), actor)}")
            estimate = estimates.estimate(store, asked.wish.spec(), actor)
        except UsageError as error:
            asked = Asked(None, tournament_form.place(error, game))
    return _show(request, store, game, form, asked, estimate)


@router.post("/estimate")
def estimate(request: Request, store: TheStore, actor: Organiser, form: TheForm) -> Response:
    """Return the part of the page that says what it comes to: a script fetches it whenever something changes."""
    game = registry.find(str(form.get("game", ""))[:64])
    asked = tournament_form.read(game, form, tournament_form.candidates(store, game))
    found = None
    if asked.wish is not None:
        try:
            found = estimates.estimate(store, asked.wish.spec(), actor)
        except UsageError as error:
            asked = Asked(None, tournament_form.place(error, game))
    return render(request, "organise_estimate.html", estimate=found, errors=asked.errors)


def _show(  # noqa: PLR0917 - all that the form shows
    request: Request,
    store: Store,
    game: AnyGame,
    form: FormData,
    asked: Asked,
    estimate: Estimate | None,
) -> Response:
    return render(
        request,
        "organise_create.html",
        status=422 if asked.errors else 200,
        game=game,
        tables=tournament_form.tables(game),
        options=tournament_form.options(game),
        candidates=tournament_form.candidates(store, game),
        formats=tournament_form.formats(game),
        parameters=tournament_form.parameters(game),
        times=tournament_form.TIMES,
        values=tournament_form.values_of(form or {"game": game.id}),
        ticked={str(name) for name in form.getlist("bot")},
        errors=asked.errors,
        estimate=estimate,
    )
