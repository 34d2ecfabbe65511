"""House bots as opponents: who they are in a word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from arena.bot_registry import bots
from arena.core.translatable import mark
from arena.games import registry

if TYPE_CHECKING:
    from arena.storage import Store

_COMMON = {
    "random": mark("plays at random: good for learning the moves"),
    "greedy": mark("follows a few simple rules: a good first opponent"),
    "search": mark("thinks ahead: usually the strongest"),
}
"""By name: the style of the bots that every game has.  Those of its own are in its `house_bots`."""

STANDARD = "greedy"
"""Who is asked first."""


@dataclass(frozen=True, slots=True)
class HouseOpponent:
    """A house bot as an opponent; `style` is empty if it has no description."""

    name: Annotated[str, Field(description="Its name.", examples=["greedy"])]
    version: Annotated[str, Field(exclude=True)]
    program: Annotated[str, Field(exclude=True)]
    style: Annotated[
        str, Field(description="How it plays, in a word.", examples=["plays by a few simple rules"])
    ]


def style(game: str, bot: str) -> str:
    """Return a house bot's style, in a line; empty if it has no description.  Raises UsageError."""
    return registry.package(game).styles.get(bot) or _COMMON.get(bot, "")


def opponents(store: Store, game: str) -> tuple[HouseOpponent, ...]:
    """List a game's house bots: `greedy` first, the others by name."""
    found = [
        HouseOpponent(row.bot, row.version, row.program, style(game, row.bot))
        for row in bots.listing(store, game, house=True)
        if row.hosted and row.state == bots.ACTIVE and row.program == f"house:{game}/{row.bot}"
    ]
    return tuple(sorted(found, key=lambda each: (each.name != STANDARD, each.name)))
