"""Positions that a seat may be in: the module `sampler.py` of each game, for bots that search.

A sampler draws a whole state that agrees with what a seat knows:

    for every state and every seat that has a Choice in it, with s = sample(setup, view(state, seat), history, seat, random)
        view(s, seat) == view(state, seat)      to_act(s) == to_act(state)      legal(s, seat) == legal(state, seat)

What the seat cannot see is drawn from what its view and history leave open, every card as likely as any other; the chance
of later deals comes from a fresh stream.  The past may be represented by its sum (scores of past hands) in the
state.  Equal arguments and an equally seeded `random` give equal states.  A search draws one per iteration, so
it should take less than 100 µs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate
from random import Random

from arena.games import registry
from arena.games.package import Sampler


def sampler(game: str) -> Sampler:
    """Find the sampler of a game.  Raises UsageError for an unknown game."""
    return registry.package(game).sampler


def deal_out(
    cards: Sequence[int], sizes: Sequence[int], allowed: Sequence[Collection[int]] | None, random: Random
) -> list[list[int]]:
    """Deal cards to places of given sizes, each only where it is allowed; the sizes add up to the cards.

    `allowed[card]` are the places that may hold it; without, every place may, and all deals are equally likely; else they are
    nearly so.  Raises ValueError where there is no such deal.
    """
    shuffled = list(cards)
    random.shuffle(shuffled)
    if allowed is None:
        ends = list(accumulate(sizes))
        return [shuffled[end - size : end] for end, size in zip(ends, sizes, strict=True)]
    held: list[list[int]] = [[] for _ in sizes]
    # Groups that fit in few places go first.
    shuffled.sort(key=lambda card: len(allowed[card]))
    rooms = list(sizes)
    for card in shuffled:
        open_to = [place for place in allowed[card] if rooms[place]]
        if not open_to:
            open_to = [_make_room(card, held, rooms, allowed)]
        if len(open_to) == 1:
            place = open_to[0]
        else:
            # A place is as likely as it has room.
            at = int(random.random() * sum([rooms[each] for each in open_to]))
            for place in open_to:
                at -= rooms[place]
                if at < 0:
                    break
        held[place].append(card)
        rooms[place] -= 1
    return held


def _make_room(card: int, held: list[list[int]], rooms: list[int], allowed: Sequence[Collection[int]]) -> int:
    """Move cards on along the shortest chain that ends in a place with room; give the place that now has some."""
    came = dict.fromkeys(allowed[card], (-1, -1))
    queue = list(allowed[card])
    for place in queue:
        if rooms[place]:
            while came[place][0] >= 0:
                before, moved = came[place]
                held[before].remove(moved)
                held[place].append(moved)
                rooms[place] -= 1
                rooms[before] += 1
                place = before  # noqa: PLW2901 - back along the chain
            return place
        for other in held[place]:
            for target in allowed[other]:
                if target not in came:
                    came[target] = (place, other)
                    queue.append(target)
    raise ValueError(f"card {card}: no place is left that may hold it")
