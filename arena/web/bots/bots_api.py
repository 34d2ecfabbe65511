"""Bots: the list of all; submitting and adding one's own, challenging with them, and reading their logs."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Query, Request, Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from arena.competition.qualification.submissions import VersionRow
from arena.operations.connection_status import ConnectionStatus
from arena.reports.author_overview import OwnEntry
from arena.reports.bot_logs import LogRow, MatchLog
from arena.service.composed_answers import Added, Bot, Challenge, Comparison, NoteVisibility
from arena.service.requests import Addition, Body, ComparisonRequest, OneBot
from arena.web.accounts.accounts_api import keep_nowhere
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import AuthorArena, ReaderArena, TheArena
from arena.web.bots.sdk_downloads import attached
from arena.web.http.list_answers import Listed, ThePaging, ThePagingByCursor
from arena.web.http.path_parameters import GameId
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED
from arena.web.uploads.upload_places import TheUploads
from arena.web.uploads.upload_stream import received

router = api_router("/bots", tags=["bots"], dependencies=[Depends(keep_nowhere)])

Name = Annotated[str, Path(max_length=80, description="The bot, or a version of it.", examples=["my-bot@2"])]


class ChallengeRequest(Body):
    """The bots that a bot is to play."""

    others: list[OneBot] = Field(
        min_length=1, max_length=10, description="The other bots, one for each seat."
    )


@router.get(
    "",
    summary="List all bots",
    dependencies=[CACHED],
    responses=answers(404, 422),
)
def list_bots(
    arena: TheArena,
    paging: ThePaging,
    game: Annotated[str | None, Query(max_length=80, description="Only bots of this game.")] = None,
) -> Listed[Bot]:
    """List every version of every bot, by game, name and age."""
    return paging.answer(partial(arena.bots.list, game=game))


@router.post(
    "/uploads",
    status_code=201,
    summary="Submit a bot",
    name="submit_bot_by_old_path",
    deprecated=True,
    responses=answers(400, 401, 403, 408, 409, 413, 422, 429, 503),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def submit_bot(
    request: Request,
    *,
    arena: AuthorArena,
    under_way: TheUploads,
    filename: Annotated[
        str,
        Query(max_length=200, description="The name of the file: `….py`, or a zip.", examples=["my_bot.py"]),
    ],
    game: Annotated[str | None, Query(max_length=80, description="The game that a .py file plays.")] = None,
    name: Annotated[
        str | None, Query(max_length=80, description="The bot's name, if not the file's.")
    ] = None,
) -> tuple[VersionRow, ...]:
    """Upload a Python file, or a zip with a `bot.toml`, as a new version of a bot, which then waits for its qualification.

    The answer has one version for each game that it plays.
    """
    await run_in_threadpool(arena.bots.check_submission)
    with under_way.bots.take(arena.actor) as place:
        async with received(request, arena.actor, place) as file:
            submit = partial(arena.bots.submit, filename=filename, game=game, name=name)
            return await under_way.run(lambda: submit(file.read()))


@router.post(
    "/{game_id}",
    status_code=201,
    summary="Add a bot that runs elsewhere",
    responses=answers(401, 403, 404, 409, 422, 429),
)
def add_bot(body: Addition, arena: AuthorArena, game_id: GameId) -> Added:
    """Add a bot that connects with the token of this answer, or one that listens at an address."""
    return arena.bots.add(game_id, body)


@router.post(
    "/{game_id}/{name}/token",
    status_code=201,
    summary="Renew the token of a dial-in bot",
    responses=answers(401, 403, 404, 409, 422, 429),
)
def renew_bot_token(arena: AuthorArena, game_id: GameId, name: Name) -> Added:
    """Create a token for a bot that dials in; its previous token is revoked."""
    return arena.bots.renew_token(game_id, name)


@router.delete(
    "/{game_id}/{name}/token",
    status_code=204,
    summary="Revoke the token of a dial-in bot",
    responses=answers(401, 403, 404, 409, 422, 429),
)
def revoke_bot_token(arena: AuthorArena, game_id: GameId, name: Name) -> None:
    """Revoke a bot's token: it is disconnected, and rejected from then on."""
    arena.bots.revoke_token(game_id, name)


@router.get(
    "/{game_id}/{name}/versions",
    summary="List the versions of your bot",
    responses=answers(401, 403, 404, 422, 429),
)
def list_versions(arena: ReaderArena, paging: ThePaging, game_id: GameId, name: Name) -> Listed[VersionRow]:
    """List the versions of your bot, the newest first, with the reason if one failed its qualification."""
    return paging.answer(partial(arena.bots.list_versions, game_id, name))


