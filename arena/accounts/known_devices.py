"""Devices: browsers in which a user has signed in before, known by a cookie that lasts longer than the session.

    <user id>.<seconds since the epoch>.<device id>.<keyed digest>

It does not sign a user in.  It exempts its user from the limits that wrong passwords from elsewhere use up, as OWASP describes in "Slow
Down Online Guessing Attacks with Device Cookies".  The digest covers the user's `device_generation`, so that counting this
up forgets all of a user's devices at once.
"""

from __future__ import annotations

import hmac
import re
import secrets
import time
from typing import TYPE_CHECKING

from sqlalchemy import select

from arena.storage.schema import User

if TYPE_CHECKING:
    from arena.storage import Store

LASTS_S = 365 * 86400
_COOKIE = re.compile(r"([0-9]{1,10})\.([0-9]{1,12})\.([0-9a-f]{16})\.([0-9a-f]{64})", re.ASCII)


def make(key: bytes, user: User) -> str:
    """Return a cookie for a device in which a user has just signed in."""
    device, now = secrets.token_hex(8), int(time.time())
    return f"{user.id}.{now}.{device}.{_digest(key, user, now, device)}"


def identify(store: Store, key: bytes, name: str, cookie: str | None) -> str | None:
    """Return the id of a device in which the user of this name has signed in before; None for any other."""
    found = _COOKIE.fullmatch(cookie or "")
    if found is None:
        return None
    user_id, made_at, device = int(found[1]), int(found[2]), found[3]
    if not 0 <= time.time() - made_at < LASTS_S:
        return None
    with store.read() as session:
        user = session.scalar(select(User).where(User.name == name))
    if user is None or user.id != user_id:
        return None
    return device if hmac.compare_digest(found[4], _digest(key, user, made_at, device)) else None


def forget(user: User) -> None:
    """Forget all devices of a user, inside a transaction."""
    user.device_generation += 1


def _digest(key: bytes, user: User, made_at: int, device: str) -> str:
    text = f"device/{user.id}/{user.device_generation}/{made_at}/{device}"
    return hmac.digest(key, text.encode(), "sha256").hex()
