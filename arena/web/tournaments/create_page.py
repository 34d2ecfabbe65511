"""Creating a tournament: first the game, then the form; it says what it comes to before anything is created."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response

from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.competition.estimates import Estimate
from arena.core.errors import UsageError
from arena.games import registry
from arena.games.registry import GAMES, AnyGame
from arena.storage import Store
from arena.web.auth.arena_access import OrganiserPageArena
from arena.web.auth.page_auth import require_page_scope, see_other
from arena.web.http.path_parameters import TheStore
from arena.web.tournaments import tournament_form
from arena.web.tournaments.tournament_form import Asked, TournamentForm
from arena.web.ui.game_titles import describe_seats
from arena.web.ui.templating import render

router = APIRouter(prefix="/organise/tournament", include_in_schema=False)


TheForm = Annotated[TournamentForm, Form()]
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
    found = registry.find(game)
    return _show(request, store, found, TournamentForm.usual(found), Asked(None, {}), None)


@router.post("")
def create(request: Request, store: TheStore, arena: OrganiserPageArena, form: TheForm) -> Response:
    """Create what was asked for, or say what it comes to, or what is wrong with it."""
    game = registry.find(form.game)
    asked = tournament_form.read(game, form, tournament_form.candidates(store, game))
    estimate = None
    if asked.wish is not None:
        try:
            if form.do == "create":
                return see_other(f"/tournaments/{arena.tournaments.create(asked.wish).id}")
            estimate = arena.tournaments.estimate(asked.wish)
        except UsageError as error:
            asked = Asked(None, tournament_form.place(error, game))
    return _show(request, store, game, form, asked, estimate)


@router.post("/estimate")
def estimate(request: Request, store: TheStore, arena: OrganiserPageArena, form: TheForm) -> Response:
    """Return the part of the page that says what it comes to: a script fetches it whenever something changes."""
    game = registry.find(form.game)
    asked = tournament_form.read(game, form, tournament_form.candidates(store, game))
    found = None
    if asked.wish is not None:
        try:
            found = arena.tournaments.estimate(asked.wish)
        except UsageError as error:
            asked = Asked(None, tournament_form.place(error, game))
    return render(request, "organise_estimate.html", estimate=found, errors=asked.errors)


def _show(
    request: Request,
    store: Store,
    game: AnyGame,
    form: TournamentForm,
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
        values=form.texts,
        ticked=set(form.bot),
        errors=asked.errors,
        estimate=estimate,
    )
