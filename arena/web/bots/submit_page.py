"""Submitting a bot: an upload that the arena runs, or one that runs elsewhere."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from arena.bot_registry import hosted_offer
from arena.bundle_format import zip_archive
from arena.competition.qualification.submissions import Rules, VersionRow
from arena.core.errors import Refusal, UsageError
from arena.core.translatable import say
from arena.devtools import starters
from arena.games import registry
from arena.service.local_arena import LocalArena
from arena.service.requests import Addition
from arena.web.auth.arena_access import UploadArena, UserPageArena
from arena.web.auth.page_auth import SignedInViewer, check_form, see_other
from arena.web.bots import own_bot_page
from arena.web.bots.own_bot_page import OwnBot
from arena.web.bots.sdk_downloads import attached
from arena.web.http.app_services import service_of
from arena.web.http.path_parameters import GameId, TheStore
from arena.web.ui.form_state import Refused, Text, answer
from arena.web.ui.game_titles import TITLES
from arena.web.uploads.upload_places import TheUploads
from arena.web.uploads.upload_stream import SentForm, received_form

_MAX_STEM_CHARS = 36
"""Characters of a user's name in that of a first bot: with `-bot` it may have 40."""

router = APIRouter(include_in_schema=False)


@router.get("/submit")
def show(request: Request, arena: UserPageArena) -> Response:
    """Show the forms."""
    return _page(request, arena)


@router.post("/submit")
async def upload(request: Request, arena: UploadArena, under_way: TheUploads) -> Response:
    """Take an upload; its page shows how it qualifies."""
    fields: dict[str, str] = {}
    try:
        await run_in_threadpool(arena.bots.check_submission)
        with under_way.bots.take(arena.actor) as place:
            async with received_form(request, place) as sent:
                check_form(request, sent.fields.get("csrf", ""))
                fields = {name: sent.fields.get(name, "").strip() for name in ("game", "name")}
                row = await under_way.run(partial(_submit, arena, sent))
    except UsageError as error:
        if isinstance(error, Refusal) and error.code == "csrf_missing":
            raise
        refused = Refused.of("upload", error, **fields)
        return await run_in_threadpool(_page, request, arena, _beside(refused))
    return see_other(own_bot_page.address(row.game, row.bot))


@router.post("/submit/dial-in")
def add_dial_in(
    request: Request, store: TheStore, arena: UserPageArena, game: Text = "", name: Text = ""
) -> Response:
    """Add a bot that connects by itself; this answer is the only place where its token can be read."""
    try:
        made = arena.bots.add(game, Addition(name, "dial_in"))
    except UsageError as error:
        return _page(request, arena, Refused.of("dial-in", error, game=game, name=name))
    return OwnBot(request, store, arena, made.game, made.bot).page(made=made)


@router.post("/submit/endpoint")
def add_endpoint(
    request: Request,
    *,
    arena: UserPageArena,
    game: Text = "",
    name: Text = "",
    address: Text = "",
    secret: Text = "",
) -> Response:
    """Add a bot that listens."""
    try:
        arena.bots.add(game, Addition(name, "endpoint", address.strip(), secret or None))
    except UsageError as error:
        return _page(request, arena, Refused.of("endpoint", error, game=game, name=name, address=address))
    return see_other(own_bot_page.address(game, name))


@router.get("/submit/starters/{game_id}.zip")
def starter(actor: SignedInViewer, game_id: GameId) -> Response:
    """Return a first bot that plays at once, to be made better and uploaded."""
    name = f"{actor.name[:_MAX_STEM_CHARS]}-bot"
    return attached(f"{name}-{game_id}.zip", starters.packed(name, game_id))


def _submit(arena: LocalArena, sent: SentForm) -> VersionRow:
    if not sent.filename:
        raise Refusal(
            "upload_missing", say("upload: no file chosen; choose a .py file or a zip"), field="upload"
        )
    game, name = (sent.fields.get(each, "").strip() or None for each in ("game", "name"))
    return arena.bots.submit(sent.read(), filename=sent.filename, game=game, name=name)[0]


def _beside(refused: Refused) -> Refused:
    """Show an error of an upload's content at its file field."""
    if refused.field in {"", "game", "name"}:
        return refused
    return Refused(refused.form, "upload", refused.message, refused.status, refused.retry_s, refused.values)


def _page(request: Request, arena: LocalArena, refused: Refused | None = None) -> Response:
    rules = service_of(request.app, Rules)
    return answer(
        request,
        "submit.html",
        refused,
        games=list(TITLES.items()),
        packages=hosted_offer.packages(rules.packages),
        offered=hosted_offer.programs(rules.kinds),
        weights_mib=rules.weights.upload_mib,
        private=rules.private_endpoints,
        most_bytes=zip_archive.MAX_BYTES,
        most_files=zip_archive.MAX_FILES,
        quota=arena.accounts.show_quotas().qualification,
        first=f"{arena.actor.name[:_MAX_STEM_CHARS]}-bot",
        example=next(iter(registry.GAMES)),
    )
