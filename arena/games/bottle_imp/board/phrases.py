"""The Bottle Imp in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.core.translatable import mark, say, say_many
from arena.games.bottle_imp.view import BottleImpView
from arena.games.kernel import Action
from arena.games.phrases import OptionWords, Phrases

_TASKS = {
    "devil": mark("Choose a card for the devil"),
    "left": mark("Choose a card for your left neighbour"),
    "right": mark("Choose a card for your right neighbour"),
    "pass": mark("Choose a card for the other player"),
    "open": mark("Which hand do you lay open?"),
    "play": mark("Play a card"),
}


def _task(view: BottleImpView, _seat: int, _legal: Sequence[Action]) -> str:
    if view.choosing == "play" and not view.trick:
        return mark("Lead the next trick")
    return _TASKS[view.choosing]


def _length(values: Mapping[str, int]) -> str:
    if values.get("target"):
        return say("to {points} points", points=values["target"])
    return say_many("{number} hand", "{number} hands", values["hands"])


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
    addressed={
        "{name} takes the trick for {points}.": mark("You take the trick for {points}."),
        "{name} takes the trick for {points} and the bottle; its price is now {price}.": mark(
            "You take the trick for {points} and the bottle; its price is now {price}."
        ),
        "{name} is left with the bottle, and damned.": mark("You are left with the bottle, and damned."),
    },
    verbs={
        "devil": mark("to the devil"),
        "left": mark("to the left"),
        "right": mark("to the right"),
        "pass": mark("pass"),
        "open": mark("lay open"),
        "play": mark("play"),
    },
    options={
        "hands": OptionWords(mark("Hands"), _length),
        "target": OptionWords(
            mark("Points that end the match"), lambda _: "", mark("0: no limit, the hands are counted")
        ),
    },
    variants={"lopaka": "Lopaka", "bright_house": "Bright House"},
    task=_task,
)
