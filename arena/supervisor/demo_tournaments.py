"""The house bots, and the tournaments that a new arena begins with."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.games import registry
from arena.reports import tournaments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.storage import Store

_THINKS_LONG = "search"
"""Takes a tenth of a second for each decision: with it the first tournaments would last hours."""

_DEMO_CYCLES = {"lost_cities": 6, "land_unter": 6, "bottle_imp": 4, "lifeboats": 2, "teotlatolli": 6}


def house_bots() -> Mapping[str, tuple[str, ...]]:
    """Name the house bots of each game: the modules in their folders; `_…` is what they share.

    They are found by their files and not imported, as the platform knows no bot.
    """
    spec = find_spec("bots")
    folders = [Path(place) for place in (spec.submodule_search_locations or ())] if spec else []
    return {
        game: tuple(
            sorted(
                file.stem
                for folder in folders
                for file in (folder / game).glob("*.py")
                if not file.stem.startswith("_")
            )
        )
        for game in registry.GAMES
    }


def move_in(store: Store, *, demo: bool) -> None:
    """Make the house bots known; in a store without tournaments, begin the demo's, each with all quick bots of its game."""
    house = house_bots()
    bots.register_house(store, house)
    if not demo or tournaments.listing(store):
        return
    for game, cycles in _DEMO_CYCLES.items():
        quick = tuple(bot for bot in house[game] if bot != _THINKS_LONG)
        spec = TournamentSpec(game, quick, cycles=cycles, name=f"House bots: {registry.find(game).title}")
        creation.create(store, spec)
