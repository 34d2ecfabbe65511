"""The client of a referee: orders in, reports out."""

from arena.play.client import Referee, Watched
from arena.play.local import local_referee
from arena.play.orders import DialIn, Endpoint, Held, Hosted, Order, SeatOrder, Source
from arena.play.reports import (
    Failed,
    Finished,
    OrderRefused,
    Outcome,
    Postponed,
    RefereeUnreachable,
    Report,
    SeatOutput,
    Started,
)

__all__ = [
    "DialIn",
    "Endpoint",
    "Failed",
    "Finished",
    "Held",
    "Hosted",
    "Order",
    "OrderRefused",
    "Outcome",
    "Postponed",
    "Referee",
    "RefereeUnreachable",
    "Report",
    "SeatOrder",
    "SeatOutput",
    "Source",
    "Started",
    "Watched",
    "local_referee",
]
