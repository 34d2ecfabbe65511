"""Teotlatolli: who wins a god."""

from __future__ import annotations

from arena.core.translatable import say
from arena.games.narrating import Happening, ScoreSheet, SheetRow
from arena.games.teotlatolli.board.gods import god_name
from arena.games.teotlatolli.state import LAST_GOD, QUIET_LIMIT, TURN_LIMIT
from arena.games.teotlatolli.view import TeotlatolliView


def _is_over(view: TeotlatolliView) -> bool:
    first, second = map(len, view.completed)
    decided = first + second >= LAST_GOD and first != second
    return decided or view.turn >= TURN_LIMIT or view.quiet_turns >= QUIET_LIMIT


def draw_up(happening: Happening) -> ScoreSheet | None:
    """Return the sheet of a match that is over: which gods each seat has won."""
    if _is_over(happening.before) or not _is_over(happening.after):
        return None
    rows = tuple(
        SheetRow(seat, name, (", ".join(map(god_name, gods)) or "–", len(gods)))
        for seat, (name, gods) in enumerate(zip(happening.names, happening.after.completed, strict=True))
    )
    return ScoreSheet(say("The gods are shared out"), (say("Gods won"), say("Score")), rows)


def narrate(happening: Happening) -> list[str]:
    """Return which gods were won, by whom, and the resulting count of gods."""
    told: list[str] = []
    after = happening.after.completed
    for name, had, has in zip(happening.names, happening.before.completed, after, strict=True):
        told += [
            say("{name} wins {god}: {count} in all.", name=name, god=god_name(god), count=len(has))
            for god in has[len(had) :]
        ]
    return told
