"""Plays Lifeboats by a few simple rules: the model to start a bot of your own from.

It asks one question of each boat: what will my pawns in it be worth, and what those of a rival?  Leaks go to the boats
of others, moves to its own, and pawns to where they are likely to arrive.
"""

from __future__ import annotations

from arena.games.lifeboats import LifeboatsView
from arena.games.lifeboats.view import LifeboatsBoat
from arena.sdk import Bot, Decision, run

SAILOR_POINTS = (0, 6, 6, 4, 4, 5, 5, 5)
"""By column, of which there is no 0; an officer is worth 2 more."""

STAKE = 12
"""A captain's hat is worth playing for so many points that land with this move."""

PLACES = 6


class Greedy(Bot[LifeboatsView]):
    """Votes for itself and against the rest, and trusts nobody."""

    name = "greedy"
    games = ("lifeboats",)
    matches_at_once = 64

    def choose(self, decision: Decision[LifeboatsView]) -> str:
        view, me = decision.view, decision.seat
        if view.vote == "move" and "hat" in decision.legal and landing(view, me) >= STAKE:
            return "hat"
        legal = [action for action in decision.legal if action != "hat"]
        return max(legal, key=lambda action: rate(view, me, action))


def rate(view: LifeboatsView, me: int, action: str) -> float:
    """Rate an action, comparable with the others of the same decision."""
    verb, *_, name = action.split()
    if view.stage == "stick":
        return verb == "end"  # it hears nothing that would change its mind
    if verb == "launch":
        return SAILOR_POINTS[int(name)]
    boat = next((each for each in view.boats if each.letter == name), view.boats[0])
    if verb in {"board", "enter"}:
        return prospect(boat)
    if verb == "leave":
        # Out of the worst boat; an officer is worth saving first.
        return -prospect(boat) + 0.1 * ("o" in action.split())
    if view.vote == "overboard":
        seat = next(at for at, each in enumerate(view.boats) if each.letter == name)
        return -100.0 if seat == me else view.seats[seat].score + hopes(view, seat)
    mine, theirs = balance(boat, me)
    return mine - theirs if view.vote == "move" else theirs - mine


def prospect(boat: LifeboatsBoat) -> float:
    """Guess what a sailor in this boat will score: less if it is far out, leaks, or has few aboard."""
    aboard = sum(boat.sailors) + sum(boat.officers)
    holds = (aboard + 1 - boat.leaks) / PLACES
    return SAILOR_POINTS[boat.column] * (0.3 + 0.3 * boat.row + 0.4 * min(holds, 0.7))


def worth(boat: LifeboatsBoat, seat: int) -> float:
    """Add up what a seat's pawns aboard score if they arrive."""
    points = SAILOR_POINTS[boat.column]
    return boat.sailors[seat] * points + boat.officers[seat] * (points + 2)


def balance(boat: LifeboatsBoat, me: int) -> tuple[float, float]:
    """Return what a boat is worth to me, and on average to each other seat; more, the nearer it is."""
    near = 1 + 0.5 * boat.row
    all_of_them = [worth(boat, seat) * near for seat in range(len(boat.sailors))]
    mine = all_of_them[me]
    return mine, (sum(all_of_them) - mine) / (len(all_of_them) - 1)


def hopes(view: LifeboatsView, seat: int) -> float:
    """Guess what a seat's pawns at sea will score."""
    return 0.5 * sum(worth(boat, seat) for boat in view.boats if boat.at_sea)


def landing(view: LifeboatsView, me: int) -> float:
    """Return the most that a boat which lands with its next move brings me."""
    return max((worth(boat, me) for boat in view.boats if boat.at_sea and boat.row == 2), default=0.0)


if __name__ == "__main__":
    run(Greedy())