@router.get(
    "/{game_id}/{name}/connection",
    summary="Show the connection of your bot",
    responses=answers(401, 403, 404, 422, 429),
)
def show_connection(arena: ReaderArena, game_id: GameId, name: Name) -> ConnectionStatus:
    """Return whether your bot is connected, the addresses for bots, and the address at which an endpoint listens."""
    return arena.bots.show_connection(game_id, name)


@router.get(
    "/{game_id}/{name}/entries",
    summary="List the tournaments of your bot",
    responses=answers(401, 403, 404, 422, 429),
)
def list_entries(arena: ReaderArena, paging: ThePaging, game_id: GameId, name: Name) -> Listed[OwnEntry]:
    """List the tournaments that are open for entries, then those that the bot is in, the newest first."""
    return paging.answer(partial(arena.bots.list_entries, game_id, name))


@router.get(
    "/{game_id}/{name}/upload",
    summary="Download an upload",
    response_class=Response,
    responses={
        200: {
            "description": "The file, or a zip of the files",
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        },
        **answers(401, 403, 404, 410, 422, 429),
    },
)
def download_upload(arena: ReaderArena, game_id: GameId, name: Name) -> Response:
    """Return the upload of the newest version, or of a named one, which can be submitted again as it is."""
    found = arena.bots.show_upload(game_id, name)
    return attached(found.filename, found.data)


@router.post(
    "/{game_id}/{name}/withdraw",
    summary="Withdraw a version",
    responses=answers(401, 403, 404, 409, 422, 429),
)
def withdraw_version(arena: AuthorArena, game_id: GameId, name: Name) -> VersionRow:
    """Withdraw the active version, or a named one, so that it can no longer be entered."""
    return arena.bots.withdraw_version(game_id, name)


@router.post(
    "/{game_id}/{name}/restore",
    summary="Restore a version",
    responses=answers(401, 403, 404, 409, 410, 422, 429, 503),
)
def restore_version(arena: AuthorArena, game_id: GameId, name: Name) -> VersionRow:
    """Make the newest version, or a named one, active; one that has not qualified is tried again."""
    return arena.bots.restore_version(game_id, name)


@router.post(
    "/{game_id}/{name}/challenges",
    status_code=201,
    summary="Challenge other bots",
    responses=answers(401, 403, 404, 409, 410, 422, 429),
)
def challenge(body: ChallengeRequest, arena: AuthorArena, game_id: GameId, name: Name) -> Challenge:
    """Play one of your bots in an unrated set against others."""
    return arena.bots.challenge(game_id, name, others=body.others)


@router.post(
    "/{game_id}/{name}/comparisons",
    status_code=201,
    summary="Compare two versions of your bot",
    responses=answers(401, 403, 404, 409, 410, 422, 429),
)
def compare_versions(body: ComparisonRequest, arena: AuthorArena, game_id: GameId, name: Name) -> Comparison:
    """Play two versions of your bot against each other, unrated, until a test (SPRT) has decided or all sets are played."""
    return arena.bots.compare_versions(game_id, name, body)


@router.get(
    "/{game_id}/{name}/logs",
    summary="List the last matches of your bot",
    responses=answers(401, 403, 404, 422, 429),
)
def list_logs(arena: ReaderArena, paging: ThePagingByCursor, game_id: GameId, name: Name) -> Listed[LogRow]:
    """List the last matches of your bot, the newest first, with results, thinking times and the size of the output."""
    return paging.answer(partial(arena.bots.list_logs, game_id, name), most=paging.limit or 20)


@router.get(
    "/{game_id}/{name}/logs/{match_id}",
    summary="Show the output of your bot in a match",
    responses=answers(401, 403, 404, 422, 429),
)
def show_log(
    arena: ReaderArena,
    paging: ThePaging,
    game_id: GameId,
    name: Name,
    match_id: Annotated[str, Path(max_length=80, description="The match's id.")],
) -> Listed[MatchLog]:
    """Return the output and the timings of your bot, for each seat that it had."""
    return paging.answer(partial(arena.bots.show_log, game_id, name, match_id))


@router.get(
    "/{game_id}/{name}/notes",
    summary="Show the visibility of your bot's notes",
    responses=answers(401, 403, 404, 422, 429),
)
def show_note_visibility(arena: ReaderArena, game_id: GameId, name: Name) -> NoteVisibility:
    """Return whether the bot's notes on open matches are public."""
    return arena.bots.show_note_visibility(game_id, name)


@router.put(
    "/{game_id}/{name}/notes",
    summary="Set the visibility of your bot's notes",
    responses=answers(401, 403, 404, 422, 429),
)
def set_note_visibility(
    body: NoteVisibility, arena: AuthorArena, game_id: GameId, name: Name
) -> NoteVisibility:
    """Make the bot's notes public or private to its owner, on earlier matches as well."""
    return arena.bots.set_note_visibility(game_id, name, public=body.public)
