"""Waking the workers of a store after it was given something to do."""

from __future__ import annotations

from pathlib import Path

from arena.core.settings import read, settings
from arena.messaging.wakeup import wake_at


def wake(data: Path | None) -> None:
    """Wake the workers, so that they begin at once with new work; without Redis they find it by themselves."""
    chosen = settings() if data is None else read(data=data, database_url="")
    wake_at(chosen.redis_url)
