"""The house bots, and the tournaments that a new arena begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.games import registry
from arena.reports import tournaments

if TYPE_CHECKING:
    from arena.storage import Store

_THINKS_LONG = "search"
"""Takes a tenth of a second for each decision: with it the first tournaments would last hours."""


def move_in(store: Store, *, demo: bool) -> None:
    """Make the house bots known; in a store without tournaments, begin the demo's, each with all quick bots of its game."""
    house = {game: package.house_bots for game, package in registry.PACKAGES.items()}
    bots.register_house(store, house)
    if not demo or tournaments.listing(store):
        return
    for game, package in registry.PACKAGES.items():
        quick = tuple(bot for bot in house[game] if bot != _THINKS_LONG)
        if package.demo_cycles:
            name = f"House bots: {package.game.title}"
            creation.create(store, TournamentSpec(game, quick, cycles=package.demo_cycles, name=name))
