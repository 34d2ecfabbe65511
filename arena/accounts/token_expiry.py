"""When a token is to expire, as people write it: `30d`, `12h`, `2027-01-31`, or `never`."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from arena.core.errors import Refusal
from arena.core.translatable import say

STANDARD = "365d"
NEVER = "never"
MAX_DAYS = 3650
_AFTER = re.compile(r"([1-9][0-9]{0,5})([dh])", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_SECONDS = {"d": 86400, "h": 3600}


def read(text: str, now: float) -> float | None:
    """Return when that is, in seconds since the epoch; a date is its begin in UTC, and None is never.  Raises Refusal."""
    if text == NEVER:
        return None
    at: float | None = None
    if found := _AFTER.fullmatch(text):
        at = now + int(found[1]) * _SECONDS[found[2]]
    elif _DAY.fullmatch(text):
        at = _begin_of(text)
    if at is None or not now < at <= now + MAX_DAYS * _SECONDS["d"]:
        raise Refusal(
            "expires_invalid",
            say(
                "expires {text!r}: must be days such as 30d, hours such as 12h, a future date such as 2027-01-31 (at most {most} days from now), or never",
                text=text[:80],
                most=MAX_DAYS,
            ),
            field="expires",
        )
    return at


def _begin_of(text: str) -> float | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
