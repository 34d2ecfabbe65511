"""A client of an arena's JSON API, for the command line and for programs of one's own."""

from arena.client.client import ArenaClient, ArenaUnreachable, Me, NewToken, Token

__all__ = ["ArenaClient", "ArenaUnreachable", "Me", "NewToken", "Token"]
