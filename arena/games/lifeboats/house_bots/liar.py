"""Promises what the others like to hear, and votes for what is best for itself."""

from __future__ import annotations

from arena.games.kernel import SILENCE, Line
from arena.games.lifeboats import LifeboatsView
from arena.games.lifeboats.house_bots._outcomes import gain, voters
from arena.games.lifeboats.house_bots._talk import promise
from arena.games.lifeboats.house_bots.tactician import Tactician
from arena.sdk import Decision, run


class Liar(Tactician):
    """Its word is for the seat that leads among the others; its vote is not."""

    name = "liar"
    talks = True

    def say(self, decision: Decision[LifeboatsView]) -> Line:
        view, me = decision.view, decision.seat
        if view.talk_round or me not in voters(view):
            return SILENCE
        others = [seat for seat in range(decision.seats) if seat != me]
        leader = max(others, key=lambda seat: view.seats[seat].score)
        likes = [letter for letter in view.options if gain(view, me, letter) < gain(view, leader, letter)]
        return promise(me, max(likes or view.options, key=lambda letter: gain(view, leader, letter)))

    def choose(self, decision: Decision[LifeboatsView]) -> str:
        return "talk on" if decision.view.stage == "stick" else super().choose(decision)


if __name__ == "__main__":
    run(Liar())
