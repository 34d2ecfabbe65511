"""Listens: counts on the promises of those who have kept theirs, and joins what a majority can be had for."""

from __future__ import annotations

from arena.games.kernel import SILENCE, Line
from arena.games.lifeboats import LifeboatsView
from arena.games.lifeboats.house_bots._outcomes import gain, voters
from arena.games.lifeboats.house_bots._talk import asked_of, promise, promised, trusted, word
from arena.games.lifeboats.house_bots.tactician import REGRET, Tactician, best_vote
from arena.sdk import Decision, run


class Diplomat(Tactician):
    """Speaks in the second round of talk, when it knows what the others have said; its own word is good, too."""

    name = "diplomat"
    talks = True

    def say(self, decision: Decision[LifeboatsView]) -> Line:
        view, me = decision.view, decision.seat
        if view.talk_round != min(1, view.talk_rounds - 1) or me not in voters(view):
            return SILENCE
        letter, short = self.plan(decision)
        allies = [seat for seat in voters(view) if seat != me and gain(view, seat, letter) > 0]
        return SILENCE if short >= REGRET and view.seats[me].hats else promise(me, letter, allies)

    def choose(self, decision: Decision[LifeboatsView]) -> str:
        view = decision.view
        if view.stage == "stick":
            return "talk on"
        if kept := word(decision):
            return kept
        if view.stage != "vote":
            return super().choose(decision)
        letter, short = self.plan(decision)
        return "hat" if short >= REGRET and "hat" in decision.legal else f"vote {letter}"

    def plan(self, decision: Decision[LifeboatsView]) -> tuple[str, float]:
        """Return the vote that is best by what is known, and by how much it falls short of deciding alone."""
        view, me = decision.view, decision.seat
        friends = trusted(decision.history)
        known = {seat: letter for seat, letter in promised(decision.history).items() if seat in friends}
        letter, short = best_vote(view, me, known)
        # A friend's wish is granted where it costs little.
        for friend, wish in asked_of(decision.history, me).items():
            if (
                friend in friends
                and wish in view.options
                and gain(view, me, wish) > gain(view, me, letter) - 0.5
            ):
                return wish, short
        return letter, short


if __name__ == "__main__":
    run(Diplomat())
