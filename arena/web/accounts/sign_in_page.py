"""Signing in, by password, by token or by a link, and signing out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from arena.accounts import sessions, sign_in_links
from arena.accounts.sessions import NewSession
from arena.core.errors import Refusal
from arena.core.translatable import mark
from arena.web.auth import auth_cookies, sign_in_attempts
from arena.web.auth.api_auth import COOKIE, Cookie, TheAccess, check_origin
from arena.web.auth.page_auth import SignedInViewer, inside, see_other, viewer_of
from arena.web.auth.password_pool import TheHashing
from arena.web.http.path_parameters import TheStore
from arena.web.http.rate_limits import UNKNOWN_CREDENTIALS, TheAddress, TheRates
from arena.web.ui.form_state import Refused, Text, answer, hand_over

_MAX_CODE_CHARS = 200
_REASONS = {
    "/submit": mark("Sign in to submit a bot"),
    "/account/bots/": mark("Sign in to manage your bot"),
    "/account": mark("Sign in to see your account"),
    "/organise": mark("Sign in to organise a tournament"),
    "/admin": mark("Sign in as an admin"),
    "/design": mark("Sign in as an admin"),
}
"""Beginning of the address that one comes from → why one has to sign in; the longest that fits counts."""

router = APIRouter(include_in_schema=False)

Next = Annotated[str, Query(alias="next", max_length=2000)]


@router.get("/sign-in")
def show(request: Request, access: TheAccess, then: Next = "/") -> Response:
    """Show the form; a user who is signed in already is redirected."""
    if viewer_of(request) is not None:
        return see_other(inside(then))
    return _page(request, access.registration, then)


@router.post("/sign-in", dependencies=[Depends(check_origin)])
async def sign_in(
    request: Request,
    *,
    access: TheAccess,
    rates: TheRates,
    address: TheAddress,
    hashing: TheHashing,
    name: Text = "",
    password: Text = "",
    then: Text = "/",
) -> Response:
    """Begin a session by name and password."""
    try:
        begun = await sign_in_attempts.begin_by_password(
            request, rates, hashing, address=address, name=name, password=password
        )
    except Refusal as refusal:
        refused = Refused.of("password", refusal, name=name)
        return await run_in_threadpool(_page, request, access.registration, then, refused)
    return _begun(request, begun, then)


@router.post("/sign-in/token", dependencies=[Depends(check_origin)])
async def sign_in_by_token(
    request: Request,
    *,
    store: TheStore,
    access: TheAccess,
    rates: TheRates,
    address: TheAddress,
    token: Text = "",
    then: Text = "/",
) -> Response:
    """Begin a session by a token that allows all: the admin of a new arena has no password."""
    try:
        try:
            begun = await run_in_threadpool(sessions.begin_by_token, store, access.secret, token.strip())
        except Refusal:
            await rates.take_from(UNKNOWN_CREDENTIALS, address)
            raise
    except Refusal as refusal:
        refused = Refused.of("token", refusal)
        return await run_in_threadpool(_page, request, access.registration, then, refused)
    return _begun(request, begun, then)


@router.get(sign_in_links.PATH)
def show_link(request: Request, code: str = "") -> Response:
    """Show who can sign in by a link; nothing is used up by opening it, as programs that look at links do."""
    return answer(request, "sign_in_link.html", None, once=True, code=code[:_MAX_CODE_CHARS])


@router.post(sign_in_links.PATH, dependencies=[Depends(check_origin)])
async def sign_in_by_link(
    request: Request,
    *,
    store: TheStore,
    access: TheAccess,
    rates: TheRates,
    address: TheAddress,
    code: Text = "",
) -> Response:
    """Begin a session by a link, and lead to where a password can be set."""
    try:
        begun = await sign_in_attempts.begin_by_link(rates, address, store, access.secret, code)
    except Refusal as refusal:
        refused = Refused.of("link", refusal)
        return await run_in_threadpool(answer, request, "sign_in_link.html", refused, code="")
    return _begun(request, begun, "/account")


@router.post("/sign-out")
def sign_out(
    request: Request, store: TheStore, access: TheAccess, actor: SignedInViewer, cookie: Cookie
) -> Response:
    """End the session of this browser."""
    if cookie is not None:
        sessions.end(store, access.secret, actor, cookie)
    response = see_other("/")
    auth_cookies.delete(request, response, COOKIE)
    return response


def _page(request: Request, mode: str, then: str, refused: Refused | None = None) -> Response:
    then = inside(then)
    return answer(request, "sign_in.html", refused, mode=mode, then=then, heading=_heading(then))


def _heading(then: str) -> str:
    """Say why one has to sign in, by the page that one comes from."""
    found = [place for place in _REASONS if then.startswith(place)]
    return _REASONS[max(found, key=len)] if found else mark("Sign in")


def _begun(request: Request, begun: NewSession, then: str) -> Response:
    response = see_other(inside(then))
    hand_over(request, response, begun)
    return response
