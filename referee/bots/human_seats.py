"""Seats of people who play: they join over the control port, and are then treated like bots."""

from __future__ import annotations

from arena.referee_client.orders import HumanSource
from referee.bots.bot_handle import BotHandle, BotListener
from referee.launch.process_exit import new_incident
from referee.limits.match_clock import StallAwareClock
from referee.wire.bot_connection import BotConnection


class HumanSeat(BotHandle):
    """A person at a seat.  There is no reconnecting: a person who disconnects has lost the match."""

    def __init__(self, source: HumanSource, listener: BotListener, clock: StallAwareClock) -> None:
        super().__init__(source, listener)
        self._clock = clock

    def accept(self, connection: BotConnection) -> None:
        """Begin the person's match over a connection that has sent its Hello."""
        self.connection = connection
        self.listener.on_connected(self)

    def request_start(self) -> None:
        """Report the person missing, and forget the seat: a person cannot be fetched, and a seat is named once."""
        self.listener.on_missing(self, "no player has joined this seat")
        self.listener.forget(self)

    def on_disconnected(self, connection: BotConnection) -> None:
        """Charge the person with the match."""
        if self.connection is not connection:
            return
        self.connection = None
        for seat in self.seats():
            seat.detach()
        self.charge_crash("left the table", self._clock.now_ms(), new_incident())
        if self.listener.has_orders_for(self):
            self.request_start()
