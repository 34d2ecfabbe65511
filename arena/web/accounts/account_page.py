"""One's own account: bots, quotas, password, API tokens, browsers that are signed in."""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from starlette.concurrency import run_in_threadpool

from arena.accounts import passwords, sessions, token_expiry, tokens, users
from arena.accounts.actors import Actor
from arena.accounts.tokens import NewApiToken
from arena.competition.qualification.submissions import Rules
from arena.core.errors import Refusal
from arena.core.translatable import say
from arena.reports import author_overview
from arena.storage import Store
from arena.web.auth import auth_cookies, sign_in_attempts
from arena.web.auth.api_auth import COOKIE, Access, Cookie, TheAccess
from arena.web.auth.arena_access import UserPageArena
from arena.web.auth.page_auth import SignedInViewer, see_other
from arena.web.auth.password_pool import TheHashing
from arena.web.http.app_services import service_of
from arena.web.http.path_parameters import TheStore
from arena.web.http.rate_limits import TheAddress, TheRates
from arena.web.ui.form_state import Refused, Text, answer, remember_device
from arena.web.ui.game_titles import TITLES
from arena.web.ui.languages import mark

SCOPES = {
    "read": mark("read your logs and lists"),
    "bots": mark("submit bots, manage your bots and tokens, challenge"),
    "tournaments": mark("create and manage tournaments"),
    "admin": mark("users and the audit log"),
}
"""A description of each scope of a token, for its owner."""
_MAX_SCOPES = 10
LIFETIMES = {
    "7d": mark("in 7 days"),
    "30d": mark("in 30 days"),
    "90d": mark("in 90 days"),
    "365d": mark("in a year"),
    "never": mark("never"),
}
"""When a token expires, as the form offers it."""

router = APIRouter(include_in_schema=False)


@router.get("/account")
def show(request: Request, store: TheStore, actor: SignedInViewer) -> Response:
    """Show one's account."""
    return _page(request, store, actor)


@router.post("/account/password")
async def change_password(
    request: Request,
    *,
    store: TheStore,
    access: TheAccess,
    rates: TheRates,
    address: TheAddress,
    hashing: TheHashing,
    actor: SignedInViewer,
    cookie: Cookie,
    old: Text = "",
    password: Text = "",
    revoke_tokens: Text = "",
) -> Response:
    """Change the password, sign all other browsers out, and revoke all tokens, if that is wanted."""
    try:
        await sign_in_attempts.check_change(rates, address, actor)
        work = partial(
            sessions.change_password,
            store,
            access.secret,
            actor,
            old=old,
            new=password,
            cookie=cookie,
            revoke_tokens=revoke_tokens == "yes",
        )
        device = await hashing.run(work)
    except Refusal as refusal:
        refused = Refused.of("password", refusal, revoke_tokens=revoke_tokens)
        return await run_in_threadpool(_page, request, store, actor, refused)
    done = "password-and-tokens" if revoke_tokens == "yes" else "password"
    response = see_other(f"/account?done={done}#password")
    remember_device(request, response, device)
    return response


@router.post("/account/tokens")
def create_token(
    request: Request,
    *,
    store: TheStore,
    arena: UserPageArena,
    label: Text = "",
    scopes: Annotated[tuple[str, ...], Form(max_length=_MAX_SCOPES)] = (),
    expires: Text = token_expiry.STANDARD,
) -> Response:
    """Make a token; this answer is the only place where it can be read."""
    try:
        made = arena.accounts.create_token(label=label, scopes=_some(scopes), expires=expires)
    except Refusal as refusal:
        refused = Refused.of("token", refusal, label=label, scopes=" ".join(scopes), expires=expires)
        return _page(request, store, arena.actor, refused)
    return _page(request, store, arena.actor, made=made)


@router.post("/account/tokens/revoke")
def revoke_token(arena: UserPageArena, token_id: Text = "") -> Response:
    """Revoke a token: the next request with it is refused."""
    arena.accounts.revoke_token(token_id)
    return see_other("/account?done=revoked#tokens")


@router.post("/account/sessions/end")
def end_session(arena: UserPageArena, session_id: Text = "") -> Response:
    """Sign another browser of one's own out."""
    arena.accounts.end_session(session_id)
    return see_other("/account?done=ended#sessions")


def _some(scopes: tuple[str, ...]) -> tuple[str, ...]:
    """Take no choice for none: to the API, no scopes are all of one's own.  Raises Refusal."""
    if not scopes:
        raise Refusal("scope_missing", say("scopes: none is chosen; choose one at least"), field="scopes")
    return scopes


def _page(
    request: Request,
    store: Store,
    actor: Actor,
    refused: Refused | None = None,
    made: NewApiToken | None = None,
) -> Response:
    access = service_of(request.app, Access)
    return answer(
        request,
        "account.html",
        refused,
        once=made is not None,
        actor=actor,
        user=users.show(store, actor.user_id),
        bots=author_overview.bots_of(store, actor),
        titles=TITLES,
        quotas=author_overview.quotas(store, actor, service_of(request.app, Rules)),
        tokens=tokens.listing(store, actor),
        most_tokens=tokens.MAX_TOKENS,
        lifetimes=[(code, say(words)) for code, words in LIFETIMES.items()],
        standard_lifetime=token_expiry.STANDARD,
        now=time.time(),
        scopes=[(scope, SCOPES[scope]) for scope in SCOPES if scope in actor.scopes],
        sessions=sessions.listing(store, access.secret, actor, auth_cookies.read(request, COOKIE)),
        shortest=passwords.SHORTEST,
        made=made,
        done=request.query_params.get("done", ""),
    )
