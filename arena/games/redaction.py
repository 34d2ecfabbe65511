"""Masking of cards that a seat may not see, in the steps that `seen` returns."""

from __future__ import annotations

from arena.games.kernel import HIDDEN


def hide(group: str, shown: int = 0) -> str:
    """Put `?` for each card of a group but the first `shown`: `7 8 9` → `? ? ?`; an empty group stays empty."""
    names = group.split()
    return " ".join([*names[:shown], *[HIDDEN] * (len(names) - shown)])
