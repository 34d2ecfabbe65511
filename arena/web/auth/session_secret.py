"""The platform's secret: the operator's, or, on this machine alone, one of our own in the data directory."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

from arena.core.errors import ArenaError
from arena.core.settings import Settings
from arena.net.address import is_local


class SecretMissing(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when an address that others can reach is to be served without a secret of the operator's."""


def find(settings: Settings, host: str) -> bytes:
    """Return the secret for serving on an address.  Raises SecretMissing."""
    if settings.secret:
        return settings.secret.encode()
    if not is_local(f"[{host}]:0" if ":" in host else f"{host}:0"):
        raise SecretMissing(
            f"address {host}: others can reach it, so ARENA_SECRET must be set;"
            " `openssl rand -hex 32` makes one, the same for all web processes"
        )
    return _own(settings.data / "secret")


def _own(file: Path) -> bytes:
    """Read the secret of a data directory, which only its user may; make it if there is none."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, written = mkstemp(prefix="secret.", dir=file.parent)  # only its user may read it
        with os.fdopen(descriptor, "w") as opened:
            opened.write(secrets.token_hex(32))
        # Linked and not renamed: of two that do this at once, the first one's stays.
        with suppress(FileExistsError):
            file.hardlink_to(written)
        Path(written).unlink()
    return file.read_bytes()
