"""Draws positions of Land Unter that a seat may be in (arena.games.sampling).

The hands go on from seat to seat, so what was played from a hand in earlier rounds is still in it; and all can count the
lifebelts that each hand is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from arena.games.chance import SEED_BYTES, Stream
from arena.games.kernel import Chance, Played, Setup, Step
from arena.games.land_unter.state import (
    HALVES,
    HAND,
    WATER,
    WEATHER,
    Cards,
    LandUnterState,
)
from arena.games.land_unter.view import LandUnterView

_PATIENCE = 2000
"""Pairs that are looked at before the cards are shuffled again."""


def sample(
    setup: Setup, view: LandUnterView, history: Sequence[Step], seat: int, random: Random
) -> LandUnterState:
    """Draw the cards of the other hands that were never seen, worth the lifebelts they are known to be worth."""
    seats = setup.seats
    known = know_hands(view, history, seat, seats)
    dealt = _deal(known, _count_belts(view, seats), random)
    water = list(WATER)
    turned: list[int] = []
    for trick in view.tricks:
        turned += trick.water
    turned += view.water
    for card in turned:
        water.remove(card)
    random.shuffle(water)
    return LandUnterState(
        stream=Stream(random.randbytes(SEED_BYTES)),
        rounds=view.rounds,
        dealt=dealt[:seats],
        rest=dealt[seats],
        scores=view.scores,
        last_round=view.last_round,
        water=(*turned, *water),
        tricks=view.tricks,
        hands=tuple([_left(dealt[(at - view.round) % seats], view, at) for at in range(seats)]),
        still_in=tuple([each.still_in for each in view.seats]),
        lifebelts=tuple([each.lifebelts for each in view.seats]),
        levels=tuple([each.level for each in view.seats]),
    )


def know_hands(view: LandUnterView, history: Sequence[Step], seat: int, seats: int) -> list[set[int]]:
    """Return, by the seat they were first dealt to, the cards that a seat knows in each hand."""
    known: list[set[int]] = [set() for _ in range(seats)]
    number = -1
    for step in history:
        if type(step) is Played:
            known[(step.seat - number) % seats].add(int(step.action[5:]))
        elif type(step) is Chance:
            if step.name == "water":
                number += 1
            else:
                known[seat].update(map(int, step.outcome[seat].split()))
    known[(seat - view.round) % seats].update(view.hand)
    return known


def _count_belts(view: LandUnterView, seats: int) -> list[int]:
    """Return the lifebelts that each hand is worth, by the seat it was first dealt to."""
    belts = [0] * seats
    for at, each in enumerate(view.seats):
        paid = sum([at in trick.paid for trick in view.tricks])
        belts[(at - view.round) % seats] = each.lifebelts + paid
    return belts


def _left(dealt: Cards, view: LandUnterView, seat: int) -> Cards:
    """Return what is left of a hand in this round."""
    if not view.seats[seat].still_in:
        return ()
    played = [trick.cards[seat] for trick in view.tricks]
    return tuple([card for card in dealt if card not in played])


def _deal(known: list[set[int]], belts: list[int], random: Random) -> tuple[Cards, ...]:
    """Deal the unseen cards: the hands, ascending, then the rest."""
    unseen = list(set(WEATHER).difference(*known))
    rest = len(known)
    owners: list[int] = []
    for hand, cards in enumerate(known):
        owners += [hand] * (HAND - len(cards))
    owners += [rest] * (len(unseen) - len(owners))
    # By hand, the halves that its unseen cards must show, or one more; the rest is free.
    wanted = [
        2 * worth - sum([HALVES[card] for card in cards]) for cards, worth in zip(known, belts, strict=True)
    ]
    random.shuffle(unseen)
    while not _settle(unseen, owners, wanted, random):
        random.shuffle(unseen)
    hands: list[list[int]] = [*map(list, known), []]
    for hand, card in zip(owners, unseen, strict=True):
        hands[hand].append(card)
    return tuple([tuple(sorted(cards)) for cards in hands])


def _settle(unseen: list[int], owners: list[int], wanted: list[int], random: Random) -> bool:
    """Swap random pairs of cards, never away from what is wanted, until all constraints hold; or give up."""
    rest = len(wanted)
    over = [-halves for halves in wanted]
    over.append(0)
    for hand, card in zip(owners, unseen, strict=True):
        over[hand] += HALVES[card]
    wrong = sum([_off(over[hand]) for hand in {*owners} - {rest}])
    count = len(unseen)
    for _ in range(_PATIENCE):
        if not wrong:
            return True
        one, two = int(random.random() * count), int(random.random() * count)
        more = HALVES[unseen[two]] - HALVES[unseen[one]]
        first, second = owners[one], owners[two]
        if not more or first == second:
            continue
        change = 0 if first == rest else _off(over[first] + more) - _off(over[first])
        change += 0 if second == rest else _off(over[second] - more) - _off(over[second])
        if change <= 0:
            unseen[one], unseen[two] = unseen[two], unseen[one]
            over[first] += more
            over[second] -= more
            wrong += change
    return not wrong


def _off(over: int) -> int:
    """Return how far a hand is from its lifebelts: an odd half does not count."""
    return -over if over < 0 else over - 1 if over else 0


def redeal(state: LandUnterState, random: Random) -> LandUnterState:
    """Draw the water cards that are still to be turned up, in this round and the later ones."""
    turned = 2 * (len(state.tricks) + 1)
    to_come = sorted(state.water[turned:])
    random.shuffle(to_come)
    return LandUnterState(
        stream=Stream(random.randbytes(SEED_BYTES)),
        rounds=state.rounds,
        dealt=state.dealt,
        rest=state.rest,
        scores=state.scores,
        last_round=state.last_round,
        water=(*state.water[:turned], *to_come),
        tricks=state.tricks,
        hands=state.hands,
        still_in=state.still_in,
        lifebelts=state.lifebelts,
        levels=state.levels,
    )
