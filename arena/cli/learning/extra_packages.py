"""Packages that only some commands need, and that need not be installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from arena.core.errors import UsageError


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Say which extra to install where an import of what is inside fails.  Raises UsageError."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("arena"):
            raise
        raise UsageError(
            f"package {error.name}: is missing; install it with: pip install 'bot-arena[{extra}]'"
        ) from error
