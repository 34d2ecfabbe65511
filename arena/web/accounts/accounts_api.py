"""One's own account: registering, signing in and out, tokens."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Request, Response
from starlette.concurrency import run_in_threadpool

from arena.accounts import invitations, sessions
from arena.accounts.actors import Actor
from arena.accounts.sessions import SessionRow
from arena.accounts.tokens import NewApiToken, TokenRow
from arena.accounts.users import UserRow
from arena.reports.author_overview import OwnBot, Quotas
from arena.service.composed_answers import Me
from arena.service.paging import listed
from arena.web.accounts import account_schemas
from arena.web.auth import auth_cookies, sign_in_attempts
from arena.web.auth.api_auth import COOKIE, ApiActor, Cookie, TheAccess, require_scope
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import AuthorArena, ReaderArena, UserArena
from arena.web.auth.password_pool import TheHashing
from arena.web.http.list_answers import Listed, ThePaging
from arena.web.http.path_parameters import TheStore
from arena.web.http.problems import answers
from arena.web.http.rate_limits import TheAddress, TheRates
from arena.web.ui.form_state import hand_over, remember_device


def keep_nowhere(response: Response) -> None:
    """Forbid caches to keep an answer that is for one person."""
    response.headers["Cache-Control"] = "no-store"


router = api_router(tags=["account"], dependencies=[Depends(keep_nowhere)])


@router.post(
    "/register",
    status_code=201,
    summary="Create an account",
    responses=answers(403, 409, 422, 429, 503),
)
async def register(
    body: account_schemas.Registration,
    request: Request,
    *,
    store: TheStore,
    access: TheAccess,
    rates: TheRates,
    address: TheAddress,
    hashing: TheHashing,
) -> UserRow:
    """Create an account for yourself, if registration is open or you have an invitation."""
    await sign_in_attempts.check_registration(request, rates, address, body.invitation)
    mode = access.registration
    work = partial(invitations.register, store, mode, body.name, body.password, body.invitation)
    return await hashing.run(work)


@router.post(
    "/login",
    summary="Sign a browser in",
    responses=answers(401, 422, 429, 503),
)
async def login(
    body: account_schemas.Login,
    request: Request,
    response: Response,
    *,
    access: TheAccess,
    rates: TheRates,
    address: TheAddress,
    hashing: TheHashing,
) -> Me:
    """Begin a session.  Its cookie lasts two weeks; each write must send `csrf` as X-CSRF-Token."""
    begun = await sign_in_attempts.begin_by_password(
        request, rates, hashing, address=address, name=body.name, password=body.password
    )
    hand_over(request, response, begun)
    return Me.of(begun.actor, sessions.csrf_token(access.secret, begun.cookie))


@router.post(
    "/login/link",
    summary="Sign a browser in by a link",
    responses=answers(401, 403, 422, 429, 503),
)
async def login_by_link(
    body: account_schemas.LinkLogin,
    request: Request,
    response: Response,
    *,
    store: TheStore,
    access: TheAccess,
    rates: TheRates,
    address: TheAddress,
) -> Me:
    """Begin a session by the code of a sign-in link, which works once."""
    begun = await sign_in_attempts.begin_by_link(rates, address, store, access.secret, body.code)
    hand_over(request, response, begun)
    return Me.of(begun.actor, sessions.csrf_token(access.secret, begun.cookie))


@router.post("/logout", status_code=204, summary="Sign a browser out", responses=answers(401, 403, 429))
async def logout(
    request: Request, store: TheStore, access: TheAccess, actor: ApiActor, cookie: Cookie, response: Response
) -> None:
    """End the session of the cookie."""
    if cookie is not None:
        await run_in_threadpool(sessions.end, store, access.secret, actor, cookie)
    auth_cookies.delete(request, response, COOKIE)


@router.get("/me", summary="Show the signed-in user", responses=answers(401, 429))
async def me(request: Request, access: TheAccess, arena: UserArena, cookie: Cookie) -> Me:
    """Return the signed-in user and the scopes of these credentials."""
    by_cookie = cookie is not None and "authorization" not in request.headers
    csrf = sessions.csrf_token(access.secret, cookie) if by_cookie and cookie else None
    return replace(arena.accounts.me(), csrf=csrf)


@router.put(
    "/me/password",
    status_code=204,
    summary="Change your password",
    responses=answers(401, 403, 422, 429, 503),
)
async def change_password(
    body: account_schemas.PasswordChange,
    request: Request,
    response: Response,
    *,
    store: TheStore,
    access: TheAccess,
    rates: TheRates,
    address: TheAddress,
    actor: ApiActor,
    cookie: Cookie,
    hashing: TheHashing,
) -> None:
    """Change your password and end your other sessions; `revoke_tokens` revokes all your tokens too, including the one of this request."""
    await sign_in_attempts.check_change(rates, address, actor)
    work = partial(
        sessions.change_password,
        store,
        access.secret,
        actor,
        old=body.old,
        new=body.new,
        cookie=cookie,
        revoke_tokens=body.revoke_tokens,
    )
    device = await hashing.run(work)
    if cookie is not None:
        remember_device(request, response, device)


@router.get(
    "/me/bots",
    summary="List your bots",
    responses=answers(401, 403, 422, 429),
)
def list_own_bots(arena: ReaderArena, paging: ThePaging) -> Listed[OwnBot]:
    """List your bots by game and name, each with its newest version and the one that can be entered."""
    return paging.answer(arena.accounts.list_own_bots)


@router.get(
    "/me/quotas",
    summary="Show your quotas",
    responses=answers(401, 403, 429),
)
def show_quotas(arena: ReaderArena) -> Quotas:
    """Return the numbers of qualifications, challenges and comparisons that you have begun in the last 24 hours, and their maximums."""
    return arena.accounts.show_quotas()


@router.get(
    "/sessions",
    summary="List your sessions",
    responses=answers(401, 403, 422, 429),
)
def list_sessions(
    store: TheStore,
    access: TheAccess,
    cookie: Cookie,
    paging: ThePaging,
    actor: Annotated[Actor, require_scope("read")],
) -> Listed[SessionRow]:
    """List one's own, the newest first."""
    return paging.answer(partial(listed, sessions.listing(store, access.secret, actor, cookie)))


