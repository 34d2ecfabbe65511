"""One's own account: bots, quotas, password, API tokens, browsers that are signed in."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from starlette.concurrency import run_in_threadpool

from arena.errors import Refusal
from arena.services import accounts, authors, passwords, sessions, tokens
from arena.services.accounts import Actor
from arena.services.tokens import NewApiToken
from arena.store import Store
from arena.web.catalogue import TITLES
from arena.web.forms import Refused, Text, answer
from arena.web.hashing import TheHashing
from arena.web.identity import COOKIE, Cookie, TheAccess
from arena.web.languages import mark
from arena.web.parameters import TheStore
from arena.web.rates import LOGIN_OF_ACCOUNT, TheRates
from arena.web.viewer import TheSignedIn, see_other
from arena.wording import say

SCOPES = {
    "read": mark("read your logs and lists"),
    "bots": mark("submit bots, manage your bots and tokens, challenge"),
    "tournaments": mark("create and direct tournaments"),
    "admin": mark("users and the audit log"),
}
"""What each scope of a token opens, in words for its owner."""
_MOST_SCOPES = 10

router = APIRouter(include_in_schema=False)


@router.get("/account")
def show(request: Request, store: TheStore, actor: TheSignedIn) -> Response:
    """Show one's account."""
    return _page(request, store, actor)


@router.post("/account/password")
async def change_password(
    request: Request,
    *,
    store: TheStore,
    access: TheAccess,
    rates: TheRates,
    hashing: TheHashing,
    actor: TheSignedIn,
    cookie: Cookie,
    old: Text = "",
    password: Text = "",
) -> Response:
    """Change the password, and sign all other browsers out."""
    try:
        await rates.take(LOGIN_OF_ACCOUNT, actor.name)
        work = partial(
            sessions.change_password, store, access.secret, actor, old=old, new=password, cookie=cookie
        )
        await hashing.run(work)
    except Refusal as refusal:
        return await run_in_threadpool(_page, request, store, actor, Refused.of("password", refusal))
    return see_other("/account?done=password#password")


@router.post("/account/tokens")
def create_token(
    request: Request,
    *,
    store: TheStore,
    actor: TheSignedIn,
    label: Text = "",
    scopes: Annotated[tuple[str, ...], Form(max_length=_MOST_SCOPES)] = (),
) -> Response:
    """Make a token; this answer is the only place where it can be read."""
    try:
        made = tokens.create(store, actor, label, _some(scopes))
    except Refusal as refusal:
        refused = Refused.of("token", refusal, label=label, scopes=" ".join(scopes))
        return _page(request, store, actor, refused)
    return _page(request, store, actor, made=made)


@router.post("/account/tokens/revoke")
def revoke_token(store: TheStore, actor: TheSignedIn, token_id: Text = "") -> Response:
    """Revoke a token: the next request with it is refused."""
    tokens.revoke(store, actor, token_id)
    return see_other("/account?done=revoked#tokens")


@router.post("/account/sessions/end")
def end_session(store: TheStore, actor: TheSignedIn, session_id: Text = "") -> Response:
    """Sign another browser of one's own out."""
    sessions.end_one(store, actor, session_id)
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
    access = request.app.state.access
    return answer(
        request,
        "account.html",
        refused,
        once=made is not None,
        actor=actor,
        user=accounts.show(store, actor.user_id),
        bots=authors.bots_of(store, actor),
        titles=TITLES,
        quotas=authors.quotas(store, actor, request.app.state.rules),
        tokens=tokens.listing(store, actor),
        most_tokens=tokens.MOST_TOKENS,
        scopes=[(scope, SCOPES[scope]) for scope in SCOPES if scope in actor.scopes],
        sessions=sessions.listing(store, access.secret, actor, request.cookies.get(COOKIE)),
        shortest=passwords.SHORTEST,
        made=made,
        done=request.query_params.get("done", ""),
    )
