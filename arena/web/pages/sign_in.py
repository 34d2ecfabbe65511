"""Signing in, by password or by token, and signing out."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from arena.errors import Refusal
from arena.services import sessions
from arena.services.sessions import NewSession
from arena.web.forms import Refused, Text, answer, hand_over
from arena.web.hashing import TheHashing
from arena.web.identity import COOKIE, Cookie, TheAccess, check_origin
from arena.web.parameters import TheStore
from arena.web.rates import (
    LOGIN_OF_ACCOUNT,
    LOGIN_OF_ADDRESS,
    UNKNOWN_CREDENTIALS,
    TheAddress,
    TheRates,
)
from arena.web.viewer import TheSignedIn, inside, see_other, viewer_of

router = APIRouter(include_in_schema=False)

Next = Annotated[str, Query(alias="next", max_length=2000)]


@router.get("/sign-in")
def show(request: Request, access: TheAccess, then: Next = "/") -> Response:
    """Show the form; whoever is signed in already is sent on."""
    if viewer_of(request) is not None:
        return see_other(inside(then))
    return _page(request, access.registration, then)


@router.post("/sign-in", dependencies=[Depends(check_origin)])
async def sign_in(
    request: Request,
    *,
    store: TheStore,
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
        await rates.take(LOGIN_OF_ADDRESS, address)
        await rates.take(LOGIN_OF_ACCOUNT, name)
        begun = await hashing.run(partial(sessions.begin, store, access.secret, name, password))
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
            await rates.take(UNKNOWN_CREDENTIALS, address)
            raise
    except Refusal as refusal:
        refused = Refused.of("token", refusal)
        return await run_in_threadpool(_page, request, access.registration, then, refused)
    return _begun(request, begun, then)


@router.post("/sign-out")
def sign_out(store: TheStore, access: TheAccess, actor: TheSignedIn, cookie: Cookie) -> Response:
    """End the session of this browser."""
    if cookie is not None:
        sessions.end(store, access.secret, actor, cookie)
    response = see_other("/")
    response.delete_cookie(COOKIE)
    return response


def _page(request: Request, mode: str, then: str, refused: Refused | None = None) -> Response:
    return answer(request, "sign_in.html", refused, mode=mode, then=inside(then))


def _begun(request: Request, begun: NewSession, then: str) -> Response:
    response = see_other(inside(then))
    hand_over(request, response, begun.cookie)
    return response
