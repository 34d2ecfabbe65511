"""The table of every route: what each of the cast gets there.

    nobody      is not signed in                      owner       an author: the bot `mine`, the token, the uploads are hers
    other       another author                        organiser   and admin: neither owns anything here

A new route needs a row (tests/web/test_permissions.py).  `{names}` in an address stand for what the stage has under them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PEOPLE = ("nobody", "owner", "other", "organiser", "admin")


@dataclass(frozen=True)
class Row:
    """A route with the status for each of PEOPLE, in their order; what is sent, as JSON to the API and as a form to a page.

    `scope` is what a token must have; `at` is the address as it is asked, where the route's own would not do.
    """

    method: str
    route: str
    statuses: str
    scope: str | None = None
    sent: dict[str, Any] | None = None
    at: str | None = None


ANYBODY = "200 200 200 200 200"
MISSING = "404 404 404 404 404"
SIGNED_IN = "401 200 200 200 200"
ORGANISERS = "401 403 403 200 200"
ADMINS = "401 403 403 403 200"
FOR_AUTHORS = "303 200 200 200 200"
FOR_ORGANISERS = "303 403 403 200 200"
FOR_ADMINS = "303 403 403 403 200"
DONE_BY_ORGANISERS = "303 403 403 303 303"
DONE_BY_ADMINS = "303 403 403 403 303"
ROWS = []
