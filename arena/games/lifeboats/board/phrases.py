"""Lifeboats in words, its talk included."""

from __future__ import annotations

from arena.core.translatable import mark, say
from arena.games.phrases import Phrases

_COLOURS = {
    "W": mark("white"),
    "O": mark("orange"),
    "Y": mark("yellow"),
    "R": mark("red"),
    "G": mark("green"),
    "P": mark("purple"),
    "K": mark("black"),
}


def _name(word: str) -> str:
    """Write a boat as its colour."""
    return say(_COLOURS[word]) if word in _COLOURS else word


PHRASES = Phrases(
    actions={
        "launch _": mark("launch a boat in column {a}"),
        "board s _": mark("seat a sailor in the {b} boat"),
        "board o _": mark("seat an officer in the {b} boat"),
        "vote _": mark("vote for {a}"),
        "hat": mark("play a captain's hat"),
        "choose _": mark("decide for {a}"),
        "talk on": mark("have another round of talk"),
        "end talk": mark("end the talk"),
        "leave s _": mark("take a sailor out of the {b} boat"),
        "leave o _": mark("take an officer out of the {b} boat"),
        "enter _": mark("put it into the {a} boat"),
    },
    done={
        "launch _": (mark("launched a boat in column {a}"), mark("You launched a boat in column {a}")),
        "board s _": (mark("seated a sailor in the {b} boat"), mark("You seated a sailor in the {b} boat")),
        "board o _": (
            mark("seated an officer in the {b} boat"),
            mark("You seated an officer in the {b} boat"),
        ),
        "vote _": (mark("voted for {a}"), mark("You voted for {a}")),
        "hat": (mark("played a captain's hat"), mark("You played a captain's hat")),
        "choose _": (mark("decided for {a}"), mark("You decided for {a}")),
        "talk on": (mark("asked for another round of talk"), mark("You asked for another round of talk")),
        "end talk": (mark("ended the talk"), mark("You ended the talk")),
        "leave s _": (
            mark("took a sailor out of the {b} boat"),
            mark("You took a sailor out of the {b} boat"),
        ),
        "leave o _": (
            mark("took an officer out of the {b} boat"),
            mark("You took an officer out of the {b} boat"),
        ),
        "enter _": (mark("put the pawn into the {a} boat"), mark("You put the pawn into the {a} boat")),
    },
    verbs={
        "launch": mark("launch into column"),
        "board": mark("board"),
        "vote": mark("vote"),
        "hat": mark("captain's hat"),
        "choose": mark("decide"),
        "talk on": mark("let the talk go on"),
        "end talk": mark("end the talk"),
        "leave": mark("leave"),
        "enter": mark("enter"),
    },
    name=_name,
    draws_cards=False,
    chance={"setup": mark("the boats are launched")},
    claims={
        "promise": mark("promises: {vote}, {when}"),
        "ask": mark("asks {seat}: {vote}, {when}"),
        "threat": mark("threatens: {vote}, {when}"),
    },
    claim_verbs={"promise": mark("promises"), "ask": mark("asks"), "threat": mark("threatens")},
    whens={
        "this": mark("now"),
        "leak": mark("at the next leak"),
        "move": mark("at the next move"),
        "overboard": mark("when the next sailor goes overboard"),
    },
)
