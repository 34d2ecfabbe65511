"""Says how it will vote, asks others to do the same, and always keeps its word."""

from __future__ import annotations

from arena.games.kernel import SILENCE, Line
from arena.games.lifeboats import LifeboatsView
from arena.games.lifeboats.house_bots._outcomes import gain, voters
from arena.games.lifeboats.house_bots._talk import promise, word
from arena.games.lifeboats.house_bots.tactician import REGRET, Tactician, best_vote
from arena.sdk import Decision, run


class Keeper(Tactician):
    """Speaks in the first round of talk, and only then; before it plays a hat it says nothing."""

    name = "keeper"
    talks = True

    def say(self, decision: Decision[LifeboatsView]) -> Line:
        view, me = decision.view, decision.seat
        if view.talk_round or me not in voters(view):
            return SILENCE
        letter, short = best_vote(view, me, {})
        if short >= REGRET and view.seats[me].hats:
            return SILENCE
        willing = [seat for seat in voters(view) if seat != me and gain(view, seat, letter) > 0]
        return promise(me, letter, willing)

    def choose(self, decision: Decision[LifeboatsView]) -> str:
        return word(decision) or ("end talk" if decision.view.stage == "stick" else super().choose(decision))


if __name__ == "__main__":
    run(Keeper())
