"""Credentials that are shown once and stored hashed: API tokens and invitations.

    <kind>_<id: 16 hex digits>_<secret: 43 characters of base 64>

The id is public: it names the thing in lists and in the audit log.  The secret has 256 bits, so one plain hash is enough.
"""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass, field
from hashlib import sha256

_TEXT = re.compile(r"([a-z]+)_([0-9a-f]{16})_[A-Za-z0-9_-]{43}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Credential:
    """One that was just made: `text` is for its owner, the rest for the store."""

    id: str
    text: str = field(repr=False)

    @property
    def sha256(self) -> bytes:
        """Hash the text, as the store keeps it."""
        return sha256(self.text.encode()).digest()


def make(kind: str) -> Credential:
    """Make a credential of a kind, such as `arena`."""
    credential_id = secrets.token_hex(8)
    return Credential(credential_id, f"{kind}_{credential_id}_{secrets.token_urlsafe(32)}")


def read(kind: str, text: str) -> Credential | None:
    """Parse a credential as it was presented; None if it is not of this kind."""
    found = _TEXT.fullmatch(text)
    return Credential(found[2], text) if found is not None and found[1] == kind else None


def fits(kept: bytes, shown: Credential) -> bool:
    """Compare a credential with a stored hash, in constant time."""
    return hmac.compare_digest(kept, shown.sha256)
