"""Cookies of sessions and devices, under a name that only this host can set over HTTPS.

    https    __Host-arena_session     the browser takes it from this very host over HTTPS alone, for all paths
    http     arena_session            for an arena without TLS, such as one on your machine

Each scheme reads its own name only, so that over HTTPS no cookie counts that was set on the way, or by another
host of the same domain.  The scheme is the one that a proxy names, if it is believed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import Response
    from starlette.requests import HTTPConnection

_PREFIX = "__Host-"


def name_of(request: HTTPConnection, cookie: str) -> str:
    """Return what a cookie is called in the scheme of a request."""
    return f"{_PREFIX}{cookie}" if _is_secure(request) else cookie


def read(request: HTTPConnection, cookie: str) -> str | None:
    """Return the value of a cookie, None if there is none."""
    return request.cookies.get(name_of(request, cookie))


def is_shown(request: HTTPConnection, cookie: str) -> bool:
    """Return whether a request shows a cookie by either name."""
    return cookie in request.cookies or f"{_PREFIX}{cookie}" in request.cookies


def write(request: HTTPConnection, response: Response, cookie: str, value: str, lasts_s: int) -> None:
    """Set a cookie that scripts and other sites cannot read."""
    response.set_cookie(
        name_of(request, cookie),
        value,
        max_age=lasts_s,
        httponly=True,
        samesite="lax",
        secure=_is_secure(request),
    )


def delete(request: HTTPConnection, response: Response, cookie: str) -> None:
    """Delete a cookie."""
    response.delete_cookie(
        name_of(request, cookie), httponly=True, samesite="lax", secure=_is_secure(request)
    )


def _is_secure(request: HTTPConnection) -> bool:
    return request.url.scheme == "https"
