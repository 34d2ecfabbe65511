"""Lost Cities in words."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.translatable import mark, say, say_many
from arena.games.kernel import Action
from arena.games.lost_cities.view import LostCitiesView
from arena.games.phrases import OptionWords, Phrases

_COLOURS = {
    "R": mark("red"),
    "G": mark("green"),
    "W": mark("white"),
    "B": mark("blue"),
    "Y": mark("yellow"),
}


def _name(word: str) -> str:
    """Write a card, or a colour."""
    if word[0] not in _COLOURS:
        return word
    colour = say(_COLOURS[word[0]])
    if word[1:] == "x":
        return say("a {colour} wager", colour=colour)
    return say("the {colour} {rank}", colour=colour, rank=word[1:]) if word[1:] else colour


def _task(_view: LostCitiesView, _seat: int, legal: Sequence[Action]) -> str:
    return mark("Draw a card") if legal[0].startswith("draw ") else mark("Play or discard a card")


PHRASES = Phrases(
    actions={
        "play _": mark("play {a}"),
        "discard _": mark("discard {a}"),
        "draw deck": mark("draw from the pile"),
        "draw _": mark("take the top card of the {a} discards"),
    },
    done={
        "play _": (mark("played {a}"), mark("You played {a}")),
        "discard _": (mark("discarded {a}"), mark("You discarded {a}")),
        "draw deck": (mark("drew from the pile"), mark("You drew from the pile")),
        "draw _": (
            mark("took the top card of the {a} discards"),
            mark("You took the top card of the {a} discards"),
        ),
    },
    addressed={"Expeditions of {name}: {points}.": mark("Your expeditions: {points}.")},
    verbs={"play": mark("play"), "discard": mark("discard"), "draw": mark("draw")},
    name=_name,
    options={
        "hands": OptionWords(
            mark("Hands"), lambda values: say_many("{number} hand", "{number} hands", values["hands"])
        )
    },
    task=_task,
)
