"""Lost Cities: what each expedition of a hand that is over has brought."""

from __future__ import annotations

from arena.core.translatable import say
from arena.games.lost_cities.board.drawing import weigh
from arena.games.narrating import Happening, list_scores


def narrate(happening: Happening) -> list[str]:
    """Return the scores at the end of a hand: each seat's, and those of its expeditions."""
    before, after = happening.before, happening.after
    if before.totals == after.totals and before.hand_number == after.hand_number and after.draw_pile:
        return []
    worth = weigh(before)
    told: list[str] = [
        say("The hand is over: {scores}.", scores=list_scores(happening.names, [sum(each) for each in worth]))
    ]
    for name, each, piles in zip(happening.names, worth, before.expeditions, strict=True):
        begun = [
            f"{pile[0][0]} {points}".replace("-", "−")
            for points, pile in zip(each, piles, strict=True)
            if pile
        ]
        if begun:
            told.append(say("Expeditions of {name}: {points}.", name=name, points=", ".join(begun)))
    return told
