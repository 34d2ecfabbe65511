"""Choices that all seats of The Bottle Imp make at the same time, before the tricks (docs/rules.md, *Rules*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.games.bottle_imp.state import HIGHEST, PASSING, BottleImpState, Cards, Form
from arena.games.kernel import Action, Answer, IllegalAction
from arena.games.tuples import append, without

_ACTIONS: Final = {
    verb: tuple(f"{verb} {card}" for card in range(HIGHEST + 1))
    for verb in ("devil", "left", "right", "pass")
}
_CARDS: Final[dict[str, dict[Answer, int]]] = {
    verb: {action: card for card, action in enumerate(actions)} for verb, actions in _ACTIONS.items()
}
_OPENS: Final[tuple[Action, Action]] = ("open 1", "open 2")
_TAKES_UP: Final = ("right", "pass")
"""After these the cards passed are taken up."""


def legal(state: BottleImpState, seat: int) -> tuple[Action, ...]:
    """List the cards of the hand that a seat chooses from, ascending; or its two hands."""
    form, stage = state.deal.form, len(state.given)
    verb = form.verbs[stage]
    if verb == "open":
        return _OPENS
    actions = _ACTIONS[verb]
    return tuple(actions[card] for card in state.hands[seat + form.sources[stage]])


def choose(state: BottleImpState, answers: Sequence[Answer]) -> BottleImpState:
    """Put the chosen cards away; once all are chosen, take up what was passed.  Raises IllegalAction."""
    form, stage = state.deal.form, len(state.given)
    hands = list(state.hands)
    verb = form.verbs[stage]
    chosen = _open(state, answers, hands) if verb == "open" else _give(state, answers, hands)
    given = append(state.given, chosen)
    if verb in _TAKES_UP:
        source = form.sources[stage]
        for seat, cards in enumerate(taken_up(form, given)):
            hands[seat + source] = tuple(sorted(hands[seat + source] + cards))
    after = state.copy()
    after.given = given
    after.place = state.order[0] if len(given) == len(form.verbs) else PASSING
    after.hands = tuple(hands)
    return after


def _give(state: BottleImpState, answers: Sequence[Answer], hands: list[Cards]) -> Cards:
    form, stage = state.deal.form, len(state.given)
    cards = _CARDS[form.verbs[stage]]
    source = form.sources[stage]
    chosen: list[int] = []
    for seat, action in enumerate(answers):
        hand = hands[seat + source]
        card = cards.get(action, 0)
        if card not in hand:
            raise _refuse(state, seat, action)
        chosen.append(card)
        hands[seat + source] = without(hand, card)
    return tuple(chosen)


def _open(state: BottleImpState, answers: Sequence[Answer], hands: list[Cards]) -> Cards:
    for seat, action in enumerate(answers):
        if action not in _OPENS:
            raise _refuse(state, seat, action)
        if action == _OPENS[1]:
            hands[seat], hands[seat + 2] = hands[seat + 2], hands[seat]
    return tuple([1 + (action == _OPENS[1]) for action in answers])


def _refuse(state: BottleImpState, seat: int, action: Answer) -> IllegalAction:
    allowed = ", ".join(legal(state, seat))
    return IllegalAction(f"action {action!r} of seat {seat}: must be one of {allowed}")


def taken_up(form: Form, given: tuple[Cards, ...]) -> tuple[Cards, ...]:
    """Return the cards that each seat takes up right after the last choice made; from its left neighbour first."""
    verb = form.verbs[len(given) - 1] if given else ""
    if verb == "pass":
        return tuple([(card,) for card in reversed(given[-1])])
    if verb == "right":
        left, right = given[-2], given[-1]
        return tuple([(right[(seat + 1) % form.seats], left[seat - 1]) for seat in range(form.seats)])
    return ((),) * form.seats
