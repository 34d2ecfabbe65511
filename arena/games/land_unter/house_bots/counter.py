"""Counts cards: who can hold what, and so how likely each of its own cards is to be the highest or the second.

Each round the hands go on to the left, so from the second round on a rival plays the very cards that its right
neighbour was seen to play in the round before.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.kernel import Chance, Played, Step
from arena.games.land_unter import LandUnterView
from arena.games.land_unter.house_bots.greedy import HIGHEST, cost
from arena.sdk import Bot, Decision, run

HAND = 12


class Counter(Bot[LandUnterView]):
    """Weighs the water cards as `greedy` does, but knows much better which card gets which."""

    name = "counter"
    games = ("land_unter",)
    matches_at_once = 64

    def choose(self, decision: Decision[LandUnterView]) -> str:
        view = decision.view
        me = decision.seat
        low, high, none = (cost(view, me, water) for water in (*view.water, None))
        rivals = [
            held
            for seat, held in enumerate(count_hands(decision.history, decision.seats, view.hand))
            if seat != me and view.seats[seat].still_in
        ]

        def rate(card: int) -> float:
            highest, second = chances(card, rivals)
            return -(highest * low + second * high + (1 - highest - second) * none)

        return f"play {max(view.hand, key=rate)}"


def count_hands(history: Sequence[Step], seats: int, mine: Sequence[int]) -> list[list[int]]:
    """List the cards that each seat may still hold, as far as they were seen; the own seat's are not looked at."""
    rounds: list[list[set[int]]] = []
    for step in history:
        if isinstance(step, Chance) and step.name == "water":
            rounds.append([set() for _ in range(seats)])
        elif isinstance(step, Played):
            rounds[-1][step.seat].add(int(step.action[5:]))
    played = rounds[-1]
    # The hand that a seat plays now was played by seat − 1 in the round before, by seat − 2 in the one before that.
    known: list[set[int]] = [set() for _ in range(seats)]
    for back, before in enumerate(reversed(rounds)):
        for seat in range(seats):
            known[seat] |= before[(seat - back) % seats]
    elsewhere = set().union(*known, mine)
    unseen = [card for card in range(1, HIGHEST + 1) if card not in elsewhere]
    return [
        # A hand whose owner went out early was not seen whole: the rest of it may be anything unseen.
        [*(known[seat] - played[seat]), *(unseen if len(known[seat]) < HAND else ())]
        for seat in range(seats)
    ]


def chances(card: int, rivals: Sequence[Sequence[int]]) -> tuple[float, float]:
    """Return the chances to play the highest card, and the second highest, if each rival plays any of its cards."""
    none_above, one_above = 1.0, 0.0
    for held in rivals:
        above = sum(other > card for other in held) / len(held) if held else 0.0
        none_above, one_above = none_above * (1 - above), one_above * (1 - above) + none_above * above
    return none_above, one_above


if __name__ == "__main__":
    run(Counter())
