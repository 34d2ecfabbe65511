"""Bots: the list of all; submitting and adding one's own, challenging with them, and reading their logs."""

from __future__ import annotations

from functools import partial
from typing import IO, Annotated

from fastapi import Depends, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from arena.accounts.actors import Actor
from arena.bot_registry import bots, note_visibility, stored_uploads
from arena.bot_registry.bot_version import BotVersion
from arena.bot_registry.bots import HOSTED
from arena.bundle_format.bundle import read_upload
from arena.competition.qualification import challenges, submissions
from arena.competition.qualification.submissions import Rules, VersionRow
from arena.core.errors import Refusal
from arena.games import registry
from arena.reports import author_overview, bot_logs
from arena.reports.author_overview import OwnEntry
from arena.reports.bot_logs import LogRow, MatchLog
from arena.service.paging import listed
from arena.web.accounts.accounts_api import keep_nowhere
from arena.web.auth.api_auth import require_scope
from arena.web.auth.api_router import api_router
from arena.web.bots import bot_schemas
from arena.web.bots.connection_status import ConnectionStatus, connection_status
from arena.web.bots.sdk_downloads import attached
from arena.web.http.app_services import service
from arena.web.http.list_answers import Listed, ThePaging, ThePagingByCursor
from arena.web.http.path_parameters import GameId, TheQueue, TheStore
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED
from arena.web.uploads.upload_places import TheUploads
from arena.web.uploads.upload_stream import received

router = api_router("/bots", tags=["bots"], dependencies=[Depends(keep_nowhere)])


TheRules = Annotated[Rules, Depends(service(Rules))]
Author = Annotated[Actor, require_scope("bots")]
Reader = Annotated[Actor, require_scope("read")]
Name = Annotated[str, Path(max_length=80, description="The bot, or a version of it.", examples=["my-bot@2"])]


@router.get(
    "",
    summary="List all bots",
    dependencies=[CACHED],
    responses=answers(404, 422),
)
def list_bots(
    store: TheStore,
    paging: ThePaging,
    game: Annotated[str | None, Query(max_length=80, description="Only those of this game.")] = None,
) -> Listed[bot_schemas.Bot]:
    """List every version of every bot, by game, name and age."""
    if game is not None:
        registry.find(game)
    return paging.answer(partial(listed, tuple(_bot(row) for row in bots.listing(store, game))))


@router.post(
    "/uploads",
    status_code=201,
    summary="Submit a bot",
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
    store: TheStore,
    actor: Author,
    rules: TheRules,
    under_way: TheUploads,
    filename: Annotated[
        str,
        Query(
            max_length=200, description="What the upload is called: `….py`, or a zip.", examples=["my_bot.py"]
        ),
    ],
    game: Annotated[str | None, Query(max_length=80, description="The game that a .py file plays.")] = None,
    name: Annotated[
        str | None, Query(max_length=80, description="The bot's name, if not the file's.")
    ] = None,
) -> tuple[VersionRow, ...]:
    """Send a Python file, or a zip with a `bot.toml`: it is a new version of the bot, and waits for its qualification.

    There is one version in the answer for each game that it plays.
    """
    await run_in_threadpool(submissions.check_quotas, store, actor, rules)
    with under_way.bots.take(actor) as place:
        async with received(request, actor, place) as file:
            work = partial(_submit, store, actor, rules, file, filename, game, name)
            return await under_way.run(work)


@router.post(
    "/{game_id}",
    status_code=201,
    summary="Add a bot that runs elsewhere",
    responses=answers(401, 403, 404, 409, 422, 429),
)
def add_bot(
    body: bot_schemas.Addition, store: TheStore, actor: Author, rules: TheRules, game_id: GameId
) -> bot_schemas.Added:
    """Add a bot that connects with the token of this answer, or one that listens at an address."""
    if body.source == bots.ENDPOINT:
        if body.address is None:
            raise Refusal("address_invalid", "address: an endpoint needs one, HOST:PORT", field="address")
        added = bots.add_endpoint(
            store,
            actor,
            game_id,
            body.name,
            body.address,
            body.secret,
            private=rules.private_endpoints,
            most=rules.bots_per_author,
        )
        return bot_schemas.Added(
            game=added.game, bot=added.bot, source=added.source, token_id=None, token=None
        )
    for field in ("address", "secret"):
        if getattr(body, field) is not None:
            raise Refusal(f"{field}_invalid", f"{field}: only an endpoint has one; leave it out", field=field)
    return _added(bots.add_dial_in(store, actor, game_id, body.name, most=rules.bots_per_author))


