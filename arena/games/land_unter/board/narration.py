"""Land Unter: who takes which water, who pays a lifebelt, who goes out, and how a round ends."""

from __future__ import annotations

from arena.core.translatable import say
from arena.games.land_unter.view import LandUnterView
from arena.games.narrating import Happening, list_scores


def narrate(happening: Happening) -> list[str]:
    """Return what a trick did to the seats, and at the end of a round its scores."""
    before: LandUnterView = happening.before
    after: LandUnterView = happening.after
    is_over = len(after.scores) > len(before.scores)
    tricks = after.tricks
    if is_over and len(tricks) <= len(before.tricks):
        tricks = after.last_round
    told: list[str] = []
    for trick in tricks[len(before.tricks) :]:
        for name, water in zip(happening.names, trick.took, strict=True):
            if water:
                told.append(say("{name} takes water {water}.", name=name, water=water))
        told += [say("{name} pays a lifebelt.", name=happening.names[seat]) for seat in trick.paid]
        told += [say("{name} goes out.", name=happening.names[seat]) for seat in trick.went_out]
    if is_over:
        told.append(
            say("The round is over: {scores}.", scores=list_scores(happening.names, after.scores[-1]))
        )
    return told
