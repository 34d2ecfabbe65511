"""The states of tournaments and ladders, as they are stored."""

from __future__ import annotations

CREATED = "created"
OPEN = "open"
RUNNING = "running"
PAUSED = "paused"
FINISHED = "finished"
CANCELLED = "cancelled"
OVER = frozenset({FINISHED, CANCELLED})
