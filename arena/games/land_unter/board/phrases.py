"""Land Unter in words."""

from __future__ import annotations

from arena.core.translatable import mark, say_many
from arena.games.phrases import OptionWords, Phrases

PHRASES = Phrases(
    actions={"play _": mark("play the {a}")},
    done={
        "play _": (mark("played the {a}"), mark("You played the {a}")),
    },
    addressed={
        "{name} takes water {water}.": mark("You take water {water}."),
        "{name} pays a lifebelt.": mark("You pay a lifebelt."),
        "{name} goes out.": mark("You go out."),
    },
    verbs={"play": mark("play")},
    options={
        "rounds": OptionWords(
            mark("Rounds"), lambda values: say_many("{number} round", "{number} rounds", values["rounds"])
        )
    },
    task=lambda *_: mark("Play a card"),
    chance={"water": mark("The water cards are shuffled.")},
)