@router.post(
    "/{game_id}/{name}/token",
    status_code=201,
    summary="Make a new token for a dial-in bot",
    responses=answers(401, 403, 404, 409, 422, 429),
)
def renew_bot_token(store: TheStore, actor: Author, game_id: GameId, name: Name) -> bot_schemas.Added:
    """Make a token; the one that the bot had counts no longer."""
    return _added(bots.renew_token(store, actor, game_id, name))


@router.delete(
    "/{game_id}/{name}/token",
    status_code=204,
    summary="Revoke a dial-in bot's token",
    responses=answers(401, 403, 404, 409, 422, 429),
)
def revoke_bot_token(store: TheStore, actor: Author, game_id: GameId, name: Name) -> None:
    """Revoke a bot's token: it is disconnected, and rejected from then on."""
    bots.revoke_token(store, actor, game_id, name)


@router.get(
    "/{game_id}/{name}/versions",
    summary="List the versions of one's own bot",
    responses=answers(401, 403, 404, 422, 429),
)
def list_versions(
    store: TheStore, actor: Reader, paging: ThePaging, game_id: GameId, name: Name
) -> Listed[VersionRow]:
    """List them, the newest first, with the reason why one failed its qualification."""
    return paging.answer(partial(listed, submissions.versions(store, actor, game_id, name)))


@router.get(
    "/{game_id}/{name}/connection",
    summary="Show how one's own bot is connected",
    responses=answers(401, 403, 404, 422, 429),
)
def show_connection(
    store: TheStore, queue: TheQueue, actor: Reader, game_id: GameId, name: Name
) -> ConnectionStatus:
    """Return whether a bot that dials in is there now, where bots reach the arena, and at which address an endpoint listens."""
    return connection_status(queue, author_overview.reached(store, actor, game_id, name))


@router.get(
    "/{game_id}/{name}/entries",
    summary="List what one's own bot is entered in",
    responses=answers(401, 403, 404, 422, 429),
)
def list_entries(
    store: TheStore, actor: Reader, paging: ThePaging, game_id: GameId, name: Name
) -> Listed[OwnEntry]:
    """List the tournaments that are open for entries, then those that the bot is in, the newest first."""
    return paging.answer(partial(listed, author_overview.entered(store, actor, game_id, name)))


@router.get(
    "/{game_id}/{name}/upload",
    summary="Download what one has uploaded",
    response_class=Response,
    responses={
        200: {
            "description": "The file, or a zip of the files",
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        },
        **answers(401, 403, 404, 410, 422, 429),
    },
)
def download_upload(store: TheStore, actor: Reader, game_id: GameId, name: Name) -> Response:
    """Return the upload that the newest version was made of, or the one that is named: it can be sent again as it is."""
    found = stored_uploads.of_version(store, actor, game_id, name)
    return attached(found.filename, found.data)


@router.post(
    "/{game_id}/{name}/withdraw",
    summary="Withdraw a version",
    responses=answers(401, 403, 404, 409, 422, 429),
)
def withdraw_version(store: TheStore, actor: Author, game_id: GameId, name: Name) -> VersionRow:
    """Take the active version, or the one that is named, out of what can be entered."""
    return submissions.withdraw(store, actor, game_id, name)


@router.post(
    "/{game_id}/{name}/restore",
    summary="Restore a version",
    responses=answers(401, 403, 404, 409, 410, 422, 429, 503),
)
def restore_version(
    store: TheStore, actor: Author, rules: TheRules, game_id: GameId, name: Name
) -> VersionRow:
    """Make the newest version, or the one that is named, the active one; one that has not qualified is tried again."""
    return submissions.restore(
        store, actor, game_id, name, most=rules.submissions_per_day, most_bots=rules.bots_per_author
    )


