"""What the house bots for The Bottle Imp share: what a card does in the trick, and what the bottle may cost."""

from __future__ import annotations

from arena.games.bottle_imp import BottleImpView

HIGHEST = 37
START_PRICE = 19
DECK = frozenset(range(1, HIGHEST + 1)) - {START_PRICE}
COLOURS = (
    {1: 1, 2: 1, 3: 2, 5: 2, 7: 3, 9: 3, 12: 4, 15: 4, 18: 5, 22: 5, 25: 6, 28: 6},
    {4: 1, 6: 1, 8: 2, 10: 2, 13: 3, 17: 3, 20: 4, 24: 4, 27: 5, 30: 5, 32: 6, 34: 6},
    {11: 1, 14: 1, 16: 2, 21: 2, 23: 3, 26: 3, 29: 4, 31: 4, 33: 5, 35: 5, 36: 6, 37: 6},
)
POINTS = {card: points for colour in COLOURS for card, points in colour.items()}
PENALTY = 8.0  # about what lies in the devil's trick


def number(action: str) -> int:
    """Return the card of an action, or the hand that it opens."""
    return int(action.split()[1])


def wins(card: int, view: BottleImpView) -> bool:
    """Return whether a card would be winning among those played so far."""
    trick = (*view.trick, card)
    return card == max([each for each in trick if each < view.price] or trick)


def lower_elsewhere(card: int, view: BottleImpView) -> int:
    """Count the cards below this one that others may still play, as far as one can know."""
    gone = {each for trick in view.tricks for each in trick.cards}
    gone.update(view.trick, view.discarded, *view.cards)
    return sum(each < card for each in DECK - gone)


def risk(card: int, view: BottleImpView) -> float:
    """Guess the chance to keep the bottle after buying it with a card."""
    return 0.75 ** lower_elsewhere(card, view)


def rate(card: int, view: BottleImpView, seat: int, fear: float) -> float:
    """Return what a card is worth now: points that it wins or gives away, and what the bottle is feared to cost."""
    seats = max(3, len(view.points)) if len(view.cards) == 1 else 4
    still_to_play = seats - 1 - len(view.trick)
    at_stake = sum(POINTS[each] for each in (*view.trick, card)) + 3.0 * still_to_play
    chance = 0.6**still_to_play
    bottle = card < view.price
    if not wins(card, view):
        # A low card that does not win is well got rid of.
        return (0.3 * (START_PRICE - card) if bottle else 0.0) - POINTS[card]
    worth = chance * at_stake - (1 - chance) * POINTS[card]
    if bottle:
        lost = view.points[seat] + at_stake + PENALTY
        worth -= fear * risk(card, view) * lost * max(chance, 0.4)
        if view.owner == seat:
            worth -= 1.0  # it stays where it is, at a lower price
    return worth
