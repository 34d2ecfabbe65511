"""The tricks of The Bottle Imp, and how Lopaka plays (docs/rules.md, *Rules*)."""

from __future__ import annotations

from typing import Final

from arena.games.bottle_imp.state import COLOUR, OVER, PLAY, POINTS, SUIT, BottleImpState, Cards
from arena.games.bottle_imp.view import Trick
from arena.games.kernel import Action, Answer, DummyPlayed, IllegalAction, Step
from arena.games.tuples import append, drop, find, put

_CARDS: Final[dict[Answer, int]] = {action: card for card, action in enumerate(PLAY) if SUIT[card]}
_LOPAKA_PLAYS: Final = tuple(DummyPlayed(action) for action in PLAY)
_make: Final = tuple.__new__


def legal(state: BottleImpState) -> tuple[Action, ...]:
    """List the cards that may be played from the place whose turn it is, ascending."""
    hand, trick = state.hands[state.place], state.trick
    if trick:
        colour = COLOUR[trick[0]]
        following = [PLAY[card] for card in hand if COLOUR[card] == colour]
        if following:
            return tuple(following)
    return tuple(PLAY[card] for card in hand)


def playable(hand: Cards, trick: Cards) -> Cards:
    """Return the cards of a hand that follow the colour led, or all where none does or nothing is led."""
    if not trick:
        return hand
    colour = COLOUR[trick[0]]
    return tuple([card for card in hand if COLOUR[card] == colour]) or hand


def _can_follow(hand: Cards, trick: Cards) -> bool:
    colour = COLOUR[trick[0]]
    return any(COLOUR[card] == colour for card in hand)


def find_winner(trick: Cards, price: int) -> int:
    """Return the card that wins: the highest below the price, or, if none is below it, the highest."""
    below = highest = 0
    for card in trick:
        highest = max(highest, card)
        if below < card < price:
            below = card
    return below or highest


def choose_for_lopaka(hand: Cards, trick: Cards, price: int) -> int:
    """Return the card that Lopaka plays: the highest when leading or that would be winning now, else the lowest."""
    if not trick:
        return hand[-1]
    cards = playable(hand, trick)
    best = find_winner(trick, price)
    if best < price:
        winning = [card for card in cards if best < card < price]
    else:
        winning = [card for card in cards if card < price or card > best]
    return winning[-1] if winning else cards[0]


def play(state: BottleImpState, action: Answer) -> tuple[BottleImpState, tuple[Step, ...]]:
    """Play a card and what Lopaka plays after it; the place is OVER after the last card.  Raises IllegalAction."""
    card = _CARDS.get(action, 0)
    hand, trick = state.hands[state.place], state.trick
    at = find(hand, card)
    if at < 0 or (trick and COLOUR[card] != COLOUR[trick[0]] and _can_follow(hand, trick)):
        raise IllegalAction(f"action {action!r}: must be one of {', '.join(legal(state))}")
    after = _lay(state, at)
    dummy = after.deal.form.dummy
    if after.place != dummy:  # as nearly always
        return after, ()
    steps: list[Step] = []
    while after.place == dummy:
        card = choose_for_lopaka(after.hands[dummy], after.trick, after.price)
        steps.append(_LOPAKA_PLAYS[card])
        after = _lay(after, find(after.hands[dummy], card))
    return after, tuple(steps)


def _lay(state: BottleImpState, at: int) -> BottleImpState:
    """Play a card of the hand whose turn it is, counted from its lowest."""
    place, order = state.place, state.order
    hand = state.hands[place]
    trick = append(state.trick, hand[at])
    hand = drop(hand, at)
    after = state.copy()
    after.hands = put(state.hands, place, hand)
    after.trick = trick
    if len(trick) < len(order):
        after.place = order[len(trick)]
    else:
        _end_trick(after)
        # Whoever plays last in the last trick has no card left then.
        after.place = after.order[0] if hand else OVER
    return after


def _end_trick(state: BottleImpState) -> None:
    """Move the trick to its winner.  Changes the state, which its caller has made."""
    deal, order, trick = state.deal, state.order, state.trick
    sides = deal.form.sides
    best = find_winner(trick, state.price)
    won = winner = 0
    for at, card in enumerate(trick):
        won += POINTS[card]
        if card == best:
            winner = sides[order[at]]
    if best < state.price:
        state.price, state.owner = best, winner
    state.points = put(state.points, winner, state.points[winner] + won)
    state.tricks = append(state.tricks, _make(Trick, (sides[order[0]], trick, winner)))
    state.order = deal.form.orders[deal.dealer][winner]
    state.trick = ()
