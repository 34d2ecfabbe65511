"""Passwords: argon2id, as RFC 9106 (section 4, second recommended option) says: 64 MiB and some 50 ms a hash.

Both `make` and `matches` take that long and that much; the web calls them off its event loop, a few at a time.
"""

from __future__ import annotations

import secrets

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from arena.core.errors import Refusal
from arena.core.translatable import say

SHORTEST = 10
LONGEST = 200
"""Characters; longer ones are only work for us."""
_MIN_DISTINCT_CHARS = 5
_MIN_FRAGMENT_CHARS = 4
"""Characters of a name that a password does not have by chance."""

NOBODYS = "$argon2id$v=19$m=65536,t=3,p=4$/7EEE2V3Obb1u37/jwqGBQ$lHK4RzsMEfSBss6C2umpzPWS/PpN8Bre8Wjgy59Vxx0"
"""Compared with where a user has no password, so that it takes as long: the hash of 256 random bits that were not kept."""

HASHER = PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=4)
"""Cost of hashing a new password; an old hash has its own cost in it."""


def make(password: str, name: str) -> str:
    """Hash a new password of a user's, if it is one that others do not guess at once.  Raises Refusal."""
    wrong = None
    if not SHORTEST <= len(password) <= LONGEST:
        wrong = say(
            "password of {length} characters: must have {low} to {high}; three or four words work well",
            length=len(password),
            low=SHORTEST,
            high=LONGEST,
        )
    elif len(set(password)) < _MIN_DISTINCT_CHARS:
        wrong = say(
            "password of {count} different characters: must have {low} or more; three or four words work well",
            count=len(set(password)),
            low=_MIN_DISTINCT_CHARS,
        )
    elif len(name) >= _MIN_FRAGMENT_CHARS and name in password.lower():
        wrong = say("password: must not contain the user's name; three or four words work well")
    if wrong is not None:
        raise Refusal("password_weak", wrong, field="password")
    return HASHER.hash(password)


def generate() -> str:
    """Return a random initial password, 96 bits, which its user is expected to change."""
    return secrets.token_urlsafe(12)


def matches(hashed: str | None, password: str) -> bool:
    """Return whether the password is right; without a hash (no such user, no password) it takes as long, and returns False."""
    if len(password) > LONGEST:
        return False
    try:
        return HASHER.verify(hashed or NOBODYS, password) and hashed is not None
    except (VerificationError, InvalidHashError):
        return False
