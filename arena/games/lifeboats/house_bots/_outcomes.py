"""What the house bots for Lifeboats that look ahead share: what an option of a vote does to a seat, and which will win."""

from __future__ import annotations

from collections.abc import Mapping

from arena.games.lifeboats import LifeboatsView
from arena.games.lifeboats.house_bots.greedy import PLACES, rate, worth
from arena.games.lifeboats.view import LifeboatsBoat

ARRIVES = (0.25, 0.45, 0.75)
"""By row: how likely a boat with enough aboard is to land."""


def gain(view: LifeboatsView, seat: int, letter: str) -> float:
    """Guess the points that an option of the vote at hand brings a seat, less what it brings the others on average."""
    boat = find(view, view.boat or letter)
    all_worth = [worth(boat, each) for each in range(len(view.seats))]
    now = chance(boat.row, boat.leaks, aboard(boat))
    if view.vote == "move":
        after = 1.0 if boat.row == 2 else chance(boat.row + 1, boat.leaks, aboard(boat))
        return (after - now) * margin(all_worth, seat)
    if view.vote == "overboard":
        victim = next(at for at, each in enumerate(view.boats) if each.letter == letter)
        after = chance(boat.row, boat.leaks + 1, aboard(boat) - 1)
        lost = [0.0] * len(all_worth)
        lost[victim] = all_worth[victim] / (boat.sailors[victim] + boat.officers[victim])
        left = [whole - part for whole, part in zip(all_worth, lost, strict=True)]
        return after * margin(left, seat) - now * margin(all_worth, seat)
    drowned = int(free(boat) == 0)
    after = chance(boat.row, boat.leaks + 1, aboard(boat) - drowned)
    return (after - now) * margin(all_worth, seat)


def chance(row: int, leaks: int, pawns: int) -> float:
    """Guess how likely a boat is to land with all aboard."""
    if leaks > pawns:
        return 0.0
    spare = min(pawns - leaks, 3)
    return ARRIVES[row] * (0.4 + 0.2 * spare)


def margin(points: list[float], seat: int) -> float:
    """Return a seat's points less the mean of the others'."""
    mine = points[seat]
    return mine - (sum(points) - mine) / (len(points) - 1)


def aboard(boat: LifeboatsBoat) -> int:
    """Count the pawns in a boat."""
    return sum(boat.sailors) + sum(boat.officers)


def free(boat: LifeboatsBoat) -> int:
    """Count the free places of a boat."""
    return PLACES - boat.leaks - aboard(boat)


def find(view: LifeboatsView, letter: str) -> LifeboatsBoat:
    """Find the boat of a letter."""
    return next(boat for boat in view.boats if boat.letter == letter)


def voters(view: LifeboatsView) -> dict[int, int]:
    """Return who votes in the vote at hand, and with which weight."""
    if view.vote != "overboard":
        return dict.fromkeys(range(len(view.seats)), 1)
    boat = find(view, view.boat)
    weights = {
        seat: 2 * officers + sailors
        for seat, (sailors, officers) in enumerate(zip(boat.sailors, boat.officers, strict=True))
    }
    return {seat: weight for seat, weight in weights.items() if weight}


def favourite(view: LifeboatsView, seat: int, among: tuple[str, ...]) -> str:
    """Guess what a seat would vote for if it thought of nothing but its own boats."""
    return max(among, key=lambda letter: rate(view, seat, f"vote {letter}"))


def expected(view: LifeboatsView, me: int, known: Mapping[int, str]) -> dict[int, str]:
    """Return what each other voter is expected to vote: what is known, else its favourite."""
    return {
        seat: known[seat] if known.get(seat) in view.options else favourite(view, seat, view.options)
        for seat in voters(view)
        if seat != me
    }


def winner(view: LifeboatsView, me: int, votes: Mapping[int, str]) -> str:
    """Return which option would win with these votes; the start player decides a tie."""
    weights = voters(view)
    tally = dict.fromkeys(view.options, 0)
    for seat, letter in votes.items():
        tally[letter] += weights[seat]
    most = max(tally.values())
    tied = tuple(letter for letter, weight in tally.items() if weight == most)
    if len(tied) == 1 or view.start != me:
        return favourite(view, view.start, tied)
    return max(tied, key=lambda letter: gain(view, me, letter))
