"""The phases of a session, and what leads from one to the next.

DEALT ──begin──▶ PLAYED ──end──▶ OVER         the rules end it
└──fault──▶ CHARGED ◀──fault──┘              a seat is charged; an earlier fault may still come until `expire`
└──end──▶ OVER                the fault is final
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType


class Phase(Enum):
    """A state of a session: answers count in PLAYED alone."""

    DEALT = "dealt"
    PLAYED = "played"
    CHARGED = "charged"
    OVER = "over"


class Cause(Enum):
    """An event that leads to a phase."""

    BEGIN = "begin"
    FAULT = "fault"
    END = "end"


TRANSITIONS: Mapping[tuple[Phase, Cause], Phase] = MappingProxyType(
    {
        (Phase.DEALT, Cause.BEGIN): Phase.PLAYED,
        (Phase.DEALT, Cause.FAULT): Phase.CHARGED,
        (Phase.PLAYED, Cause.FAULT): Phase.CHARGED,
        (Phase.PLAYED, Cause.END): Phase.OVER,
        (Phase.CHARGED, Cause.BEGIN): Phase.CHARGED,
        (Phase.CHARGED, Cause.FAULT): Phase.CHARGED,
        (Phase.CHARGED, Cause.END): Phase.OVER,
    }
)
"""All that may happen; anything else is a mistake of the caller."""


def follow(phase: Phase, cause: Cause) -> Phase:
    """Return the phase after an event.  Raises RuntimeError if it cannot happen in that phase."""
    try:
        return TRANSITIONS[phase, cause]
    except KeyError:
        raise RuntimeError(f"a session that is {phase.value} cannot {cause.value}") from None
