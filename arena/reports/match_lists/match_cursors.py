"""Cursors: a match as a text, after which a list goes on."""

from __future__ import annotations

from arena.competition.matches.stored_dramas import MatchKey

PATTERN = r"^[0-9]{1,10}-[0-9]{1,10}-[0-9]{1,10}$"
"""TOURNAMENT-SET-MATCH."""


def write(key: MatchKey) -> str:
    """Write a match as a cursor."""
    return "-".join(map(str, key))


def parse(cursor: str | None) -> MatchKey | None:
    """Read a cursor that matches `PATTERN`; None without one."""
    if cursor is None:
        return None
    tournament_id, number, match = map(int, cursor.split("-"))
    return tournament_id, number, match
