"""The life of a tournament: its organiser opens, starts, pauses, extends, ends it; authors enter their bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import BackgroundTasks, Body, Depends, Path, Query

from arena.accounts.actors import Actor
from arena.competition import lifecycle
from arena.reports import decision_log, tournaments
from arena.reports.decision_log import LoggedDecision
from arena.reports.tournament_details import TournamentPage
from arena.web.auth.api_auth import require_scope
from arena.web.auth.api_router import api_router
from arena.web.http.path_parameters import TheStore, TournamentId
from arena.web.http.problems import answers
from arena.web.live.live_dependencies import TheLive
from arena.web.responses.response_cache import OfStore
from arena.web.tournaments.tournament_requests import Cancellation, Entered, EntryCreate, Extension, Priority

router = api_router("/tournaments/{tournament_id}", tags=["tournaments"])

_REFUSALS = answers(401, 403, 404, 409, 422, 429)
Organiser = Annotated[Actor, require_scope("tournaments")]
Author = Annotated[Actor, require_scope("bots")]
BotName = Annotated[str, Path(max_length=200, description="NAME, or NAME@VERSION.", examples=["my-bot"])]


def _telling(
    background: BackgroundTasks, store: TheStore, live: TheLive, tournament_id: TournamentId
) -> Callable[[], None]:
    """Return what has open pages told of a change, when the answer to it has gone."""

    def tell() -> None:
        state = tournaments.row(store, tournament_id).state
        background.add_task(live.announce, tournament_id, state)

    return tell


Tell = Annotated[Callable[[], None], Depends(_telling)]


@router.post("/open", summary="Open a tournament for entries", responses=_REFUSALS)
def open_entries(
    store: TheStore, actor: Organiser, tell: Tell, tournament_id: TournamentId
) -> TournamentPage:
    """Open the tournament for entries of authors, until it is started."""
    lifecycle.open_entries(store, tournament_id, actor)
    tell()
    return tournaments.page(store, tournament_id)


@router.post("/start", summary="Start a tournament", responses=_REFUSALS)
def start_tournament(
    store: TheStore, actor: Organiser, tell: Tell, tournament_id: TournamentId
) -> TournamentPage:
    """Begin with the bots that are entered; nobody enters after that."""
    lifecycle.start(store, tournament_id, actor)
    tell()
    return tournaments.page(store, tournament_id)


@router.post("/pause", summary="Pause a tournament", responses=_REFUSALS)
def pause_tournament(
    store: TheStore, actor: Organiser, tell: Tell, tournament_id: TournamentId
) -> TournamentPage:
    """Begin nothing more of it; what is being played is played to its end."""
    lifecycle.pause(store, tournament_id, actor)
    tell()
    return tournaments.page(store, tournament_id)


@router.post("/resume", summary="Go on after a pause", responses=_REFUSALS)
def resume_tournament(
    store: TheStore, actor: Organiser, tell: Tell, tournament_id: TournamentId
) -> TournamentPage:
    """Go on where the pause began."""
    lifecycle.resume(store, tournament_id, actor)
    tell()
    return tournaments.page(store, tournament_id)


@router.post("/cancel", summary="Cancel a tournament", responses=_REFUSALS)
def cancel_tournament(
    body: Annotated[Cancellation, Body()],
    store: TheStore,
    actor: Organiser,
    tell: Tell,
    tournament_id: TournamentId,
) -> TournamentPage:
    """End it where it stands, for good: its results stay, and its secret is published."""
    lifecycle.cancel(store, tournament_id, actor, body.why)
    tell()
    return tournaments.page(store, tournament_id)


@router.post("/extend", summary="Extend a tournament", responses=_REFUSALS)
def extend_tournament(
    body: Extension, store: TheStore, actor: Organiser, tell: Tell, tournament_id: TournamentId
) -> TournamentPage:
    """Play more cycles than were asked for; of a Swiss, more rounds."""
    lifecycle.extend(store, tournament_id, body.more, actor)
    tell()
    return tournaments.page(store, tournament_id)


@router.post("/priority", summary="Give a tournament another priority", responses=_REFUSALS)
def prioritise_tournament(
    body: Priority, store: TheStore, actor: Organiser, tell: Tell, tournament_id: TournamentId
) -> TournamentPage:
    """Of two that run, one with twice the priority is played twice as much."""
    lifecycle.prioritise(store, tournament_id, body.priority, actor)
    tell()
    return tournaments.page(store, tournament_id)


@router.post("/entries", status_code=201, summary="Enter a bot", responses=_REFUSALS)
def enter_bot(
    body: EntryCreate, store: TheStore, actor: Author, tell: Tell, tournament_id: TournamentId
) -> Entered:
    """Enter one's own bot while the tournament is open; an organiser enters any, and before it is opened too."""
    found = lifecycle.enter(store, tournament_id, body.bot, actor)
    tell()
    return Entered(tournament=tournament_id, bot=found.bot, version=found.version)


@router.delete("/entries/{name}", summary="Withdraw a bot from a tournament", responses=_REFUSALS)
def withdraw_bot(
    *,
    store: TheStore,
    actor: Author,
    tell: Tell,
    tournament_id: TournamentId,
    name: BotName,
    annul: Annotated[
        bool, Query(description="Whether what it has played is annulled: it counts for no table any more.")
    ] = False,
) -> Entered:
    """Take out one's own bot while the tournament is open; an organiser any, until the tournament is over."""
    found = lifecycle.withdraw(store, tournament_id, name, actor, annul=annul)
    tell()
    return Entered(tournament=tournament_id, bot=found.bot, version=found.version)


@router.get(
    "/decisions",
    dependencies=[OfStore],
    summary="List what was decided about a tournament",
    responses=answers(404, 422),
)
def list_decisions(
    store: TheStore,
    tournament_id: TournamentId,
    first: Annotated[int, Query(ge=0, le=2**31 - 1, description="The first to list.")] = 0,
    most: Annotated[
        int, Query(ge=1, le=decision_log.MAX_ROWS, description="How many.")
    ] = decision_log.MAX_ROWS,
) -> tuple[LoggedDecision, ...]:
    """Return the log, in order: its schedule follows from it, and each decision names the hash of what it was based on."""
    return decision_log.decision_rows(store, tournament_id, first=first, most=most)
