"""Authentication of page requests, and the check of forms.

    route                                                 allowed for
    def show(actor: SignedInViewer)                       signed-in users; others are sent to the sign-in page
    def show(actor: Annotated[Actor, permits("bots")])    users with the scope; others get the 403 page

Both also accept the POST of a form, if its hidden field `csrf` is the session's.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from arena.accounts import sessions
from arena.accounts.actors import Actor
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.storage import Store
from arena.web.auth import auth_cookies
from arena.web.auth.api_auth import COOKIE, Access, TheAccess, check_origin
from arena.web.http.app_services import service_of
from arena.web.http.path_parameters import TheStore
from arena.web.http.rate_limits import REQUESTS, TheRates

_READS = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True)
class Viewer:
    """A signed-in user as templates see it; `csrf` goes into each form's hidden field of that name."""

    user_id: int
    name: str
    role: str
    scopes: frozenset[str]
    csrf: str

    def may(self, scope: str) -> bool:
        """Return whether the viewer has a scope."""
        return scope in self.scopes


def viewer_of(request: Request) -> Viewer | None:
    """Return the signed-in viewer of a request, or None.  Asks the store once a request, if there is a cookie."""
    cookie = auth_cookies.read(request, COOKIE)
    if cookie is None:
        return None
    if not hasattr(request.state, "viewer"):
        key = service_of(request.app, Access).secret
        try:
            actor = sessions.identify(service_of(request.app, Store), key, cookie)
        except Refusal:
            request.state.viewer = None
        else:
            csrf = sessions.csrf_token(key, cookie)
            request.state.viewer = Viewer(actor.user_id, actor.name, actor.role, actor.scopes, csrf)
    viewer: Viewer | None = request.state.viewer
    return viewer


def see_other(address: str) -> Response:
    """Send a browser on after a form: what it wrote is done, reloading does not do it again."""
    return Response(status_code=303, headers={"Location": address, "Cache-Control": "no-store"})


def inside(address: str) -> str:
    """Return an address if it is on this site, else the start page."""
    # //elsewhere and /\elsewhere are other hosts to a browser.
    ours = address.startswith("/") and address[1:2] not in {"/", "\\"}
    # A browser leaves out tabs and the like, and no header can have what is not ASCII.
    ours = ours and address.isascii() and address.isprintable()
    return address if ours else "/"


async def _visitor(request: Request, store: TheStore, access: TheAccess, rates: TheRates) -> Actor:
    cookie = auth_cookies.read(request, COOKIE)
    if cookie is None:
        raise _to_sign_in(request)
    check_origin(request)
    try:
        actor = await run_in_threadpool(sessions.identify, store, access.secret, cookie)
    except Refusal:
        raise _to_sign_in(request) from None
    await rates.take(REQUESTS, str(actor.user_id))
    return actor


PageVisitor = Annotated[Actor, Depends(_visitor)]
"""The signed-in user, for a route that streams its form and calls `check_form` itself."""


def check_form(request: Request, shown: str) -> None:
    """Check that a form is of the session of the cookie that came with it.  Raises Refusal."""
    key, cookie = service_of(request.app, Access).secret, auth_cookies.read(request, COOKIE) or ""
    if not hmac.compare_digest(shown.encode(), sessions.csrf_token(key, cookie).encode()):
        raise Refusal(
            "csrf_missing",
            say("csrf: this form belongs to another session; reload the page and send it again"),
            field="csrf",
            kind=RefusalKind.FORBIDDEN,
        )


async def _signed_in(request: Request, actor: PageVisitor) -> Actor:
    if request.method not in _READS:
        check_form(request, str((await request.form()).get("csrf", "")))
    return actor


SignedInViewer = Annotated[Actor, Depends(_signed_in)]


def require_page_scope(scope: str) -> Any:  # noqa: ANN401 - as FastAPI's own Depends
    """Return a dependency on a signed-in Actor that has the scope."""

    async def actor_with_scope(actor: SignedInViewer) -> Actor:
        actor.require(scope)
        return actor

    return Depends(actor_with_scope)


def _to_sign_in(request: Request) -> HTTPException:
    back = request.url.path if request.method in _READS else "/"
    if request.method in _READS and request.url.query:
        back += f"?{request.url.query}"
    return HTTPException(303, say("Sign in first."), {"Location": f"/sign-in?next={quote(back, safe='/')}"})
