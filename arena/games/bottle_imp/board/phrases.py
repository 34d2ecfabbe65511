"""The Bottle Imp in words."""

from __future__ import annotations

from arena.core.translatable import mark
from arena.games.phrases import Phrases

PHRASES = Phrases(
    actions={
        "devil ?": mark("give a card to the devil"),
        "left ?": mark("pass a card to the left"),
        "right ?": mark("pass a card to the right"),
        "pass ?": mark("pass a card"),
        "devil _": mark("give the {a} to the devil"),
        "left _": mark("pass the {a} to the left"),
        "right _": mark("pass the {a} to the right"),
        "pass _": mark("pass the {a}"),
        "open 1": mark("lay the first hand open"),
        "open 2": mark("lay the second hand open"),
        "play _": mark("play the {a}"),
    },
    done={
        "devil ?": (mark("gave a card to the devil"), mark("You gave a card to the devil")),
        "left ?": (mark("passed a card to the left"), mark("You passed a card to the left")),
        "right ?": (mark("passed a card to the right"), mark("You passed a card to the right")),
        "pass ?": (mark("passed a card"), mark("You passed a card")),
        "devil _": (mark("gave the {a} to the devil"), mark("You gave the {a} to the devil")),
        "left _": (mark("passed the {a} to the left"), mark("You passed the {a} to the left")),
        "right _": (mark("passed the {a} to the right"), mark("You passed the {a} to the right")),
        "pass _": (mark("passed the {a}"), mark("You passed the {a}")),
        "open 1": (mark("laid the first hand open"), mark("You laid the first hand open")),
        "open 2": (mark("laid the second hand open"), mark("You laid the second hand open")),
        "play _": (mark("played the {a}"), mark("You played the {a}")),
    },
    verbs={
        "devil": mark("to the devil"),
        "left": mark("to the left"),
        "right": mark("to the right"),
        "pass": mark("pass"),
        "open": mark("lay open"),
        "play": mark("play"),
    },
)
