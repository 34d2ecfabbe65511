"""Lifeboats in words, its talk included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.core.translatable import mark, say, say_many
from arena.games.kernel import Action, Claim
from arena.games.lifeboats.view import LifeboatsView
from arena.games.phrases import OptionWords, Phrases

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


_TALKS = {
    "leak": mark("Talk before the vote: which boat leaks?"),
    "move": mark("Talk before the vote: which boat moves?"),
    "overboard": mark("Talk before the vote: who goes overboard?"),
}
_VOTES = {
    "leak": mark("Vote: which boat leaks?"),
    "move": mark("Vote: which boat moves?"),
    "overboard": mark("Vote: who goes overboard?"),
}
_CHOICES = {
    "leak": mark("You decide: which boat leaks?"),
    "move": mark("You decide: which boat moves?"),
    "overboard": mark("You decide: who goes overboard?"),
}
_TASKS = {
    "board": mark("Seat a sailor or an officer in a boat"),
    "stick": mark("Let the talk go on, or end it?"),
    "leave": mark("Take a sailor or an officer out of a boat"),
}


def _task(view: LifeboatsView, seat: int, _legal: Sequence[Action]) -> str:
    match view.stage:
        case "talk":
            return _TALKS[view.vote]
        case "vote":
            return _VOTES[view.vote]
        case "choose":
            return _CHOICES[view.vote]
        case "launch":
            own = view.boats[seat].column == 0
            return (
                mark("Choose a column for your boat") if own else mark("Choose a column for the black boat")
            )
        case "enter":
            officer = view.left[-1].pawn == "o"
            return (
                mark("Put your officer into another boat")
                if officer
                else mark("Put your sailor into another boat")
            )
    return _TASKS[view.stage]


def _promises(view: LifeboatsView, seat: int, names: Sequence[str]) -> list[tuple[Claim, str]]:
    """List the promises of a vote that a seat has."""
    if view.vote != "overboard":
        return [
            (Claim("promise", seat, boat, "this"), say("I vote {boat}", boat=_name(boat)))
            for boat in view.options
        ]
    letters = [boat.letter for boat in view.boats]
    sinking = view.boats[letters.index(view.boat)]
    if not sinking.sailors[seat] + sinking.officers[seat]:
        return []
    return [
        (
            Claim("promise", seat, colour, "this"),
            say("I vote {boat}: {name}", boat=_name(colour), name=names[letters.index(colour)]),
        )
        for colour in view.options
    ]


def _placing(values: Mapping[str, int]) -> str:
    return say("boats placed at random") if values["dealt"] else say("boats placed by the players")


def _talking(values: Mapping[str, int]) -> str:
    if not values["talk"]:
        return say("no talk")
    return say_many("{number} round of talk", "{number} rounds of talk", values["talk"])


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
    addressed={
        "✓ {name} keeps the promise to vote for {boat}.": mark("✓ You keep the promise to vote for {boat}."),
        "✗ {name} breaks the promise to vote for {boat}.": mark(
            "✗ You break the promise to vote for {boat}."
        ),
        "{name} scores {points}.": mark("You score {points}."),
        "A sailor of {name} drowns.": mark("One of your sailors drowns."),
        "An officer of {name} drowns.": mark("One of your officers drowns."),
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
    options={
        "dealt": OptionWords(mark("Place the boats at random"), _placing),
        "talk": OptionWords(mark("Rounds of talk before a vote"), _talking),
    },
    variants={"stick": mark("With a talking stick")},
    task=_task,
    one_click_lines=_promises,
    chance={"setup": mark("The boats are launched.")},
    claims={
        "promise": mark("promises to vote {vote} {when}"),
        "ask": mark("asks {seat} to vote {vote} {when}"),
        "ask the same": mark("asks {seat} to do the same"),
        "threat": mark("threatens to vote {vote} {when}"),
    },
    claim_verbs={"promise": mark("promises"), "ask": mark("asks"), "threat": mark("threatens")},
    whens={
        "this": mark("now"),
        "leak": mark("at the next leak"),
        "move": mark("at the next move"),
        "overboard": mark("when the next sailor goes overboard"),
    },
)