@router.delete(
    "/sessions/{session_id}",
    status_code=204,
    summary="End a session",
    responses=answers(401, 403, 404, 422, 429),
)
def end_session(
    arena: AuthorArena,
    session_id: Annotated[str, Path(max_length=80, description="The session's public id.")],
) -> None:
    """End one of your sessions."""
    arena.accounts.end_session(session_id)


@router.get("/tokens", summary="List your tokens", responses=answers(401, 403, 422, 429))
def list_tokens(arena: ReaderArena, paging: ThePaging) -> Listed[TokenRow]:
    """List your tokens, the oldest first; the secrets are not stored."""
    return paging.answer(arena.accounts.list_tokens)


@router.post("/tokens", status_code=201, summary="Create a token", responses=answers(401, 403, 409, 422, 429))
def create_token(body: account_schemas.TokenRequest, arena: AuthorArena) -> NewApiToken:
    """Create a token with some of your scopes.  It is shown only in this answer."""
    return arena.accounts.create_token(label=body.label, scopes=body.scopes, expires=body.expires)


@router.delete(
    "/tokens/{token_id}",
    status_code=204,
    summary="Revoke a token",
    responses=answers(401, 403, 404, 422, 429),
)
def revoke_token(
    arena: AuthorArena,
    token_id: Annotated[str, Path(max_length=80, description="The token's public id.")],
) -> None:
    """Revoke one of your tokens (an admin: any token): the next request with it is refused."""
    arena.accounts.revoke_token(token_id)
