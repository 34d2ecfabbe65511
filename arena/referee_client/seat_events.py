"""The events of a seat as values, without the wire (arena.referee_client.human_seat has that)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from arena.games.kernel import Action, Step, TalkLimits
from arena.referee_client.reports import Outcome


@dataclass(frozen=True, slots=True)
class SeatMatchStarted:
    """The match begins; `options` are all of the game's."""

    match: str
    seat: int
    seats: int
    options: Mapping[str, int]
    commitment: bytes


@dataclass(frozen=True, slots=True)
class SeatDecision:
    """A decision is ours: a choice of `legal`, or with `limits` a line of talk.  Times are milliseconds."""

    decision: int
    legal: tuple[Action, ...]
    limits: TalkLimits | None
    seen: tuple[Step, ...]
    """Steps that the seat has seen since it was last asked."""
    view: Any
    """The position as the seat may know it: the game's own view."""
    bank_ms: int
    limit_ms: int


@dataclass(frozen=True, slots=True)
class SeatMatchEnded:
    """The match is over; without an outcome it was called off."""

    outcome: Outcome | None
    seen: tuple[Step, ...]


Told: TypeAlias = SeatMatchStarted | SeatDecision | SeatMatchEnded
