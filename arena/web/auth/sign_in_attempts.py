"""Attempts at a password or a registration: few wrong ones from one address, and never so that others are kept out.

    browser that has signed in before     a count of its own, and nothing else
    any other                             wrong passwords from the address ──▶ of the account from this address ──▶
                                          of the account: from a much higher count on, one after the other and slowly
    registration                          a valid invitation has its own count, any other attempt that of the address

Right passwords and valid invitations do not count for the address, so a class behind one address can sign in at once.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from arena.accounts import invitations, known_devices, sessions
from arena.core.errors import Refusal
from arena.storage import Store
from arena.web.auth import auth_cookies
from arena.web.auth.api_auth import Access
from arena.web.http.app_services import service_of
from arena.web.http.rate_limits import UNKNOWN_CREDENTIALS, Limit, Pace

if TYPE_CHECKING:
    from fastapi import Request

    from arena.accounts.actors import Actor
    from arena.accounts.sessions import NewSession
    from arena.web.auth.password_pool import PasswordPool
    from arena.web.http.rate_limits import Rates

COOKIE = "arena_device"

OF_INVITATION = Limit("registrations with this invitation", 10, 3600, guarded=True)
OF_ACCOUNT_FROM_ADDRESS = Limit("logins to this account from this address", 10, 300, guarded=True)
OF_DEVICE = Limit("logins to this account in this browser", 10, 300, guarded=True)
OF_ACCOUNT = Pace(Limit("logins to this account", 100, 600, guarded=True), every_ms=2000, patience_s=10.0)
CHANGES_FROM_ADDRESS = Limit("changes of this password from this address", 10, 300, guarded=True)
CHANGES_OF_ACCOUNT = Pace(
    Limit("changes of this password", 100, 600, guarded=True), every_ms=2000, patience_s=10.0
)


def failures_from(access: Access) -> Limit:
    """Return the limit of wrong passwords from one address."""
    return Limit("wrong passwords from this address", access.failed_sign_ins, 300, guarded=True)


def registrations_from(access: Access) -> Limit:
    """Return the limit of registrations from one address."""
    return Limit("registrations from this address", access.registrations_per_hour, 3600, guarded=True)


async def begin_by_password(
    request: Request, rates: Rates, hashing: PasswordPool, *, address: str, name: str, password: str
) -> NewSession:
    """Begin a session by a password.  Raises TryAgain, and Refusal also where nothing can be counted.

    The failures of an address can exceed their limit only by those that are being checked at the same time.
    """
    access = service_of(request.app, Access)
    store, failures = service_of(request.app, Store), failures_from(access)
    begin = partial(sessions.begin, store, access.secret, name, password)
    shown = auth_cookies.read(request, COOKIE)
    device = (
        None
        if shown is None
        else await run_in_threadpool(known_devices.identify, store, access.secret, name, shown)
    )
    if device is not None:
        await rates.take(OF_DEVICE, f"{name}/{device}")
        return await hashing.run(begin)
    await rates.check_from(failures, address)
    await rates.take(OF_ACCOUNT_FROM_ADDRESS, f"{name}/{address}")
    await rates.take_slowly(OF_ACCOUNT, name)
    try:
        return await hashing.run(begin)
    except Refusal as refusal:
        if refusal.code == sessions.LOGIN_FAILED:
            await rates.take_from(failures, address)
        raise


async def check_registration(request: Request, rates: Rates, address: str, invitation: str | None) -> None:
    """Count an attempt to register.  Raises TryAgain, and Refusal where nothing can be counted."""
    store = service_of(request.app, Store)
    valid = None if invitation is None else await run_in_threadpool(invitations.valid_id, store, invitation)
    if valid is None:
        await rates.take_from(registrations_from(service_of(request.app, Access)), address)
    else:
        await rates.take(OF_INVITATION, valid)


async def begin_by_link(rates: Rates, address: str, store: Store, key: bytes, code: str) -> NewSession:
    """Begin a session by a sign-in link; wrong ones are counted as wrong tokens are.  Raises Refusal."""
    try:
        return await run_in_threadpool(sessions.begin_by_link, store, key, code.strip())
    except Refusal:
        await rates.take_from(UNKNOWN_CREDENTIALS, address)
        raise


async def check_change(rates: Rates, address: str, actor: Actor) -> None:
    """Count an attempt of a signed-in user to change the password.  Raises as `begin_by_password` does.

    It is counted separately, so that visitors cannot use up the limit.
    """
    await rates.take(CHANGES_FROM_ADDRESS, f"{actor.user_id}/{address}")
    await rates.take_slowly(CHANGES_OF_ACCOUNT, str(actor.user_id))
