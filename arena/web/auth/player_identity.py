"""A person without an account: a browser's cookie, or a header of programs.  It owns matches, and solves puzzles."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated

from fastapi import Depends, Header, Request, Response

COOKIE = "arena_player"
HEADER = "X-Player"
_KEY_BYTES = 16
_KEPT_S = 400 * 86400
"""Browsers keep a cookie for no longer.  A streak of puzzles lasts as long as it."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person who plays; `key` is the person's secret, empty before the first match or puzzle."""

    key: str = ""

    @property
    def owner(self) -> str | None:
        """The owner's name of this person's matches; None without a key."""
        return sha256(self.key.encode()).hexdigest() if self.key else None

    @classmethod
    def new(cls) -> Person:
        """Make a new one."""
        return cls(secrets.token_urlsafe(_KEY_BYTES))


def _person(
    request: Request,
    x_player: Annotated[
        str | None,
        Header(max_length=200, description="The player's key from `Open a game`; browsers have a cookie."),
    ] = None,
) -> Person:
    return Person(x_player or request.cookies.get(COOKIE, "")[:200])


ThePerson = Annotated[Person, Depends(_person)]


def remember(request: Request, response: Response, person: Person) -> None:
    """Set the cookie with the player's key."""
    response.set_cookie(
        COOKIE,
        person.key,
        max_age=_KEPT_S,
        samesite="lax",
        httponly=True,
        secure=request.url.scheme == "https",
    )
