"""House bots as opponents: who they are in a word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.bot_registry import bots
from arena.core.translatable import mark

if TYPE_CHECKING:
    from arena.storage import Store

STYLES = {
    "random": mark("plays anything, at random: to learn the moves"),
    "greedy": mark("plays by a few simple rules: a fair first rival"),
    "search": mark("thinks ahead: as a rule the strongest"),
    "lost_cities/cautious": mark("starts few expeditions, each paid for in advance"),
    "lost_cities/collector": mark("collects colours, and plays them late"),
    "lost_cities/rusher": mark("plays at once, never waits"),
    "land_unter/low_profile": mark("ducks under every water card"),
    "land_unter/hoarder": mark("saves its high cards for the end"),
    "land_unter/counter": mark("counts cards, and knows its neighbours' hands"),
    "bottle_imp/cautious": mark("takes the bottle only where it is nearly sure to sell it"),
    "bottle_imp/daring": mark("takes the bottle early and often"),
    "bottle_imp/keeper": mark("keeps middling cards, and passes on what is dangerous"),
    "lifeboats/tactician": mark("expects the others to be greedy, and votes accordingly"),
    "lifeboats/captain": mark("spends its hats early"),
    "lifeboats/joiner": mark("gets into the fullest boats, and sends them home"),
    "lifeboats/keeper": mark("talks: says how it will vote, and keeps its word"),
    "lifeboats/liar": mark("talks: promises what you like to hear, and votes as it likes"),
    "lifeboats/diplomat": mark("talks: trusts those who kept their promises"),
    "teotlatolli/builder": mark("lays all that fits, and is open to thieves"),
    "teotlatolli/raider": mark("breaks up what you have nearly completed"),
    "teotlatolli/schemer": mark("does all that is free before it completes a god"),
}
"""By the bot's name, or by game and name: its style, for people."""

STANDARD = "greedy"
"""Who is asked first."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A house bot that can be played; `style` is empty where nobody has described it."""

    name: str
    version: str
    program: str
    style: str


def opponents(store: Store, game: str) -> tuple[Opponent, ...]:
    """List a game's house bots: `greedy` first, the others by name."""
    found = [
        Opponent(
            row.bot, row.version, row.program, STYLES.get(f"{game}/{row.bot}") or STYLES.get(row.bot, "")
        )
        for row in bots.listing(store, game, house=True)
        if row.hosted and row.state == bots.ACTIVE and row.program == f"house:{game}/{row.bot}"
    ]
    return tuple(sorted(found, key=lambda each: (each.name != STANDARD, each.name)))
