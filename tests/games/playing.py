"""Plays matches for the tests: random answers, everything kept."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from arena.devtools.golden_matches import record
from arena.games import codec as game_codec
from arena.games import registry
from arena.games.playouts import Configuration, Playout, Point, choose, configurations, play
from arena.games.registry import AnyGame
from arena.match.chances import Policy
from tests.games import tiny

__all__ = ["GAMES", "TABLES", "Configuration", "Playout", "Point", "choose", "codec", "play", "record"]

GAMES: dict[str, AnyGame] = {**registry.GAMES, tiny.TINY.id: tiny.TINY}
TABLES = [each for game in GAMES.values() for each in configurations(game)]


def codec(game: str) -> Any:
    module: ModuleType | Any = tiny if game == tiny.TINY.id else game_codec.codec(game)
    return module


def search_plan(game: str) -> Policy:
    """Return the plan of a game's search, which every game here has."""
    plan: Policy | None = registry.package(game).search_plan
    assert plan is not None
    return plan
