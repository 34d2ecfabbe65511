"""The client of a referee: orders in, reports out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.referee_client.orders import DialIn, Endpoint, Hosted, HumanSource, Order, SeatOrder, Source
from arena.referee_client.reports import (
    Failed,
    Finished,
    OrderRefused,
    Outcome,
    Postponed,
    RefereeDraining,
    RefereeUnreachable,
    Report,
    SeatNotesText,
    SeatOutput,
    Started,
)

if TYPE_CHECKING:
    from arena.referee_client.control_client import Referee, WatchedStep
    from arena.referee_client.referee_process import local_referee

__all__ = [
    "DialIn",
    "Endpoint",
    "Failed",
    "Finished",
    "Hosted",
    "HumanSource",
    "Order",
    "OrderRefused",
    "Outcome",
    "Postponed",
    "Referee",
    "RefereeDraining",
    "RefereeUnreachable",
    "Report",
    "SeatNotesText",
    "SeatOrder",
    "SeatOutput",
    "Source",
    "Started",
    "WatchedStep",
    "local_referee",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - as Python has it
    """Import what needs gRPC when it is asked for: the web speaks of orders only, and is 10 MB smaller without it."""
    if name in {"Referee", "WatchedStep"}:
        from arena.referee_client import control_client  # noqa: PLC0415

        return getattr(control_client, name)
    if name == "local_referee":
        from arena.referee_client.referee_process import local_referee  # noqa: PLC0415

        return local_referee
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
