"""House bots as opponents: who they are in a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from arena.bot_registry import bots
from arena.core.translatable import mark
from arena.games import registry
from arena.rankings import public_ratings

if TYPE_CHECKING:
    from arena.storage import Store

_COMMON = {
    "random": mark("plays at random: good for learning the moves"),
    "greedy": mark("follows a few simple rules: a good first opponent"),
    "search": mark("thinks ahead: usually the strongest"),
}
"""By name: the style of the bots that every game has.  Those of its own are in its `house_bots`."""

STANDARD = "greedy"
"""The bot that is the opponent by default."""

LEVELS = (mark("Beginner"), mark("Easy"), mark("Medium"), mark("Hard"), mark("Expert"))
"""The levels, from 1, in words."""
_UNRATED = {"random": 1, "greedy": 2, "search": 5}
"""By name: the level of a bot where not all have an Elo; the others are in the middle."""
_MIDDLE = 3


@dataclass(frozen=True, slots=True)
class HouseOpponent:
    """A house bot as an opponent; `style` is empty if it has no description."""

    name: Annotated[str, Field(description="Its name.", examples=["greedy"])]
    version: Annotated[str, Field("", exclude=True)]
    program: Annotated[str, Field("", exclude=True)]
    style: Annotated[
        str, Field(description="How it plays, in a word.", examples=["plays by a few simple rules"])
    ]
    level: Annotated[
        int, Field(description="From 1 for the game's easiest to 5 for its strongest, by Elo.", examples=[2])
    ] = 1

    @property
    def level_name(self) -> str:
        """Return its level in a word."""
        return LEVELS[self.level - 1]


def style(game: str, bot: str) -> str:
    """Return a house bot's style, in a line; empty if it has no description.  Raises UsageError."""
    return registry.package(game).styles.get(bot) or _COMMON.get(bot, "")


def opponents(store: Store, game: str) -> tuple[HouseOpponent, ...]:
    """List a game's house bots, the easiest first."""
    playing = [
        row
        for row in bots.listing(store, game, house=True)
        if row.hosted and row.state == bots.ACTIVE and row.program == f"house:{game}/{row.bot}"
    ]
    levels = level_of_each([row.bot for row in playing], public_ratings.house_elos(store, game))
    found = {
        row.bot: HouseOpponent(row.bot, row.version, row.program, style(game, row.bot), levels[row.bot])
        for row in playing
    }
    return tuple([found[name] for name in levels])


def level_of_each(names: Sequence[str], elos: Mapping[str, float]) -> dict[str, int]:
    """Return the level of each house bot, the easiest first: by Elo if all have one, else as they were made to be.

    Only the last by Elo is a beginner, and only the first an expert.
    """
    if not all(name in elos for name in names):
        levels = {name: _UNRATED.get(name, _MIDDLE) for name in names}
        return dict(sorted(levels.items(), key=lambda each: (each[1], each[0])))
    order = sorted(names, key=lambda name: (elos[name], name))
    between = max(len(order) - 2, 1)
    middle = {name: 2 + 3 * place // between for place, name in enumerate(order[1:-1])}
    return {name: middle.get(name, 1 if name == order[0] else len(LEVELS)) for name in order}


def choice_of_levels(known: Sequence[HouseOpponent]) -> tuple[HouseOpponent, ...]:
    """Choose up to three opponents for a quick start: the easiest, the standard one, the strongest."""
    if not known:
        return ()
    middle = next((each for each in known if each.name == STANDARD), known[len(known) // 2])
    return tuple(sorted({known[0], middle, known[-1]}, key=known.index))
