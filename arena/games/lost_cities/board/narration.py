"""Lost Cities: what each expedition of a hand that is over has brought."""

from __future__ import annotations

from arena.core.translatable import say
from arena.games.lost_cities.board.drawing import weigh
from arena.games.lost_cities.board.phrases import PHRASES
from arena.games.lost_cities.view import LostCitiesView
from arena.games.narrating import Cards, Happening, ScoreSheet, SheetRow, list_scores

_MANY = 8
"""Cards of an expedition that bring the bonus."""


def _is_over(happening: Happening) -> bool:
    before, after = happening.before, happening.after
    return bool(
        before.totals != after.totals or before.hand_number != after.hand_number or not after.draw_pile
    )


def draw_up(happening: Happening) -> ScoreSheet | None:
    """Return the sheet of a hand that is over: each seat's points, and below them its expeditions."""
    if not _is_over(happening):
        return None
    before: LostCitiesView = happening.before
    rows: list[SheetRow] = []
    for seat, (worth, piles) in enumerate(zip(weigh(before), before.expeditions, strict=True)):
        points = sum(worth)
        total = before.totals[seat] + points
        rows.append(SheetRow(seat, happening.names[seat], ("", "", points, total)))
        rows += [_score(pile, brought) for pile, brought in zip(piles, worth, strict=True) if pile]
    heads = (say("Cards"), say("Sum"), say("Points"), say("Total"))
    return ScoreSheet(say("Score of hand {n}", n=before.hand_number + 1), heads, tuple(rows))


def _score(pile: tuple[str, ...], points: int) -> SheetRow:
    numbers = [int(name[1:]) for name in pile if name[1:] != "x"]
    times = 1 + len(pile) - len(numbers)
    worked = f"{sum(numbers)} − 20" if times == 1 else f"({sum(numbers)} − 20) × {times}"
    if len(pile) >= _MANY:
        worked += " + 20"
    cells = (Cards(" ".join(pile)), worked, points, "")
    return SheetRow(None, PHRASES.name(pile[0][0]), cells)


def narrate(happening: Happening) -> list[str]:
    """Return the scores at the end of a hand: each seat's, and those of its expeditions."""
    if not _is_over(happening):
        return []
    before: LostCitiesView = happening.before
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
