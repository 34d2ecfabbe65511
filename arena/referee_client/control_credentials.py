"""The metadata of calls to a control port: our release, and the shared key, which both sides read from the same variable."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from arena.core.errors import UsageError
from arena.core.translatable import mark, say
from arena.referee_client import peer_release

KEY_VARIABLE = "ARENA_CONTROL_KEY"

NO_KEY = mark(
    "ARENA_CONTROL_KEY: is not set, and the referee at {address} asks for it; set it to the key that the referees have"
)


def credentials(key: str | None) -> tuple[tuple[str, str], ...]:
    """Return the metadata of a call to a control port; where no key is given, it is that of the environment."""
    key = os.environ.get(KEY_VARIABLE, "") if key is None else key
    return (*peer_release.metadata(), *((("authorization", f"Bearer {key}"),) if key else ()))


def find_missing_key(addresses: Iterable[str], environment: Mapping[str, str]) -> str:
    """Return what to do where a referee is reached over TCP without a shared key, empty where none is missing."""
    over_tcp = next((address for address in addresses if not address.startswith("unix:")), None)
    if over_tcp is None or environment.get(KEY_VARIABLE):
        return ""
    return say(NO_KEY, address=over_tcp)


def check_key(addresses: Iterable[str]) -> None:
    """Check that the shared key is there if a referee asks for it.  Raises UsageError."""
    if missing := find_missing_key(addresses, os.environ):
        raise UsageError(missing)
