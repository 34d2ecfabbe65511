"""Forfeits: matches that end before they begin."""

from __future__ import annotations

from arena.match.faults import SeatFault
from arena.match.record import Record
from arena.match.session import Session
from arena.match.session_events import MatchFinished


def forfeit(session: Session, fault: SeatFault) -> Record:
    """End a match by a seat's fault before its first decision; its record has the deal and no other step."""
    session.fault(fault.seat, fault.kind, fault.message, 0.0)
    (event,) = session.expire(0.0)
    assert isinstance(event, MatchFinished)  # noqa: S101 - a fault ends a match
    return event.record
