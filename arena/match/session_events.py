"""Events of a session: its requests to the shell, and the bookkeeping of open asks."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final, final

from arena.games.kernel import Action, Decision, Step, TalkLimits
from arena.games.values import Value
from arena.match.clock import Clock, time_left_ms
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Record

_LISTED = 20


@final
class DecisionRequested(Value):
    """Ask a seat.

    `actions` are the legal actions of a choice; `talk` are the limits of a line, and then there are no actions.
    `seen` is what the seat has seen since its last ask.
    """

    __slots__ = ("actions", "bank_ms", "decision", "limit_ms", "seat", "seen", "talk")

    def __init__(
        self,
        seat: int,
        decision: int,
        actions: tuple[Action, ...],
        talk: TalkLimits | None,
        seen: tuple[Step, ...],
        bank_ms: float,
        limit_ms: float,
    ) -> None:
        self.seat: Final = seat
        self.decision: Final = decision
        self.actions: Final = actions
        self.talk: Final = talk
        self.seen: Final = seen
        self.bank_ms: Final = bank_ms
        self.limit_ms: Final = limit_ms


@dataclass(frozen=True, slots=True)
class MatchFinished:
    """The match is over."""

    record: Record


Event = DecisionRequested | MatchFinished


class PendingDecision:
    """An ask that has no answer yet.  Mutable and private to the session: its clock starts when it is handed over."""

    __slots__ = ("ask", "deadline_ms", "kind", "opened_ms", "place")

    def __init__(self, ask: DecisionRequested, kind: Decision, place: int) -> None:
        self.ask = ask
        self.kind = kind
        self.place = place
        """Its index among the decisions of the point."""
        self.opened_ms = inf
        self.deadline_ms = inf

    def open(self, at_ms: float) -> None:
        """Start the clock."""
        self.opened_ms = at_ms
        self.deadline_ms = at_ms + self.ask.limit_ms

    def illegal(self, index: int) -> str:
        """Return what is wrong with the index of an action that was not offered."""
        actions = self.ask.actions
        listed = ", ".join(actions[:_LISTED]) + (", …" if len(actions) > _LISTED else "")
        return f"decision {self.ask.decision}, action {index}: must be 0 to {len(actions) - 1}, the index of one of {listed}"

    def left_ms(self, at_ms: float) -> float:
        """Return how much time is left to answer it."""
        return self.ask.limit_ms if self.opened_ms == inf else time_left_ms(self.deadline_ms, at_ms)

    def timeout(self, clock: Clock) -> SeatFault:
        """Return the fault of a seat that let its time run out."""
        ask = self.ask
        answered = clock.answered(ask.seat)
        if ask.bank_ms <= ask.limit_ms:
            why = "all that was left of its bank"
        else:
            why = f"the most for one decision, with {ask.bank_ms / 1000:.1f} s left in its bank"
        message = (
            f"decision {ask.decision}: no answer within {ask.limit_ms:.0f} ms, {why}; it had thought for "
            f"{clock.thought_ms(ask.seat) / 1000:.1f} s in {answered} {'decision' if answered == 1 else 'decisions'}, "
            f"its time is {clock.time.in_words()}"
        )
        return SeatFault(ask.seat, FaultKind.TIMEOUT, message)
