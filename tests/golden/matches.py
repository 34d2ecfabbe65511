"""The golden matches of all games, and the files that they lie in."""

from __future__ import annotations

from pathlib import Path

from arena.devtools.golden_matches import golden_matches
from arena.games import registry
from arena.games.checks import Checks
from tests.games.playing import GAMES

FOLDERS = {
    game: registry.package(game).golden if game in registry.GAMES else Path(__file__).parent for game in GAMES
}
"""By game: where its golden matches lie; those of the tests' own game lie here."""


def checks(game: str) -> Checks:
    """Return what holds a game to its rules; of the tests' own game it is what is usual."""
    found = registry.package(game).checks if game in registry.GAMES else None
    return found or Checks(twins=None)


MATCHES = {match.name: match for name, game in GAMES.items() for match in golden_matches(game, checks(name))}


def path(name: str) -> Path:
    """Return the file of a golden match."""
    return FOLDERS[MATCHES[name].configuration.game.id] / f"{name}.json"
