"""Who may connect: tokens that the arena admitted, and one-time tokens of hosted processes.

Tokens are kept and compared as SHA-256, so that the time a look-up takes tells nothing about them.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.bots.hosted_bots import HostedGuest


class InUse(Exception):  # noqa: N818 - says what is the case
    """Raised when a one-time token is presented a second time."""


class Tokens:
    """The tokens that open the bots' port."""

    def __init__(self) -> None:
        self.told = False
        """Whether the arena has said who may connect."""
        self._admitted: dict[bytes, str] = {}
        self._one_time: dict[bytes, HostedGuest] = {}
        self._used: set[bytes] = set()

    # --- dial-in bots ---------------------------------------------------------------------------------------

    def admit_all(self, tokens: Mapping[str, bytes]) -> set[str]:
        """Admit these (id → SHA-256) and no others; gives the ids that may no longer connect."""
        self.told = True
        before = set(self._admitted.values())
        self._admitted = {digest: token_id for token_id, digest in tokens.items()}
        return before - set(tokens)

    def admit(self, token_id: str, digest: bytes) -> None:
        """Admit one more, in place of an older one of its id."""
        self.revoke(token_id)
        self._admitted[digest] = token_id

    def revoke(self, token_id: str) -> None:
        """Admit one no longer."""
        self._admitted = {digest: known for digest, known in self._admitted.items() if known != token_id}

    # --- hosted bots ----------------------------------------------------------------------------------------

    def new_one_time(self, guest: HostedGuest) -> str:
        """Make a token that opens the port once, for one process."""
        self.forget_one_time(guest)
        token = secrets.token_urlsafe(32)
        self._one_time[_digest(token)] = guest
        return token

    def forget_one_time(self, guest: HostedGuest) -> None:
        """Admit a process no longer."""
        for digest in [digest for digest, owner in self._one_time.items() if owner is guest]:
            del self._one_time[digest]
            self._used.discard(digest)

    # --- at the door ----------------------------------------------------------------------------------------

    def present(self, token: str) -> str | HostedGuest | None:
        """Tell whom a token belongs to: a token id, or a hosted bot.  None if it is unknown.  Raises InUse."""
        digest = _digest(token)
        guest = self._one_time.get(digest)
        if guest is None:
            return self._admitted.get(digest)
        if digest in self._used:
            raise InUse
        self._used.add(digest)
        return guest


def bearer(metadata: Iterable[tuple[str, str | bytes]] | None) -> str:
    """Read the token out of a call's metadata; empty if there is none."""
    for key, value in metadata or ():
        if key == "authorization":
            text = value.decode(errors="replace") if isinstance(value, bytes) else value
            scheme, _, token = text.partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return ""


def _digest(token: str) -> bytes:
    return sha256(token.encode(errors="surrogateescape")).digest()
