"""The life of a tournament: its organiser opens, starts, pauses, extends, ends it; authors enter their bots."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Body, Path, Query
from pydantic import Field

from arena.reports.decision_log import MAX_ROWS, LoggedDecision
from arena.reports.tournament_details import TournamentPage
from arena.service import requests
from arena.service.composed_answers import Entered
from arena.web.auth.api_router import add_old_path, api_router
from arena.web.auth.arena_access import AuthorArena, OrganiserArena, TheArena
from arena.web.http.list_answers import USE_LIMIT, Listed, ThePaging
from arena.web.http.path_parameters import TournamentId
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED

router = api_router("/tournaments/{tournament_id}", tags=["tournaments"])

_REFUSALS = answers(401, 403, 404, 409, 422, 429)
BotName = Annotated[str, Path(max_length=200, description="NAME, or NAME@VERSION.", examples=["my-bot"])]


class Cancellation(requests.Body):
    """The reason for a cancellation."""

    why: str = Field("", max_length=500, description="Shown on its page.", examples=["wrong options"])


class Extension(requests.Body):
    """An extension of a tournament."""

    more: int = Field(description="More cycles; of a Swiss, more rounds.", examples=[5])


class EntryCreate(requests.Body):
    """A bot that is to take part."""

    bot: requests.BotName = Field(description="NAME, or NAME@VERSION.", examples=["my-bot"])


@router.post("/open", summary="Open a tournament for entries", responses=_REFUSALS)
def open_entries(arena: OrganiserArena, tournament_id: TournamentId) -> TournamentPage:
    """Let authors enter their bots until the tournament is started."""
    return arena.tournaments.open_entries(tournament_id)


@router.post("/start", summary="Start a tournament", responses=_REFUSALS)
def start_tournament(arena: OrganiserArena, tournament_id: TournamentId) -> TournamentPage:
    """Start a tournament with the bots that are entered; entries are closed from then on."""
    return arena.tournaments.start(tournament_id)


@router.post("/pause", summary="Pause a tournament", responses=_REFUSALS)
def pause_tournament(arena: OrganiserArena, tournament_id: TournamentId) -> TournamentPage:
    """Pause a tournament; matches in progress are played to their end."""
    return arena.tournaments.pause(tournament_id)


@router.post("/resume", summary="Resume a tournament", responses=_REFUSALS)
def resume_tournament(arena: OrganiserArena, tournament_id: TournamentId) -> TournamentPage:
    """Resume a paused tournament."""
    return arena.tournaments.resume(tournament_id)


@router.post("/cancel", summary="Cancel a tournament", responses=_REFUSALS)
def cancel_tournament(
    body: Annotated[Cancellation, Body()], arena: OrganiserArena, tournament_id: TournamentId
) -> TournamentPage:
    """End a tournament now, for good: its results stay, and its secret is published."""
    return arena.tournaments.cancel(tournament_id, why=body.why)


@router.post("/extend", summary="Extend a tournament", responses=_REFUSALS)
def extend_tournament(body: Extension, arena: OrganiserArena, tournament_id: TournamentId) -> TournamentPage:
    """Add cycles to a tournament, or rounds to a Swiss."""
    return arena.tournaments.extend(tournament_id, more=body.more)


@router.patch("", summary="Edit a tournament", responses=_REFUSALS)
def edit_tournament(
    body: requests.TournamentChange, arena: OrganiserArena, tournament_id: TournamentId
) -> TournamentPage:
    """Change the description and priority until the tournament is over, the rest until it begins."""
    return arena.tournaments.edit(tournament_id, body)


add_old_path(router, "/tournaments/{tournament_id}", "/tournaments/{tournament_id}/priority", method="POST")


@router.delete("", status_code=204, summary="Delete a tournament", responses=_REFUSALS)
def delete_tournament(arena: OrganiserArena, tournament_id: TournamentId) -> None:
    """Delete a tournament that has not begun, with its entries."""
    arena.tournaments.delete(tournament_id)


@router.post("/entries", status_code=201, summary="Enter a bot", responses=_REFUSALS)
def enter_bot(body: EntryCreate, arena: AuthorArena, tournament_id: TournamentId) -> Entered:
    """Enter your bot while the tournament is open; organisers may enter any bot, and earlier."""
    return arena.tournaments.enter_bot(tournament_id, bot=body.bot)


@router.delete("/entries/{name}", summary="Withdraw a bot from a tournament", responses=_REFUSALS)
def withdraw_bot(
    arena: AuthorArena,
    tournament_id: TournamentId,
    name: BotName,
    *,
    annul: Annotated[
        bool, Query(description="Whether its results are annulled, so that they no longer count.")
    ] = False,
) -> Entered:
    """Withdraw your bot while the tournament is open; organisers may withdraw any bot until it is over."""
    return arena.tournaments.withdraw_bot(tournament_id, name, annul=annul)


@router.get(
    "/decisions",
    dependencies=[CACHED],
    summary="List the decisions about a tournament",
    responses=answers(404, 422),
)
def list_decisions(
    arena: TheArena,
    tournament_id: TournamentId,
    paging: ThePaging,
    first: Annotated[int, Query(ge=0, le=2**31 - 1, deprecated=True, description="Use `cursor`.")] = 0,
    most: Annotated[int, Query(ge=1, le=MAX_ROWS, deprecated=True, description=USE_LIMIT)] = MAX_ROWS,
) -> Listed[LoggedDecision]:
    """Return the log of decisions in order.  The schedule follows from it; each decision has the hash of its inputs."""
    return paging.answer(partial(arena.tournaments.list_decisions, tournament_id), most=most, after=first)
