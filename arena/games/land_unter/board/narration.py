"""Land Unter: who takes which water, who pays a lifebelt, who goes out, and how a round ends."""

from __future__ import annotations

from arena.core.translatable import say
from arena.games.land_unter.view import LandUnterView, Trick
from arena.games.narrating import Happening, ScoreSheet, SheetRow, list_scores


def _tricks(happening: Happening) -> tuple[Trick, ...]:
    """Return the tricks of the round that the point was played in."""
    before: LandUnterView = happening.before
    after: LandUnterView = happening.after
    is_over = len(after.scores) > len(before.scores)
    return after.last_round if is_over and len(after.tricks) <= len(before.tricks) else after.tricks


def draw_up(happening: Happening) -> ScoreSheet | None:
    """Return the sheet of a round that is over: each seat's level and lifebelts, and what they score."""
    before: LandUnterView = happening.before
    after: LandUnterView = happening.after
    if len(after.scores) == len(before.scores):
        return None
    played = _tricks(happening)[len(before.tricks) :]
    rows = []
    for seat, (name, stood, score) in enumerate(
        zip(happening.names, before.seats, after.scores[-1], strict=True)
    ):
        level = next((trick.took[seat] for trick in reversed(played) if trick.took[seat]), stood.level)
        belts = stood.lifebelts - sum(trick.paid.count(seat) for trick in played)
        is_in = stood.still_in and not any(seat in trick.went_out for trick in played)
        gained = (level, belts, "+1" if score > belts else "") if is_in else (say("out"), "", "")
        rows.append(SheetRow(seat, name, (*gained, score, sum(each[seat] for each in after.scores))))
    heads = (say("Water level"), say("Lifebelts"), say("Lowest level"), say("Score"), say("Total"))
    return ScoreSheet(say("Score of round {n}", n=len(after.scores)), heads, tuple(rows))


def narrate(happening: Happening) -> list[str]:
    """Return what a trick did to the seats, and at the end of a round its scores."""
    before: LandUnterView = happening.before
    after: LandUnterView = happening.after
    is_over = len(after.scores) > len(before.scores)
    told: list[str] = []
    for trick in _tricks(happening)[len(before.tricks) :]:
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
