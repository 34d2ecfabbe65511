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
    """Why a tournament is cancelled."""

    why: str = Field("", max_length=500, description="Shown on its page.", examples=["wrong options"])


class Extension(requests.Body):
    """How much longer a tournament is to be."""

    more: int = Field(description="More cycles; of a Swiss, more rounds.", examples=[5])


class Priority(requests.Body):
    """A tournament's share of the workers."""

    priority: int = Field(description="1 to 100.", examples=[20])


class EntryCreate(requests.Body):
    """A bot that is to take part."""

    bot: requests.BotName = Field(description="NAME, or NAME@VERSION.", examples=["my-bot"])


@router.post("/open", summary="Open a tournament for entries", responses=_REFUSALS)
def open_entries(arena: OrganiserArena, tournament_id: TournamentId) -> TournamentPage:
    """Open the tournament for entries of authors, until it is started."""
    return arena.tournaments.open_entries(tournament_id)


@router.post("/start", summary="Start a tournament", responses=_REFUSALS)
def start_tournament(arena: OrganiserArena, tournament_id: TournamentId) -> TournamentPage:
    """Begin with the bots that are entered; nobody enters after that."""
    return arena.tournaments.start(tournament_id)


@router.post("/pause", summary="Pause a tournament", responses=_REFUSALS)
def pause_tournament(arena: OrganiserArena, tournament_id: TournamentId) -> TournamentPage:
    """Begin nothing more of it; what is being played is played to its end."""
    return arena.tournaments.pause(tournament_id)


@router.post("/resume", summary="Go on after a pause", responses=_REFUSALS)
def resume_tournament(arena: OrganiserArena, tournament_id: TournamentId) -> TournamentPage:
    """Go on where the pause began."""
    return arena.tournaments.resume(tournament_id)


@router.post("/cancel", summary="Cancel a tournament", responses=_REFUSALS)
def cancel_tournament(
    body: Annotated[Cancellation, Body()], arena: OrganiserArena, tournament_id: TournamentId
) -> TournamentPage:
    """End it where it stands, for good: its results stay, and its secret is published."""
    return arena.tournaments.cancel(tournament_id, why=body.why)


@router.post("/extend", summary="Extend a tournament", responses=_REFUSALS)
def extend_tournament(body: Extension, arena: OrganiserArena, tournament_id: TournamentId) -> TournamentPage:
    """Play more cycles than were asked for; of a Swiss, more rounds."""
    return arena.tournaments.extend(tournament_id, more=body.more)


@router.patch("", summary="Set a tournament's priority", responses=_REFUSALS)
def prioritise_tournament(
    body: Priority, arena: OrganiserArena, tournament_id: TournamentId
) -> TournamentPage:
    """Of two that run, one with twice the priority is played twice as much."""
    return arena.tournaments.prioritise(tournament_id, priority=body.priority)


add_old_path(router, "/tournaments/{tournament_id}", "/tournaments/{tournament_id}/priority", method="POST")


@router.post("/entries", status_code=201, summary="Enter a bot", responses=_REFUSALS)
def enter_bot(body: EntryCreate, arena: AuthorArena, tournament_id: TournamentId) -> Entered:
    """Enter one's own bot while the tournament is open; an organiser enters any, and before it is opened too."""
    return arena.tournaments.enter_bot(tournament_id, bot=body.bot)


@router.delete("/entries/{name}", summary="Withdraw a bot from a tournament", responses=_REFUSALS)
def withdraw_bot(
    arena: AuthorArena,
    tournament_id: TournamentId,
    name: BotName,
    *,
    annul: Annotated[
        bool, Query(description="Whether what it has played is annulled: it counts for no table any more.")
    ] = False,
) -> Entered:
    """Take out one's own bot while the tournament is open; an organiser any, until the tournament is over."""
    return arena.tournaments.withdraw_bot(tournament_id, name, annul=annul)


@router.get(
    "/decisions",
    dependencies=[CACHED],
    summary="List what was decided about a tournament",
    responses=answers(404, 422),
)
def list_decisions(
    arena: TheArena,
    tournament_id: TournamentId,
    paging: ThePaging,
    first: Annotated[int, Query(ge=0, le=2**31 - 1, deprecated=True, description="Use `cursor`.")] = 0,
    most: Annotated[int, Query(ge=1, le=MAX_ROWS, deprecated=True, description=USE_LIMIT)] = MAX_ROWS,
) -> Listed[LoggedDecision]:
    """Return the log, in order: its schedule follows from it, and each decision names the hash of what it was based on."""
    return paging.answer(partial(arena.tournaments.list_decisions, tournament_id), most=most, after=first)
