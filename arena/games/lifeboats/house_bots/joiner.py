"""Safety in numbers: gets into the boats that most sit in, and sends them home."""

from __future__ import annotations

from arena.games.lifeboats import LifeboatsView
from arena.games.lifeboats.house_bots._outcomes import aboard, find
from arena.games.lifeboats.house_bots.greedy import Greedy, rate
from arena.sdk import Decision, run


class Joiner(Greedy):
    """A boat that many want to land needs no friends of its own."""

    name = "joiner"

    def choose(self, decision: Decision[LifeboatsView]) -> str:
        view, me = decision.view, decision.seat

        def crowd(action: str) -> float:
            boat = find(view, action[-1])
            others = sum(count > 0 for count in map(sum, zip(boat.sailors, boat.officers, strict=True)))
            return others + 0.3 * aboard(boat) - boat.leaks + boat.row

        if view.stage == "leave":
            return min(decision.legal, key=lambda action: crowd(action) - 0.1 * ("o" in action.split()))
        if view.stage in {"board", "enter"}:
            return max(decision.legal, key=crowd)
        if view.vote == "leak" and view.stage == "vote":
            votes = [action for action in decision.legal if action != "hat"]
            return min(votes, key=lambda action: crowd(action) - 0.2 * rate(view, me, action))
        return super().choose(decision)


if __name__ == "__main__":
    run(Joiner())
