"""Logging: one line per event on stderr, so that stdout stays for results."""

from __future__ import annotations

import logging
import sys

_FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"


def configure(level: str) -> None:
    """Log to stderr from `level` (`DEBUG`, `INFO`, `WARNING`, `ERROR`) on."""
    logging.basicConfig(level=level, format=_FORMAT, stream=sys.stderr, force=True)
    for chatty in ("rq", "alembic", "httpx"):
        logging.getLogger(chatty).setLevel(max(logging.getLevelName(level), logging.WARNING))
