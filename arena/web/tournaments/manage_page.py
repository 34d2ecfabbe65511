"""Steering a tournament from its page: each step is a form that is sent here, and calls what the API calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Form, HTTPException, Path, Request, Response
from pydantic import BaseModel

from arena.accounts.actors import Actor
from arena.core.errors import Refusal, RefusalKind, UsageError
from arena.core.problem_details import status_of
from arena.core.translatable import say
from arena.reports import tournaments
from arena.service.requests import TournamentChange
from arena.service.tournament_operations import Tournaments
from arena.storage import Store
from arena.web.auth.arena_access import AuthorPageArena
from arena.web.auth.page_auth import require_page_scope, see_other, viewer_of
from arena.web.http.path_parameters import TheStore, TournamentId
from arena.web.tournaments.management_panel import read_panel
from arena.web.ui.templating import render

router = APIRouter(prefix="/tournaments/{tournament_id}/steer", include_in_schema=False)

_NUMBER = re.compile(r"[0-9]{1,9}")
Author = Annotated[Actor, require_page_scope("bots")]
Verb = Annotated[str, Path(max_length=20)]


class StepForm(BaseModel):
    """The form of any step as a browser sends it: the text of each field."""

    more: str = ""
    name: str = ""
    description: str = ""
    priority: str = ""
    bot: str = ""
    results: str = "keep"
    why: str = ""
    sure: str = ""


_Step: TypeAlias = Callable[[Tournaments, int, StepForm], object]
_STEPS: Mapping[str, _Step] = {
    "open": lambda tournaments, number, _: tournaments.open_entries(number),
    "start": lambda tournaments, number, _: tournaments.start(number),
    "pause": lambda tournaments, number, _: tournaments.pause(number),
    "resume": lambda tournaments, number, _: tournaments.resume(number),
    "extend": lambda tournaments, number, form: tournaments.extend(number, more=_number("more", form.more)),
    "edit": lambda tournaments, number, form: tournaments.edit(number, _change(form)),
    "delete": lambda tournaments, number, _: tournaments.delete(number),
    "enter": lambda tournaments, number, form: tournaments.enter_bot(number, bot=form.bot.strip()),
    "withdraw": lambda tournaments, number, form: tournaments.withdraw_bot(
        number, form.bot, annul=form.results == "annul"
    ),
    "cancel": lambda tournaments, number, form: tournaments.cancel(number, why=form.why),
}
VERBS = tuple(_STEPS)
_FIELDS = {"bot", "description", "more", "name", "priority", "sure", "why"}


@router.get("")
def show(request: Request, store: TheStore, actor: Author, tournament_id: TournamentId) -> Response:
    """Show what may be done, alone."""
    actor.require("bots")
    return _show(request, store, tournament_id)


@router.post("/{verb}")
def steer(
    request: Request,
    store: TheStore,
    arena: AuthorPageArena,
    form: Annotated[StepForm, Form()],
    tournament_id: TournamentId,
    verb: Verb,
) -> Response:
    """Take a step, and redirect to the page; an error is shown at its field."""
    if verb not in VERBS:
        raise HTTPException(404, say("{verb}: must be one of {verbs}", verb=verb, verbs=", ".join(VERBS)))
    try:
        if (
            verb in {"cancel", "delete"} or (verb == "withdraw" and form.results == "annul")
        ) and form.sure != "yes":
            raise Refusal(
                "not_confirmed", say("sure: tick the box to confirm; this cannot be undone"), field="sure"
            )
        _STEPS[verb](arena.tournaments, tournament_id, form)
    except UsageError as error:
        refused = error if isinstance(error, Refusal) else None
        if (
            refused is not None
            and refused.field != "bot"
            and refused.kind in {RefusalKind.FORBIDDEN, RefusalKind.NOT_FOUND}
        ):
            raise
        field = refused.field if refused is not None else ""
        return _show(
            request,
            store,
            tournament_id,
            status=status_of(refused) if refused is not None else 422,
            errors={field if field in _FIELDS else "": str(error)},
            values=form.model_dump(exclude_unset=True),
            failed=verb,
        )
    return see_other("/tournaments" if verb == "delete" else f"/tournaments/{tournament_id}")


def _change(form: StepForm) -> TournamentChange:
    """Return the change of a form, which the domain checks; what was not sent stays."""
    return TournamentChange.model_construct(
        name=form.name if "name" in form.model_fields_set else None,
        description=form.description if "description" in form.model_fields_set else None,
        priority=_number("priority", form.priority),
    )


def _number(name: str, text: str) -> int:
    if not _NUMBER.fullmatch(text.strip()):
        raise Refusal(
            f"{name}_invalid",
            say("{name} {text!r}: must be a whole number", name=name, text=text[:40]),
            field=name,
        )
    return int(text)


def _show(
    request: Request,
    store: Store,
    tournament_id: int,
    *,
    status: int = 200,
    errors: Mapping[str, str] = MappingProxyType({}),
    values: Mapping[str, str] = MappingProxyType({}),
    failed: str = "",
) -> Response:
    tournament = tournaments.head(store, tournament_id)
    panel = read_panel(store, viewer_of(request), tournament, errors=errors, values=values, failed=failed)
    return render(
        request,
        "steer.html",
        status=status,
        tournament=tournament,
        steering=panel,
        said=next(iter(errors.values()), ""),
    )
