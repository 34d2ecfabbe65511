"""Registering: an account of one's own, where that is open, or with an invitation."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Depends, Request, Response
from starlette.concurrency import run_in_threadpool

from arena.accounts import invitations, passwords, sessions
from arena.core.errors import Refusal
from arena.web.accounts.sign_in_page import Next
from arena.web.auth import sign_in_attempts
from arena.web.auth.api_auth import TheAccess, check_origin
from arena.web.auth.page_auth import inside, see_other, viewer_of
from arena.web.auth.password_pool import TheHashing
from arena.web.http.path_parameters import TheStore
from arena.web.http.rate_limits import TheAddress, TheRates
from arena.web.ui.form_state import Refused, Text, answer, hand_over

router = APIRouter(include_in_schema=False)


@router.get("/register")
def show(request: Request, access: TheAccess, then: Next = "/account", invitation: str = "") -> Response:
    """Show the form; an invitation may come with the address."""
    if viewer_of(request) is not None:
        return see_other(inside(then))
    return _page(request, access.registration, then, None, invitation[:200])


@router.post("/register", dependencies=[Depends(check_origin)])
async def register(
    request: Request,
    *,
    store: TheStore,
    access: TheAccess,
    rates: TheRates,
    address: TheAddress,
    hashing: TheHashing,
    name: Text = "",
    password: Text = "",
    invitation: Text = "",
    then: Text = "/account",
) -> Response:
    """Make the account, and sign this browser in."""
    mode, invited = access.registration, invitation.strip()
    try:
        await sign_in_attempts.check_registration(request, rates, address, invited or None)
        await hashing.run(partial(invitations.register, store, mode, name, password, invited or None))
        begun = await hashing.run(partial(sessions.begin, store, access.secret, name, password))
    except Refusal as refusal:
        refused = Refused.of("register", refusal, name=name, invitation=invited)
        return await run_in_threadpool(_page, request, mode, then, refused, invited)
    response = see_other(inside(then))
    hand_over(request, response, begun)
    return response


def _page(request: Request, mode: str, then: str, refused: Refused | None, invitation: str) -> Response:
    return answer(
        request,
        "register.html",
        refused,
        mode=mode,
        then=inside(then),
        invitation=invitation,
        shortest=passwords.SHORTEST,
    )
