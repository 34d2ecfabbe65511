"""The jobs, as RQ calls them: by name, with JSON for arguments (arena/queue/jobs.py)."""

from __future__ import annotations

import asyncio
import logging

from arena.services import ratings
from workers import context
from workers.playing import play

_log = logging.getLogger(__name__)


def play_block(_tournament_id: int, _number: int) -> None:
    """Play a block: this one was free when the job was queued, but another may be due before it by now."""
    asyncio.run(play(context.current()))


def refresh_ratings(pool: str) -> None:
    """Compute a pool's Elo table, if anything has changed."""
    here = context.current()
    if ratings.refresh(here.store, pool):
        _log.info("Elo of %s computed", pool)
        here.tell_ratings(pool)
