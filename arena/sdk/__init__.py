"""The imports of a bot author: `Bot`, `run`, and the words they speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.games.kernel import SILENCE, Claim, Line
from arena.sdk.bot import Bot, Clock, Decision, Match, Outcome
from arena.sdk.program import run

if TYPE_CHECKING:
    from arena.sdk.practice import practise

__all__ = ["SILENCE", "Bot", "Claim", "Clock", "Decision", "Line", "Match", "Outcome", "practise", "run"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - as Python has it
    """Import `practise` when it is asked for: a bot in a tournament starts faster without it."""
    if name == "practise":
        from arena.sdk.practice import practise  # noqa: PLC0415

        return practise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
