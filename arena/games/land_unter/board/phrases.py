"""Land Unter in words."""

from __future__ import annotations

from arena.core.translatable import mark
from arena.games.phrases import Phrases

PHRASES = Phrases(
    actions={"play _": mark("play the {a}")},
    done={
        "play _": (mark("played the {a}"), mark("You played the {a}")),
    },
    verbs={"play": mark("play")},
    chance={"water": mark("the water cards are shuffled")},
)
