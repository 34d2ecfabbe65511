"""The legal actions of Teotlatolli, in the order of docs/rules.md, *Legal actions*."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from arena.games.kernel import Action
from arena.games.teotlatolli.cards import (
    BEARS,
    CARDINALS,
    GODS,
    SIGNS,
    Cards,
    list_signs,
    name_cards,
    subsets,
)
from arena.games.teotlatolli.state import ACT, DISCARD, DRAW, EXTRA, MOVED, SWITCHED, TeotlatolliState

Actions = tuple[Action, ...]
Offers = dict[Cards, Actions]
"""By the set of signs for which an action can be made: the actions."""


def _offer(cards: Cards, pattern: str) -> Offers:
    return {subset: tuple([pattern.format(name) for name in name_cards(subset)]) for subset in subsets(cards)}


_DRAWS: Final = ("draw", "keep")
_DISCARDS: Final = tuple(f"discard {name}" for name in SIGNS)
_GIVES: Final = tuple(f"give {name}" for name in SIGNS)
_USES: Final = _offer(CARDINALS, "use {}")

# By god; there is none at 0.
_PLAYS: Final[tuple[Offers, ...]] = ({}, *[_offer(BEARS[god], f"play {{}} {god}") for god in GODS])
_SWITCHABLE: Final[tuple[Cards, ...]] = tuple(bears & ~CARDINALS for bears in BEARS)
_SWITCHES: Final[tuple[Offers, ...]] = (
    {},
    *[_offer(_SWITCHABLE[god], f"switch {{}} {god}") for god in GODS],
)
_FROM_DEPOT: Final[tuple[Offers, ...]] = (
    {},
    *[_offer(BEARS[god], f"move {{}} depot {god}") for god in GODS],
)

Pair = tuple[int, int, Cards, Action, Action]
"""Two places, the one sign that their gods share, and the moves of it there and back."""


@lru_cache(maxsize=1 << 8)
def _pair_up(gods: tuple[int, ...]) -> tuple[Pair, ...]:
    pairs: list[Pair] = []
    for at, god in enumerate(gods):
        for to in range(at + 1, len(gods)):
            shared = BEARS[god] & BEARS[gods[to]]
            if shared:
                sign = SIGNS[shared.bit_length() - 1]
                forth, back = f"move {sign} {god} {gods[to]}", f"move {sign} {gods[to]} {god}"
                pairs.append((at, to, shared, forth, back))
    return tuple(pairs)


def list_legal(state: TeotlatolliState) -> Actions:
    """List the legal actions of the seat whose turn it is; equal cards give one."""
    phase = state.phase
    if phase == ACT:
        return _list_actions(state)
    if phase == DRAW:
        return _DRAWS
    if phase == EXTRA:
        return tuple(list_switches(state) + list_moves(state))
    actions = _DISCARDS if phase == DISCARD else _GIVES
    return tuple([actions[sign] for sign in dict.fromkeys(list_signs(state.hands[state.seat]))])


def _list_actions(state: TeotlatolliState) -> Actions:
    first, second = state.hands
    hand = second if state.seat else first
    actions: list[Action] = []
    if hand:
        _add_plays(actions, state, hand)
    spent = state.spent
    cardinals = hand & CARDINALS
    extra = False
    if cardinals or not spent & SWITCHED:
        switches = list_switches(state)
        extra = bool(switches)
        if not spent & SWITCHED:
            actions += switches
    if (cardinals and not extra) or not spent & MOVED:
        moves = list_moves(state)
        extra = extra or bool(moves)
        if not spent & MOVED:
            actions += moves
    if cardinals and extra:
        actions += _USES[cardinals]
    actions.append("end")
    return tuple(actions)


def _add_plays(actions: list[Action], state: TeotlatolliState, hand: Cards) -> None:
    first, second = state.sides
    own = second if state.seat else first
    for at, god in enumerate(state.gods):
        playable = hand & BEARS[god] & ~own[at]
        if playable:
            actions += _PLAYS[god][playable]


def list_switches(state: TeotlatolliState) -> list[Action]:
    """List what the seat could switch if it had a switch left."""
    first, second = state.sides
    theirs = first if state.seat else second
    actions: list[Action] = []
    for at, god in enumerate(state.gods):
        switchable = theirs[at] & _SWITCHABLE[god]
        if switchable:
            actions += _SWITCHES[god][switchable]
    return actions


def list_moves(state: TeotlatolliState) -> list[Action]:
    """List what the seat could move if it had a move left."""
    seat, gods = state.seat, state.gods
    first, second = state.sides
    own = second if seat else first
    actions: list[Action] = []
    for at, to, shared, forth, back in _pair_up(gods):
        side = own[at]
        if (side ^ own[to]) & shared:
            actions.append(forth if side & shared else back)
    depots = state.depots
    depot = depots[1] if seat else depots[0]
    if depot:
        for at, god in enumerate(gods):
            movable = depot & BEARS[god] & ~own[at]
            if movable:
                actions += _FROM_DEPOT[god][movable]
    return actions
