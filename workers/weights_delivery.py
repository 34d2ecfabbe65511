"""Reads weights out of the store for a referee, a part at a time."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from arena.bot_registry import stored_weights
from arena.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.storage import Store

_log = logging.getLogger(__name__)


def parts(store: Store, sha256: str) -> Iterator[bytes]:
    """Yield the parts of a file of weights.  Raises UsageError if it is not there, or cannot be read now."""
    try:
        number = stored_weights.find(store, sha256)
        if number is None:
            raise UsageError("the arena has none of that SHA-256")
        part = 0
        while (data := stored_weights.read_part(store, number, part)) is not None:
            yield data
            part += 1
    except (SQLAlchemyError, OSError) as error:
        _log.warning("weights %s could not be read: %s", sha256, error)
        raise UsageError("the store is away") from error
