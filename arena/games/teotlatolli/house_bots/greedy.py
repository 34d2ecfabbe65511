"""Plays Teotlatolli by a few simple rules: the model to start a bot of your own from.

If a god can be completed in this turn, it is.  Else every legal action gets a number, and the highest one is chosen; to
end the turn is worth nothing, so what hurts has a number below 0.  Try it: `arena match teotlatolli greedy random`.
"""

from __future__ import annotations

from arena.games.teotlatolli import TeotlatolliView
from arena.games.teotlatolli.cards import CARDINALS, SIGN_BITS
from arena.games.teotlatolli.house_bots._table import Place, Position, finish, fits, read, split
from arena.games.teotlatolli.state import HAND
from arena.sdk import Bot, Decision, run


class Greedy(Bot[TeotlatolliView]):
    """Completes what it can, takes what it can reach, and keeps in hand what could be taken from it."""

    name = "greedy"
    games = ("teotlatolli",)
    matches_at_once = 64

    exposure = 1.0
    """How much it minds cards that lie where they can be switched away."""
    thrift = 9.0
    """What a cardinal sign must bring before it is used: more than any switch does, so it is used only to complete a god."""

    def choose(self, decision: Decision[TeotlatolliView]) -> str:
        first = decision.legal[0]
        if first == "draw":
            return first
        view = decision.view
        position = read(view, decision.seat)
        if first.startswith(("discard", "give")):
            return min(decision.legal, key=lambda action: keep(SIGN_BITS[action.split()[1]], position, view))
        return finish(position) or max(decision.legal, key=lambda action: self.rate(action, position, view))

    def rate(self, action: str, position: Position, view: TeotlatolliView) -> float:
        """Rate an action, if no god can be completed now."""
        verb, *rest = action.split()
        if verb == "end":
            return 0.0
        if verb == "use":
            return self.rate_use(position)
        bit = SIGN_BITS[rest[0]]
        target = find(position, int(rest[-1]))
        if verb == "switch":
            return rate_switch(bit, target)
        if verb == "play":
            return self.rate_play(bit, target, len(view.hand) - HAND)
        return rate_move(bit, None if rest[1] == "depot" else find(position, int(rest[1])), target)

    def rate_play(self, bit: int, target: Place, surplus: int) -> float:
        """Lay cardinal signs, which are safe on a side; others when the hand is too full to hold them."""
        near = target.own.bit_count()
        if bit & CARDINALS:
            return 1.0 + near
        return near + (1.0 if surplus > 0 else -4.0) * self.exposure

    def rate_use(self, position: Position) -> float:
        """Use a cardinal sign to break up what the opponent is about to complete."""
        if position.switches:
            return -1.0
        return max([best_switch(place) for place in position.places]) - self.thrift


def rate_switch(bit: int, place: Place) -> float:
    """Rate taking a card at a god: the more there are on either side, the better."""
    if bit & place.theirs_twice:
        return -4.0  # it lies there twice and is in its owner's way; leave it
    if bit & place.own:
        return 0.5 + place.theirs.bit_count() - place.own.bit_count()  # it would be in our own way
    return 0.5 + place.theirs.bit_count() + place.own.bit_count()


def best_switch(place: Place) -> float:
    """Rate the best switch at a god; 0 where there is none."""
    return max([rate_switch(bit, place) for bit in split(place.theirs & ~CARDINALS)], default=0.0)


def rate_move(bit: int, source: Place | None, target: Place) -> float:
    """Rate a move: it should bring signs together, and what lies in the depot is of no use there."""
    near = target.own.bit_count()
    if source is None:
        return 0.5 + near
    return near + 1.0 - source.own.bit_count() + 2 * bool(source.own_twice & bit) - 0.5


def keep(bit: int, position: Position, view: TeotlatolliView) -> float:
    """Return how much a card in hand is worth keeping: for the gods that lack it, the nearer the better."""
    worth = sum([1.0 + place.own.bit_count() for place in position.places if fits(bit, place)])
    copies = sum([SIGN_BITS[name] == bit for name in view.hand])
    return worth / copies + bool(bit & CARDINALS)


def find(position: Position, god: int) -> Place:
    """Find the place of a god."""
    return next(place for place in position.places if place.god == god)


if __name__ == "__main__":
    run(Greedy())
