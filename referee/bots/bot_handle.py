"""A bot as the desk knows it: whether it is there, what it plays, and what waits for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import TYPE_CHECKING, Protocol

from arena.match.faults import FaultKind
from arena.referee_client.orders import Source
from referee.launch.bot_process import Printed
from referee.launch.process_exit import new_incident
from referee.wire.bot_connection import BotConnection

if TYPE_CHECKING:
    from referee.dispatch.live_match import SeatBinding
    from referee.dispatch.pending_order import PendingOrder


class BotListener(Protocol):
    """Who is told about guests: the desk."""

    def on_connected(self, guest: BotHandle) -> None:
        """Take note that a bot is there."""
        ...

    def on_missing(self, guest: BotHandle, reason: str) -> None:
        """Take note that a bot is not there and will not be soon."""
        ...

    def on_start_failed(self, guest: BotHandle, kind: FaultKind, message: str) -> None:
        """Take note that a hosted bot failed before it could play."""
        ...

    def on_unavailable(self, guest: BotHandle, reason: str) -> None:
        """Take note that the platform could not bring a bot."""
        ...

    def forget(self, guest: BotHandle) -> None:
        """Drop the entry of one that will not come again."""
        ...


class BotHandle(ABC):
    """One bot: one source, at most one connection at a time.  Mutable."""

    def __init__(self, source: Source, host: BotListener) -> None:
        self.source = source
        self.listener = host
        self.connection: BotConnection | None = None
        self._silence = ""
        self.running: set[PendingOrder] = set()
        self.queue: deque[PendingOrder] = deque()
        self.reservations = 0
        """How many orders need it now; a hosted process with none may be ended to make room."""
        self.is_retiring = False
        """Whether its process must not begin another match: it has seen a deal that will be played again."""

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
        """See to it that it comes; the host is told how that ended."""

    @abstractmethod
    def on_disconnected(self, connection: BotConnection) -> None:
        """Take note that its connection has ended."""

    def excuse_ms(self, since_ms: float, at_ms: float) -> float:  # noqa: ARG002 - for those that run here
        """Return how much of the time since then the machine, and not the bot, took."""
        return 0.0

    def on_tick(self, now_ms: float) -> None:  # noqa: B027 - most have nothing to do
        """Do what is due ten times a second."""

    def on_match_over(self) -> None:  # noqa: B027 - most have nothing to do
        """Take note that one of its matches is over."""

    def printed(self, *, all_of_it: bool = False) -> Printed | None:  # noqa: ARG002 - most print elsewhere
        """Return what its process prints from now on, or from its start; None where that is not known."""
        return None

    def seats(self) -> list[SeatBinding]:
        """List the seats that it has in matches, lowest first in each."""
        return [
            chair
            for job in self.running
            if job.match is not None
            for chair in job.match.seats
            if chair.bot is self
        ]

    def charge_crash(self, message: str, at_ms: float, incident: str) -> None:
        """Charge it in all its matches; `incident` names the one thing that they end by."""
        for chair in self.seats():
            chair.match.charge(chair.seat, FaultKind.CRASH, message, at_ms, incident)

    def abort_matches(self, reason: str) -> None:
        """End all its matches without a result, for something that is nobody's fault."""
        for chair in self.seats():
            chair.match.abort(reason)

    def on_answer(self) -> None:
        """Take note that it has answered something."""
        self._silence = ""

    def silence_incident(self) -> str:
        """Name the time since its last answer: decisions that run out within it have one cause."""
        if not self._silence:
            self._silence = new_incident()
        return self._silence
