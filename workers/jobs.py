"""The jobs, as RQ calls them: by name, with JSON for arguments (arena/queue/jobs.py)."""

from __future__ import annotations

import asyncio
import logging

from arena.services import ratings
from arena.services.blocks import BlockKey
from workers import context
from workers.playing import play

_log = logging.getLogger(__name__)


def play_block(tournament_id: int, number: int) -> None:
    """Play what has no result in a block, if it is still to be had."""
    asyncio.run(play(context.current(), BlockKey(tournament_id, number)))


def refresh_ratings(pool: str) -> None:
    """Compute a pool's Elo table, if anything has changed."""
    here = context.current()
    if ratings.refresh(here.store, pool):
        _log.info("Elo of %s computed", pool)
        here.tell_ratings(pool)
