"""The frame of the admin pages: permission, navigation, and the notice that is shown while Redis is away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from redis.exceptions import RedisError

from arena.accounts.actors import Actor
from arena.core.errors import Refusal
from arena.core.translatable import say
from arena.web.auth.page_auth import require_page_scope
from arena.web.ui.languages import mark

T = TypeVar("T")

Admin = Annotated[Actor, require_page_scope("admin")]

SECTIONS = (
    ("/admin", mark("Overview")),
    ("/admin/queues", mark("Queues")),
    ("/admin/workers", mark("Workers")),
    ("/admin/referees", mark("Referees")),
    ("/admin/faults", mark("Faults")),
    ("/admin/users", mark("Users")),
    ("/admin/invitations", mark("Invitations")),
    ("/admin/audit", mark("Audit log")),
    ("/organise/ladders", mark("Ladders")),
    ("/design", mark("Design")),
)


def confirm(sure: str) -> None:
    """Check that the form's confirmation is given.  Raises Refusal."""
    if sure != "yes":
        raise Refusal(
            "not_confirmed", say("sure: tick the box to confirm; this cannot be undone"), field="sure"
        )


def ask(read: Callable[[], T]) -> T | None:
    """Ask Redis for something; None while it is away."""
    try:
        return read()
    except (RedisError, OSError):
        return None
