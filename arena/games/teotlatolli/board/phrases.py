"""Teotlatolli in words."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.translatable import mark
from arena.games.kernel import Action
from arena.games.phrases import Phrases
from arena.games.teotlatolli.board.gods import god_name
from arena.games.teotlatolli.view import TeotlatolliView

_TASKS = {
    "draw": mark("Draw two signs, or keep your hand"),
    "discard": mark("Discard a sign"),
    "give": mark("Give a sign to the other depot"),
}


def _task(view: TeotlatolliView, _seat: int, legal: Sequence[Action]) -> str:
    if view.extra:
        return mark("Switch or move one more sign")
    return _TASKS.get(legal[0].split()[0], mark("Play, switch or move signs, or end your turn"))


def _name(word: str) -> str:
    """Name a god by its number; a sign stays as it is."""
    return god_name(int(word)) if word.isdecimal() else word


PHRASES = Phrases(
    actions={
        "draw": mark("draw two signs"),
        "keep": mark("keep the hand as it is"),
        "play _ _": mark("play {a} to {b}"),
        "switch _ _": mark("take {a} over at {b}"),
        "move _ depot _": mark("move {a} from the depot to {c}"),
        "move _ _ _": mark("move {a} from {b} to {c}"),
        "use _": mark("spend {a} for one more switch or move"),
        "discard _": mark("discard {a}"),
        "give _": mark("give {a} into the other depot"),
        "end": mark("end the turn"),
    },
    done={
        "draw": (mark("drew two signs"), mark("You drew two signs")),
        "keep": (mark("kept the hand"), mark("You kept the hand")),
        "play _ _": (mark("played {a} to {b}"), mark("You played {a} to {b}")),
        "switch _ _": (mark("took {a} over at {b}"), mark("You took {a} over at {b}")),
        "move _ depot _": (
            mark("moved {a} from the depot to {c}"),
            mark("You moved {a} from the depot to {c}"),
        ),
        "move _ _ _": (
            mark("moved {a} from {b} to {c}"),
            mark("You moved {a} from {b} to {c}"),
        ),
        "use _": (
            mark("spent {a} for one more switch or move"),
            mark("You spent {a} for one more switch or move"),
        ),
        "discard _": (mark("discarded {a}"), mark("You discarded {a}")),
        "give _": (mark("gave {a} into the other depot"), mark("You gave {a} into the other depot")),
        "end": (mark("ended the turn"), mark("You ended the turn")),
    },
    addressed={
        "{name} wins {god}: {count} in all.": mark("You win {god}: {count} in all."),
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
    task=_task,
    name=_name,
    draws_cards=False,
    chance={"reshuffle": mark("The discarded signs become the new reserve.")},
)
