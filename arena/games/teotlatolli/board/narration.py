"""Teotlatolli: who wins a god."""

from __future__ import annotations

from arena.core.translatable import say
from arena.games.narrating import Happening


def narrate(happening: Happening) -> list[str]:
    """Return which gods were won, by whom, and how the gods now stand."""
    told: list[str] = []
    after = happening.after.completed
    for name, had, has in zip(happening.names, happening.before.completed, after, strict=True):
        told += [
            say("{name} wins god {god}: {count} in all.", name=name, god=god, count=len(has))
            for god in has[len(had) :]
        ]
    return told
