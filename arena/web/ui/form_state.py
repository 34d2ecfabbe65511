"""Refused forms: each is shown again as it was sent, with the error at its field.

    @router.post("/account/tokens")
    def create(request, store, actor: SignedInViewer, label: Text = "") -> Response:
        try:
            made = tokens.create(store, actor, label)
        except Refusal as refusal:
            return _show(request, store, actor, refused=Refused.of("token", refusal, label=label))

Templates draw them with the macros of `forms.html`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import Form, Request, Response

from arena.accounts import known_devices, sessions
from arena.accounts.sessions import NewSession
from arena.core.errors import Refusal, UsageError
from arena.core.problem_details import status_of
from arena.web.auth import auth_cookies, sign_in_attempts
from arena.web.auth.api_auth import COOKIE
from arena.web.http.rate_limits import TryAgain
from arena.web.ui.templating import render

Text = Annotated[str, Form(max_length=2000)]
"""A field of a form, bounded; what it must be is said by the service that takes it."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A form of a page that was refused: `field` names the one that was wrong, empty if it is no single one."""

    form: str
    field: str
    message: str
    status: int
    retry_s: int | None
    values: Mapping[str, str]

    @classmethod
    def of(cls, form: str, error: UsageError, **values: str) -> Refused:
        """Keep why a form was refused, and what was sent; nothing secret belongs to that."""
        field, status = (error.field, status_of(error)) if isinstance(error, Refusal) else ("", 422)
        retry_s = error.retry_s if isinstance(error, TryAgain) else None
        return cls(form, field, str(error), status, retry_s, values)


def answer(
    request: Request, template: str, refused: Refused | None, *, once: bool = False, **context: object
) -> Response:
    """Render a page with forms; one that shows something `once` is kept nowhere, and so is one that was refused."""
    status = 200 if refused is None else refused.status
    response = render(request, template, status=status, refused=refused, **context)
    if once or refused is not None:
        response.headers["Cache-Control"] = "no-store"
        del response.headers["ETag"]
    if refused is not None and refused.retry_s is not None:
        response.headers["Retry-After"] = str(refused.retry_s)
    return response


def hand_over(request: Request, response: Response, begun: NewSession) -> None:
    """Set the cookies of a browser's session and device."""
    auth_cookies.write(request, response, COOKIE, begun.cookie, sessions.LASTS_S)
    remember_device(request, response, begun.device)


def remember_device(request: Request, response: Response, device: str) -> None:
    """Set the cookie of a known device."""
    auth_cookies.write(request, response, sign_in_attempts.COOKIE, device, known_devices.LASTS_S)
