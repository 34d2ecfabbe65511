"""The tricks of The Bottle Imp, and how Lopaka plays (docs/rules.md, *Rules*)."""

from __future__ import annotations

from arena.games.bottle_imp.state import OVER, PLAY, POINTS, SUIT, BottleImpState, Cards, Trick
from arena.games.kernel import Action, Answer, DummyPlayed, IllegalAction, Step

_CARDS: dict[Answer, int] = {action: card for card, action in enumerate(PLAY) if SUIT[card]}
_LOPAKA_PLAYS = tuple(DummyPlayed(action) for action in PLAY)
_make = tuple.__new__


def legal(state: BottleImpState) -> tuple[Action, ...]:
    """List the cards that may be played from the place whose turn it is, ascending."""
    hand, trick = state.hands[state.place], state.trick
    if trick:
        suit = SUIT[trick[0]]
        if not suit.isdisjoint(hand):
            return tuple([PLAY[card] for card in hand if card in suit])
    return tuple([PLAY[card] for card in hand])


def playable(hand: Cards, trick: Cards) -> Cards:
    """Return the cards of a hand that follow the colour led, or all where none does or nothing is led."""
    if not trick:
        return hand
    suit = SUIT[trick[0]]
    return tuple([card for card in hand if card in suit]) or hand


def find_winner(trick: Cards, price: int) -> int:
    """Return the card that wins: the highest below the price, or, if none is below it, the highest."""
    return max([card for card in trick if card < price] or trick)


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
    if card not in hand or (
        trick and card not in SUIT[trick[0]] and not SUIT[trick[0]].isdisjoint(hand)  # does not follow
    ):
        raise IllegalAction(f"action {action!r}: must be one of {', '.join(legal(state))}")
    after = _lay(state, card)
    dummy = after.deal.form.dummy
    if after.place != dummy:  # as nearly always
        return after, ()
    steps: list[Step] = []
    while after.place == dummy:
        card = choose_for_lopaka(after.hands[dummy], after.trick, after.price)
        steps.append(_LOPAKA_PLAYS[card])
        after = _lay(after, card)
    return after, tuple(steps)


# One state is made per card.  What it does without calls (`_make`, `find_winner`) is worth a tenth of the time.


def _lay(state: BottleImpState, card: int) -> BottleImpState:
    deal, place, hands, order, trick, price, owner, points, tricks = state
    hand = hands[place]
    at = hand.index(card)
    hand = hand[:at] + hand[at + 1 :]
    hands = (*hands[:place], hand, *hands[place + 1 :])
    trick = (*trick, card)
    if len(trick) < len(order):
        place = order[len(trick)]
    else:
        form = deal.form
        best = max([each for each in trick if each < price] or trick)
        winner = form.sides[order[trick.index(best)]]
        if best < price:
            price, owner = best, winner
        won = points[winner]
        for each in trick:
            won += POINTS[each]
        points = (*points[:winner], won, *points[winner + 1 :])
        tricks = (*tricks, _make(Trick, (form.sides[order[0]], trick, winner)))
        order = form.orders[deal.dealer][winner]
        trick = ()
        place = order[0] if hand else OVER  # whoever plays last in the last trick has no card left then
    return _make(BottleImpState, (deal, place, hands, order, trick, price, owner, points, tricks))
