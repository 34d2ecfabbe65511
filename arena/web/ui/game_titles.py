"""Titles of games by id, and their seat counts in words."""

from __future__ import annotations

from arena.games.registry import GAMES, AnyGame

TITLES = {game.id: game.title for game in GAMES.values()}


def seat_counts(game: AnyGame) -> tuple[int, ...]:
    """List the seat counts that a game is played with, in any variant."""
    return tuple(sorted({count for counts in game.variants.values() for count in counts}))


def describe_seats(game: AnyGame) -> str:
    """Write the seat counts: `2` or `3–5`."""
    counts = seat_counts(game)
    return f"{counts[0]}–{counts[-1]}" if len(counts) > 1 else str(counts[0])
