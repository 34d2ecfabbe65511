"""Writes the golden matches again; review the diff: each change is a change of the rules or of the record."""

from __future__ import annotations

from arena.devtools.golden_matches import write_golden
from tests.games.playing import GAMES
from tests.golden.matches import FOLDERS, checks

if __name__ == "__main__":
    for name, game in GAMES.items():
        write_golden(game, checks(name), FOLDERS[name])
