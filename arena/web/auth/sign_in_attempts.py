"""Attempts at a password: few from one address, and never so that those from elsewhere keep the owner out.

device that has signed in before     a count of its own, and nothing else
any other                            of the address ──▶ of the account from this address ──▶ of the account:
from a much higher count on, one after the other and slowly
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from arena.accounts import known_devices, sessions
from arena.core.errors import Refusal
from arena.web.auth import auth_cookies
from arena.web.http.rate_limits import UNKNOWN_CREDENTIALS, Limit, Pace

if TYPE_CHECKING:
    from fastapi import Request

    from arena.accounts.actors import Actor
    from arena.accounts.sessions import NewSession
    from arena.storage import Store
    from arena.web.http.rate_limits import Rates

COOKIE = "arena_device"

OF_ADDRESS = Limit("logins from this address", 20, 300, guarded=True)
OF_ACCOUNT_FROM_ADDRESS = Limit("logins to this account from this address", 10, 300, guarded=True)
OF_DEVICE = Limit("logins to this account in this browser", 10, 300, guarded=True)
OF_ACCOUNT = Pace(Limit("logins to this account", 100, 600, guarded=True), every_ms=2000, patience_s=10.0)
CHANGES_FROM_ADDRESS = Limit("changes of this password from this address", 10, 300, guarded=True)
CHANGES_OF_ACCOUNT = Pace(
    Limit("changes of this password", 100, 600, guarded=True), every_ms=2000, patience_s=10.0
)


async def check_login(request: Request, rates: Rates, address: str, name: str) -> None:
    """Count an attempt to sign in by a password.  Raises TryAgain, and Refusal where nothing can be counted."""
    store, key = request.app.state.store, request.app.state.access.secret
    shown = auth_cookies.read(request, COOKIE)
    device = (
        None if shown is None else await run_in_threadpool(known_devices.identify, store, key, name, shown)
    )
    if device is not None:
        await rates.take(OF_DEVICE, f"{name}/{device}")
        return
    await rates.take(OF_ADDRESS, address)
    await rates.take(OF_ACCOUNT_FROM_ADDRESS, f"{name}/{address}")
    await rates.take_slowly(OF_ACCOUNT, name)


async def begin_by_link(rates: Rates, address: str, store: Store, key: bytes, code: str) -> NewSession:
    """Begin a session by a sign-in link; wrong ones are counted as wrong tokens are.  Raises Refusal."""
    try:
        return await run_in_threadpool(sessions.begin_by_link, store, key, code.strip())
    except Refusal:
        await rates.take(UNKNOWN_CREDENTIALS, address)
        raise


async def check_change(rates: Rates, address: str, actor: Actor) -> None:
    """Count an attempt to change one's password, of somebody who is signed in.  Raises as `check_login` does.

    It has counts of its own: who is not signed in can use up none of them.
    """
    await rates.take(CHANGES_FROM_ADDRESS, f"{actor.user_id}/{address}")
    await rates.take_slowly(CHANGES_OF_ACCOUNT, str(actor.user_id))
