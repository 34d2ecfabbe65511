"""Authentication of API requests: a program by its token, a browser by its cookie and its own origin.

A route names what it needs: `actor: ApiActor` (any signed-in user), or `actor: Annotated[Actor, requires("bots")]`.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from arena.accounts import sessions, tokens
from arena.accounts.actors import Actor
from arena.core.errors import Refusal, RefusalKind
from arena.core.settings import Registration
from arena.core.translatable import say
from arena.web.auth import auth_cookies
from arena.web.http.app_services import service
from arena.web.http.path_parameters import TheStore
from arena.web.http.rate_limits import REQUESTS, UNKNOWN_CREDENTIALS, TheAddress, TheRates

COOKIE = "arena_session"
CSRF_HEADER = "X-CSRF-Token"
_READS = frozenset({"GET", "HEAD", "OPTIONS"})

_bearer = HTTPBearer(auto_error=False, description="`Authorization: Bearer TOKEN`, an API token.")


class _SessionCookie(APIKeyCookie):
    """The session's cookie, under its name in the scheme of the request."""

    async def __call__(self, request: HTTPConnection) -> str | None:
        return auth_cookies.read(request, self.model.name)


_cookie = _SessionCookie(
    name=COOKIE,
    auto_error=False,
    description="A browser's session; see `login`.  Over HTTPS its name is `__Host-arena_session`.",
)


@dataclass(frozen=True, slots=True)
class Access:
    """The rules for signing in: the secret that keys are derived from, who may register, and the limits per address."""

    secret: bytes
    registration: Registration
    registrations_per_hour: int = 10
    failed_sign_ins: int = 100


TheAccess = Annotated[Access, Depends(service(Access))]
Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
Cookie = Annotated[str | None, Depends(_cookie)]


async def _actor(
    request: Request,
    *,
    store: TheStore,
    access: TheAccess,
    rates: TheRates,
    address: TheAddress,
    bearer: Bearer,
    cookie: Cookie,
) -> Actor:
    """Find out who asks; a token goes before a cookie.  Raises Refusal."""
    if bearer is not None:
        try:
            actor = await run_in_threadpool(tokens.identify, store, bearer.credentials)
        except Refusal:
            await rates.take_from(UNKNOWN_CREDENTIALS, address)
            raise
    elif cookie is not None:
        actor = await run_in_threadpool(sessions.identify, store, access.secret, cookie)
        _check_csrf(request, access, cookie)
    else:
        raise Refusal(
            "not_signed_in",
            say("token: is missing; sign in first"),
            kind=RefusalKind.NOT_SIGNED_IN,
        )
    await rates.take(REQUESTS, str(actor.user_id))
    return actor


ApiActor = Annotated[Actor, Depends(_actor)]


async def _reader(
    request: Request,
    *,
    store: TheStore,
    access: TheAccess,
    rates: TheRates,
    address: TheAddress,
    bearer: Bearer,
    cookie: Cookie,
) -> Actor | None:
    """Return the user of a request for public data, since some may read more; None without a valid session.

    Raises Refusal for an invalid token.
    """
    if bearer is None and cookie is None:
        return None
    try:
        actor = await _actor(
            request,
            store=store,
            access=access,
            rates=rates,
            address=address,
            bearer=bearer,
            cookie=cookie,
        )
    except Refusal as refusal:
        if bearer is not None or refusal.kind is not RefusalKind.NOT_SIGNED_IN:
            raise
        return None
    return actor if "read" in actor.scopes else None


ApiReader = Annotated[Actor | None, Depends(_reader)]
"""The signed-in user with the scope `read`; None for other visitors."""


def require_scope(scope: str) -> Any:  # noqa: ANN401 - as FastAPI's own Depends
    """Return a dependency on an Actor whose credentials have the scope."""

    async def actor_with_scope(actor: ApiActor) -> Actor:
        actor.require(scope)
        return actor

    return Depends(actor_with_scope)


def check_origin(request: Request) -> None:
    """Refuse a write that a page of another site makes a browser send.  Raises Refusal.

    As Go's net/http.CrossOriginProtection: `Sec-Fetch-Site` says it, in older browsers `Origin` does; programs send
    neither.  A token is no browser's.
    """
    if request.method in _READS or "authorization" in request.headers:
        return
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        ours = site in {"same-origin", "none"}
    else:
        ours = origin is None or urlsplit(origin).netloc == request.headers.get("host")
    if not ours:
        raise Refusal("cross_site", say("request: comes from another site"), kind=RefusalKind.FORBIDDEN)


def _check_csrf(request: Request, access: Access, cookie: str) -> None:
    if request.method in _READS:
        return
    shown = request.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(shown.encode(), sessions.csrf_token(access.secret, cookie).encode()):
        raise Refusal(
            "csrf_missing",
            say(
                "{csrf_header}: must be the session's `csrf`, which `login` and `me` give",
                csrf_header=CSRF_HEADER,
            ),
            field=CSRF_HEADER,
            kind=RefusalKind.FORBIDDEN,
        )
