"""Faults: what a bot can do wrong.  Values, never exceptions; the platform's own failures are none of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """The four kinds, as the record writes them (docs/record.md, *Faults*)."""

    ILLEGAL_ACTION = "illegal action"
    TIMEOUT = "timeout"
    CRASH = "crash"
    PROTOCOL = "protocol"


@dataclass(frozen=True, slots=True)
class SeatFault:
    """A fault that ended a match; the message says what was wrong so that the bot's author can act on it."""

    seat: int
    kind: FaultKind
    message: str
