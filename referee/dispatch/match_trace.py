"""The trace of a match: a span for it, and spans for its 1st, 2nd, 4th, 8th … decision, 14 of 10,000."""

from __future__ import annotations

import time

from arena.monitoring import tracing


class MatchTrace:
    """Gathers the spans of a match; they are sent when it is over.  Mutable."""

    def __init__(self, parent: str) -> None:
        self._parent = parent
        self._began_ns = time.time_ns()
        self._count = 0
        self._open: dict[tuple[int, int], tuple[int, int]] = {}
        self._decisions: list[tuple[int, int, int, int]] = []
        """Number, seat, beginning and end of the decisions that have spans."""

    def asked(self, seat: int, decision: int) -> None:
        """Take note that a seat is asked."""
        self._count += 1
        if self._count & (self._count - 1) == 0:
            self._open[seat, decision] = self._count, time.time_ns()

    def answered(self, seat: int, decision: int) -> None:
        """Take note that a seat has answered."""
        if self._open and (found := self._open.pop((seat, decision), None)) is not None:
            self._decisions.append((found[0], seat, found[1], time.time_ns()))

    def end(self, ending: str, **attributes: object) -> None:
        """Send the spans."""
        now_ns = time.time_ns()
        own = tracing.record(
            "match", self._parent, self._began_ns, now_ns, end=ending, decisions=self._count, **attributes
        )
        for number, seat, began_ns, ended_ns in self._decisions:
            tracing.record("decision", own, began_ns, ended_ns, number=number, seat=seat)
