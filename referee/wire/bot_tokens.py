"""The tokens by which bots may connect: those that the arena admitted, and one-time tokens of hosted processes.

Tokens are stored and compared as SHA-256, so that the duration of a look-up reveals nothing about them.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Generic, TypeVar

Owner = TypeVar("Owner")
"""The owner of one-time tokens: a hosted bot."""


class TokenInUse(Exception):  # noqa: N818 - says what is the case
    """Raised when a one-time token is presented a second time."""


class BotTokens(Generic[Owner]):
    """The tokens that the bots' port accepts.  Mutable."""

    def __init__(self) -> None:
        self.is_complete = False
        """Whether the arena has sent its tokens; a referee that has just started knows none."""
        self._admitted: dict[bytes, str] = {}
        self._one_time: dict[bytes, Owner] = {}
        self._used: set[bytes] = set()

    # --- dial-in bots ---------------------------------------------------------------------------------------

    def admit_all(self, tokens: Mapping[str, bytes]) -> set[str]:
        """Admit these tokens (id → SHA-256) and no others; return the ids that may no longer connect."""
        self.is_complete = True
        before = set(self._admitted.values())
        self._admitted = {digest: token_id for token_id, digest in tokens.items()}
        return before - set(tokens)

    def admit(self, token_id: str, digest: bytes) -> None:
        """Admit one more token; it replaces an older one of the same id."""
        self.revoke(token_id)
        self._admitted[digest] = token_id

    def revoke(self, token_id: str) -> None:
        """Admit a token no longer."""
        self._admitted = {digest: known for digest, known in self._admitted.items() if known != token_id}

    # --- hosted bots ----------------------------------------------------------------------------------------

    def new_one_time(self, owner: Owner) -> str:
        """Return a new token that is accepted once, for one process; the owner's older one is forgotten."""
        self.forget_one_time(owner)
        token = secrets.token_urlsafe(32)
        self._one_time[_digest(token)] = owner
        return token

    def forget_one_time(self, owner: Owner) -> None:
        """Accept the one-time token of an owner no longer."""
        for digest in [digest for digest, known in self._one_time.items() if known is owner]:
            del self._one_time[digest]
            self._used.discard(digest)

    # --- connecting ---------------------------------------------------------------------------------------

    def redeem(self, token: str) -> str | Owner | None:
        """Return a token's id, or the owner of a one-time token; None if it is unknown.  Raises TokenInUse."""
        digest = _digest(token)
        owner = self._one_time.get(digest)
        if owner is None:
            return self._admitted.get(digest)
        if digest in self._used:
            raise TokenInUse
        self._used.add(digest)
        return owner


def bearer(metadata: Iterable[tuple[str, str | bytes]] | None) -> str:
    """Return the token in a call's metadata, or an empty string."""
    for key, value in metadata or ():
        if key == "authorization":
            text = value.decode(errors="replace") if isinstance(value, bytes) else value
            scheme, _, token = text.partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return ""


def _digest(token: str) -> bytes:
    return sha256(token.encode(errors="surrogateescape")).digest()
