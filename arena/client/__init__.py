"""A client of an arena's JSON API, for the command line and for programs of one's own."""

from arena.client.answers import ArenaUnreachable, Event, Refused, check_url
from arena.client.async_arena import AsyncRemoteArena
from arena.client.remote_arena import RemoteArena

__all__ = ["ArenaUnreachable", "AsyncRemoteArena", "Event", "Refused", "RemoteArena", "check_url"]
