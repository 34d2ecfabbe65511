"""Teotlatolli in words."""

from __future__ import annotations

from arena.core.translatable import mark
from arena.games.phrases import Phrases

PHRASES = Phrases(
    actions={
        "draw": mark("draw two signs"),
        "keep": mark("keep the hand as it is"),
        "play _ _": mark("play {a} to god {b}"),
        "switch _ _": mark("take {a} over at god {b}"),
        "move _ depot _": mark("move {a} from the depot to god {c}"),
        "move _ _ _": mark("move {a} from god {b} to god {c}"),
        "use _": mark("spend {a} for one more switch or move"),
        "discard _": mark("discard {a}"),
        "give _": mark("give {a} into the other depot"),
        "end": mark("end the turn"),
    },
    verbs={
        "draw": mark("draw"),
        "keep": mark("keep the hand"),
        "play": mark("play"),
        "switch": mark("switch"),
        "move": mark("move"),
        "use": mark("use"),
        "discard": mark("discard"),
        "give": mark("give"),
        "end": mark("end the turn"),
    },
    chance={"reshuffle": mark("the discarded signs become the new reserve")},
)
