"""Traits of a bot's play of Teotlatolli: how much it lays out, takes over, moves and wastes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.core.translatable import mark
from arena.games.teotlatolli.state import TeotlatolliState
from arena.games.traits import PastPoint, Tallies, Tally, Trait, Traits

_PER_TURN = {
    "play": "plays",
    "switch": "switches",
    "move": "moves",
    "use": "uses",
    "discard": "wasted",
    "give": "wasted",
}


def count(seats: int, points: Sequence[PastPoint]) -> Sequence[Mapping[str, Tally]]:
    """Count the traits of each seat in a match."""
    tallies = Tallies(seats)
    for point in points:
        before: TeotlatolliState = point.before
        after: TeotlatolliState = point.after
        for step in point.played:
            verb = step.action.split()[0]
            if verb in _PER_TURN:
                tallies.add(step.seat, _PER_TURN[verb], 1, 0)
            elif verb != "end":
                tallies.add(step.seat, "keeps", verb == "keep")
        if after.turn > before.turn:
            for trait in dict.fromkeys(_PER_TURN.values()):
                tallies.add(before.seat, trait, 0)
            tallies.add(before.seat, "completed", 0)
        for seat in range(seats):
            gained = len(after.completed[seat]) - len(before.completed[seat])
            tallies.add(seat, "completed", gained, 0)
    return tallies.by_seat()


TRAITS = Traits(
    (
        Trait(
            id="plays",
            label=mark("Signs played per turn"),
            more=mark("Lays out many signs"),
            less=mark("Holds its signs back"),
        ),
        Trait(
            id="switches",
            label=mark("Signs taken over per turn"),
            more=mark("Often takes over signs"),
            less=mark("Seldom takes over signs"),
        ),
        Trait(
            id="moves",
            label=mark("Signs moved per turn"),
            more=mark("Moves its signs a lot"),
            less=mark("Seldom moves its signs"),
        ),
        Trait(
            id="uses",
            label=mark("Cardinal signs spent per turn"),
            more=mark("Spends many cardinal signs"),
            less=mark("Keeps its cardinal signs"),
        ),
        Trait(
            id="keeps",
            label=mark("Turns begun without drawing"),
            more=mark("Often draws nothing"),
            less=mark("Nearly always draws"),
            is_share=True,
        ),
        Trait(
            id="wasted",
            label=mark("Signs discarded or given away per turn"),
            more=mark("Loses many signs to the hand limit"),
            less=mark("Loses few signs to the hand limit"),
        ),
        Trait(
            id="completed",
            label=mark("Gods completed per turn"),
            more=mark("Completes gods quickly"),
            less=mark("Completes gods slowly"),
        ),
    ),
    count,
)
