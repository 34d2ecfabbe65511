"""The metadata of calls to a control port: our release, and the shared key, which both sides read from the same variable."""

from __future__ import annotations

import os

from arena.referee_client import peer_release

KEY_VARIABLE = "ARENA_CONTROL_KEY"


def credentials(key: str | None) -> tuple[tuple[str, str], ...]:
    """Return the metadata of a call to a control port; where no key is given, it is that of the environment."""
    key = os.environ.get(KEY_VARIABLE, "") if key is None else key
    return (*peer_release.metadata(), *((("authorization", f"Bearer {key}"),) if key else ()))
