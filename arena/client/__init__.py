"""A client of an arena's JSON API, for the command line and for programs of one's own."""

from arena.client.client import ArenaClient
from arena.client.connection import ArenaUnreachable, Event, Refused, Row, check_url

__all__ = ["ArenaClient", "ArenaUnreachable", "Event", "Refused", "Row", "check_url"]
