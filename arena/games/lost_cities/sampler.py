"""Draws positions of Lost Cities that a seat may be in (arena.games.sampling)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from arena.games.chance import SEED_BYTES, Stream
from arena.games.kernel import Chance, Played, Setup, Step
from arena.games.lost_cities.state import CARDS, COLOURS, DECK, Cards, Deal, Hand, LostCitiesState
from arena.games.lost_cities.view import LostCitiesView


def sample(
    setup: Setup,  # noqa: ARG001 - the view says it all
    view: LostCitiesView,
    history: Sequence[Step],
    seat: int,
    random: Random,
) -> LostCitiesState:
    """Draw the rest of the other hand and the order of the draw pile; finished hands are represented by their sum."""
    hand = _read(view.hand)
    known = _read(view.opponent_known)
    expeditions = tuple([tuple([_read(pile) for pile in piles]) for piles in view.expeditions])
    discards = tuple([_read(pile) for pile in view.discards])
    unseen = list(DECK)
    for pile in (hand, known, *expeditions[0], *expeditions[1], *discards):
        for card in pile:
            unseen.remove(card)
    random.shuffle(unseen)
    split = len(unseen) - view.draw_pile
    other = tuple(sorted((*known, *unseen[:split])))
    mine = _drawn_openly(history, seat)
    past = _sum_up(view)
    return LostCitiesState(
        deal=Deal(
            stream=Stream(random.randbytes(SEED_BYTES)),
            hand_limit=view.hands,
            past=past,
            totals=(view.totals[0], view.totals[1]),
            starter=view.starter,
            pile=tuple(unseen[split:]),
        ),
        turn=view.turn,
        seat=seat,
        placing=len(hand) == len(other),
        discarded=CARDS[view.just_discarded] if view.just_discarded else -1,
        hands=(other, hand) if seat else (hand, other),
        known=(known, mine) if seat else (mine, known),
        expeditions=expeditions,
        discards=discards,
        drawn=0,
    )


def _read(names: Iterable[str]) -> Cards:
    return tuple([CARDS[name] for name in names])


def _sum_up(view: LostCitiesView) -> tuple[Hand, ...]:
    if not view.hand_number:
        return ()
    first = Hand((view.totals[0], view.totals[1]), 0, 0, limited=False)
    return (first, *[Hand((0, 0), 0, 0, limited=False)] * (view.hand_number - 1))


def _drawn_openly(history: Sequence[Step], seat: int) -> Cards:
    """Return the cards in a seat's hand that it took from a discard pile, so that the other seat knows them."""
    start = len(history)
    while start and type(history[start - 1]) is not Chance:
        start -= 1
    piles: dict[str, list[str]] = {colour: [] for colour in COLOURS}
    taken: list[str] = []
    for step in history[start:]:
        if type(step) is not Played:
            continue
        verb, _, what = step.action.partition(" ")
        if verb == "draw":
            if what != "deck":
                card = piles[what].pop()
                if step.seat == seat:
                    taken.append(card)
            continue
        if verb == "discard":
            piles[what[0]].append(what)
        if step.seat == seat and what in taken:
            taken.remove(what)
    return tuple(sorted([CARDS[card] for card in taken]))


def redeal(state: LostCitiesState, random: Random) -> LostCitiesState:
    """Draw the rest of the pile and the later hands."""
    deal = state.deal
    to_come = sorted(deal.pile[state.drawn :])
    random.shuffle(to_come)
    after = state.copy()
    after.deal = Deal(
        Stream(random.randbytes(SEED_BYTES)),
        deal.hand_limit,
        deal.past,
        deal.totals,
        deal.starter,
        (*deal.pile[: state.drawn], *to_come),
    )
    return after
