"""Watching a match: its steps, from the start, as they happen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from arena.match.record import RecordedStep
from referee.dispatch.live_match import LiveMatch

_INTERVAL_S = 0.02
"""Spectators are sent the steps of this long at once: quick bots make hundreds a second."""


async def watch(match: LiveMatch, *, hidden: bool) -> AsyncIterator[tuple[RecordedStep, ...]]:
    """Yield the steps from the start, as they happen: the public ones without times, or, if `hidden`, all with times."""
    changed = asyncio.Event()
    match.watchers.append(changed)
    sent = 0
    try:
        while True:
            changed.clear()
            over = match.over
            steps, sent = match.steps(sent, hidden=hidden)
            if steps:
                yield steps
            if over:
                return
            await asyncio.sleep(_INTERVAL_S)
            await changed.wait()
    finally:
        match.watchers.remove(changed)
