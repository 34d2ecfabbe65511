"""A bot as the dispatcher knows it: whether it is connected, and what it plays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

from arena.match.faults import FaultKind
from arena.referee_client.orders import Source
from referee.launch.bot_process import Printed
from referee.launch.process_exit import new_incident
from referee.metrics.time_buckets import TimeBuckets
from referee.wire.bot_connection import BotConnection


class BotSeat(Protocol):
    """A seat that a bot has in a match."""

    def resume(self, connection: BotConnection) -> None:
        """Continue the match on the connection of a bot that reconnected, unless it is over."""
        ...

    def detach(self) -> None:
        """Detach the seat from its lost connection; the clock of its open decision runs."""
        ...

    def freeze(self) -> None:
        """Accept no more input for the match: a fault has happened, and its message is not known yet."""
        ...

    def charge(self, kind: FaultKind, message: str, at_ms: float, incident: str) -> None:
        """Charge the seat with a fault that happened at `at_ms`."""
        ...

    def abort(self, reason: str) -> None:
        """End the match without a result, for a reason that no bot is charged with."""
        ...


class RunningOrder(Protocol):
    """An order whose match a bot plays."""

    def seats_of(self, bot: BotHandle) -> Sequence[BotSeat]:
        """Return the seats that a bot has in the match, lowest first; none once it is over."""
        ...


class BotListener(Protocol):
    """The receiver of what bots report: the dispatcher."""

    def has_orders_for(self, bot: BotHandle) -> bool:
        """Return whether orders wait for a bot."""
        ...

    def on_connected(self, bot: BotHandle) -> None:
        """Begin matches with a bot that has connected."""
        ...

    def on_missing(self, bot: BotHandle, reason: str) -> None:
        """Postpone the orders of a bot that is not connected and will not be soon."""
        ...

    def on_start_failed(self, bot: BotHandle, kind: FaultKind, message: str) -> None:
        """Charge a hosted bot that failed before it could play."""
        ...

    def on_unavailable(self, bot: BotHandle, reason: str) -> None:
        """Fail the orders of a bot that the platform could not start."""
        ...

    def forget(self, bot: BotHandle) -> None:
        """Drop the entry of a bot that will not connect again."""
        ...


class BotHandle(ABC):
    """One bot: one source, at most one connection at a time.  Mutable."""

    def __init__(self, source: Source, listener: BotListener) -> None:
        self.source = source
        self.listener = listener
        self.connection: BotConnection | None = None
        self.running: set[RunningOrder] = set()
        self.reservations = 0
        """The number of admitted orders that need it; a hosted process with none may be ended to make room."""
        self.decision_times = TimeBuckets()
        """Where the times of its decisions are counted; bots of a kind share one."""
        self.is_retiring = False
        """Whether its process must not begin another match: it has seen a deal that will be played again."""
        self._silence = ""
        """The incident of the decisions that time out before its next answer; empty until one does."""

    @property
    def is_connected(self) -> bool:
        """Whether it is connected."""
        return self.connection is not None and self.connection.closed is None

    @property
    def is_free(self) -> bool:
        """Whether it can begin a match now."""
        connection = self.connection
        return (
            connection is not None
            and connection.closed is None
            and not self.is_retiring
            and len(self.running) < connection.capacity
        )

    @abstractmethod
    def request_start(self) -> None:
        """Begin to connect, unless that is going on; the outcome is reported to the listener."""

    @abstractmethod
    def on_disconnected(self, connection: BotConnection) -> None:
        """Handle the end of a connection."""

    def scheduling_delay_ms(self, since_ms: float, at_ms: float) -> float:  # noqa: ARG002 - used for hosted bots
        """Return how much of the time from `since_ms` to `at_ms` its process waited for a core; 0 if it runs elsewhere."""
        return 0.0

    def on_tick(self, now_ms: float) -> None:  # noqa: B027 - most have nothing to do
        """Do periodic work, ten times a second."""

    def on_match_begun(self) -> None:  # noqa: B027 - most have nothing to do
        """Prepare for a match that begins."""

    def on_match_over(self) -> None:  # noqa: B027 - most have nothing to do
        """Handle the end of one of its matches."""

    def printed(self, *, all_of_it: bool = False) -> Printed | None:  # noqa: ARG002 - used for hosted bots
        """Return what its process prints from now on, or from its start; None if it runs elsewhere."""
        return None

    def seats(self) -> list[BotSeat]:
        """List the seats that it has in matches, lowest first in each."""
        return [seat for order in self.running for seat in order.seats_of(self)]

    def charge_crash(self, message: str, at_ms: float, incident: str) -> None:
        """Charge it in all its matches; `incident` names their common cause."""
        for seat in self.seats():
            seat.charge(FaultKind.CRASH, message, at_ms, incident)

    def abort_matches(self, reason: str) -> None:
        """End all its matches without a result, for a reason that no bot is charged with."""
        for seat in self.seats():
            seat.abort(reason)

    def on_answer(self) -> None:
        """End its silence."""
        self._silence = ""

    def silence_incident(self) -> str:
        """Return the incident of its silence since its last answer: decisions that time out within it have one cause."""
        if not self._silence:
            self._silence = new_incident()
        return self._silence
