"""Watching a tournament: a look at its row every half second."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import fields

from arena.cli.support import progress_bar
from arena.cli.support.door import Arena
from arena.cli.support.json_output import print_json
from arena.cli.support.output import PlainConsole, echo
from arena.competition.tournament_states import OVER
from arena.reports.tournament_details import TournamentPage, TournamentRow

_EVERY_S = 0.5
_LINES = 10


def watch(arena: Arena, tournament_id: int, *, as_json: bool) -> TournamentPage:
    """Show the progress of a tournament on stderr until it is over, or as JSON lines on stdout.  Raises NotFound."""
    shown, is_bar = -1, PlainConsole(stderr=True).is_terminal
    with progress_bar.counting("matches") as show:
        for row in _changes(arena, tournament_id):
            tenth = _LINES * row.matches_done // max(1, row.matches_total)
            if as_json:
                print_json(row, indent=None)
            elif is_bar:
                show(row.matches_done, row.matches_total)
            elif tenth != shown:
                echo(f"{row.name}: {row.matches_done} of {row.matches_total} matches", err=True)
            shown = tenth
    return arena.tournaments.show(tournament_id)


def _changes(arena: Arena, tournament_id: int) -> Iterator[TournamentRow]:
    """Yield the row of a tournament now and after each change, up to its end."""
    last = _row(arena, tournament_id)
    yield last
    while last.state not in OVER:
        time.sleep(_EVERY_S)
        row = _row(arena, tournament_id)
        if row != last:
            yield row
        last = row


def _row(arena: Arena, tournament_id: int) -> TournamentRow:
    """Return the row of a tournament, which is computed faster than its page; challenges are not in the list.  Raises NotFound."""
    listed = arena.tournaments.list(limit=1, cursor=str(tournament_id + 1)).first.items
    found = next((row for row in listed if row.id == tournament_id), None) or arena.tournaments.show(
        tournament_id
    )
    return TournamentRow(**{field.name: getattr(found, field.name) for field in fields(TournamentRow)})
