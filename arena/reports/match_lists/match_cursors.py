"""Cursors: a match as a text, after which a list continues."""

from __future__ import annotations

import re

from arena.competition.matches.stored_records import MatchKey
from arena.core.errors import Refusal

_PATTERN = re.compile(r"[0-9]{1,10}-[0-9]{1,10}-[0-9]{1,10}")
"""TOURNAMENT-SET-MATCH."""


def write(key: MatchKey) -> str:
    """Write a match as a cursor."""
    return "-".join(map(str, key))


def parse(cursor: str | None) -> MatchKey | None:
    """Read a cursor; None without one.  Raises Refusal."""
    if not cursor:
        return None
    if not _PATTERN.fullmatch(cursor):
        raise unknown(cursor)
    tournament_id, number, match = map(int, cursor.split("-"))
    return tournament_id, number, match


def unknown(cursor: str) -> Refusal:
    """Return the refusal of a cursor that names no match."""
    return Refusal(
        "cursor_unknown",
        f"cursor {cursor!r}: names no match; send the one of the page before, TOURNAMENT-SET-MATCH such as 7-41-0",
        field="cursor",
    )