@router.post(
    "/{game_id}/{name}/challenges",
    status_code=201,
    summary="Challenge other bots",
    responses=answers(401, 403, 404, 409, 410, 422, 429),
)
def challenge(
    body: bot_schemas.ChallengeRequest,
    *,
    store: TheStore,
    actor: Author,
    rules: TheRules,
    game_id: GameId,
    name: Name,
) -> bot_schemas.Challenge:
    """Play one of your bots in an unrated set against others."""
    number = challenges.challenge(store, actor, game_id, name, body.others, most=rules.challenges_per_day)
    return bot_schemas.Challenge(tournament=number)


@router.get(
    "/{game_id}/{name}/logs",
    summary="List the last matches of one's own bot",
    responses=answers(401, 403, 404, 422, 429),
)
def list_logs(
    store: TheStore,
    actor: Reader,
    paging: ThePagingByCursor,
    game_id: GameId,
    name: Name,
) -> Listed[LogRow]:
    """List them, the newest first: how they ended, how long it thought, how much it printed."""
    rows = bot_logs.recent(store, actor, game_id, name, bot_logs.MAX_ROWS)
    return paging.answer(partial(listed, rows), most=paging.limit or 20)


@router.get(
    "/{game_id}/{name}/logs/{match_id}",
    summary="Show what one's own bot printed in a match",
    responses=answers(401, 403, 404, 422, 429),
)
def show_log(
    store: TheStore,
    actor: Reader,
    game_id: GameId,
    name: Name,
    match_id: Annotated[str, Path(max_length=80, description="The match's id.")],
    paging: ThePaging,
) -> Listed[MatchLog]:
    """Return what it printed and its timings, once for each seat that it had."""
    return paging.answer(partial(listed, bot_logs.of_match(store, actor, game_id, name, match_id)))


@router.get(
    "/{game_id}/{name}/notes",
    summary="Show who may read one's own bot's notes",
    responses=answers(401, 403, 404, 422, 429),
)
def show_note_visibility(
    store: TheStore, actor: Reader, game_id: GameId, name: Name
) -> bot_schemas.NoteVisibility:
    """Return whether everybody may read what the bot notes beside its answers, once a match is open."""
    public = note_visibility.are_public(store, actor, game_id, name)
    return bot_schemas.NoteVisibility(public=public)


@router.put(
    "/{game_id}/{name}/notes",
    summary="Set who may read one's own bot's notes",
    responses=answers(401, 403, 404, 422, 429),
)
def set_note_visibility(
    body: bot_schemas.NoteVisibility, store: TheStore, actor: Author, game_id: GameId, name: Name
) -> bot_schemas.NoteVisibility:
    """Let everybody read what the bot notes, in matches that were played before as well, or its owner alone."""
    public = note_visibility.set_public(store, actor, game_id, name, public=body.public)
    return bot_schemas.NoteVisibility(public=public)


def _submit(
    store: TheStore,
    actor: Actor,
    rules: Rules,
    file: IO[bytes],
    filename: str,
    game: str | None,
    name: str | None,
) -> tuple[VersionRow, ...]:
    upload = read_upload(file.read(), filename, game=game, name=name)
    return submissions.submit(
        store,
        actor,
        upload,
        allowed=rules.packages,
        most=rules.submissions_per_day,
        most_bots=rules.bots_per_author,
        most_mib=rules.upload_mib_per_author,
        kinds=rules.kinds,
        weights=rules.weights,
    )


def _bot(row: BotVersion) -> bot_schemas.Bot:
    return bot_schemas.Bot(
        game=row.game,
        bot=row.bot,
        version=row.version,
        source=row.source,
        state=row.state,
        owner=row.owner,
        verified=row.source == HOSTED,
        declared=row.declared,
        plays=dict(row.tables.of_game(row.game)),
        suspended_in={variant: each.reason for variant, each in row.suspended_in.items()},
    )


def _added(made: bots.NewToken) -> bot_schemas.Added:
    return bot_schemas.Added(
        game=made.game, bot=made.bot, source=bots.DIAL_IN, token_id=made.token_id, token=made.token
    )
