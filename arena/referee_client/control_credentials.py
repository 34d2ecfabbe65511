"""The shared key of a control port: both sides read it from the same environment variable."""

from __future__ import annotations

import os

KEY_VARIABLE = "ARENA_CONTROL_KEY"


def credentials(key: str | None) -> tuple[tuple[str, str], ...]:
    """Return the metadata of a call to a control port; without a key, that of the environment."""
    key = os.environ.get(KEY_VARIABLE, "") if key is None else key
    return (("authorization", f"Bearer {key}"),) if key else ()
