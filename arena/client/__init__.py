"""A client of an arena's JSON API, for the command line and for programs of one's own."""

from arena.client.arena_client import ArenaClient
from arena.client.http_connection import ArenaUnreachable, Event, Refused, Row, check_url

__all__ = ["ArenaClient", "ArenaUnreachable", "Event", "Refused", "Row", "check_url"]
