"""The legal actions of Teotlatolli, in the order of docs/rules.md, *Legal actions*."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from arena.games.kernel import Action
from arena.games.teotlatolli.cards import BEARS, CARDINALS, GODS, SIGNS, Cards, name_cards, subsets
from arena.games.teotlatolli.state import ACT, DISCARD, DRAW, EXTRA, MOVED, SWITCHED, TeotlatolliState

Actions = tuple[Action, ...]
Offers = dict[Cards, Actions]
"""By the set of signs for which an action can be made: the actions."""

_DRAWS = ("draw", "keep")


def _offer(cards: Cards, pattern: str) -> Offers:
    return {subset: tuple([pattern.format(name) for name in name_cards(subset)]) for subset in subsets(cards)}


_PLAYS = ({}, *(_offer(BEARS[god], f"play {{}} {god}") for god in GODS))
_SWITCHES = ({}, *(_offer(BEARS[god] & ~CARDINALS, f"switch {{}} {god}") for god in GODS))
_FROM_DEPOT = ({}, *(_offer(BEARS[god], f"move {{}} depot {god}") for god in GODS))
_USES = _offer(CARDINALS, "use {}")

Row = tuple[Cards, Offers]
Pair = tuple[int, int, Cards, Action, Action]


class _Layout(NamedTuple):
    """What can be done with the gods in play: per place, for which signs and which actions that gives."""

    plays: tuple[Row, ...]
    switches: tuple[Row, ...]
    from_depot: tuple[Row, ...]
    pairs: tuple[Pair, ...]
    """Two places, the one sign that their gods share, and the moves of it there and back."""


@lru_cache(maxsize=1 << 12)
def _lay_out(gods: tuple[int, ...]) -> _Layout:
    pairs = []
    for at, god in enumerate(gods):
        for to in range(at + 1, len(gods)):
            shared = BEARS[god] & BEARS[gods[to]]
            if shared:
                sign = SIGNS[shared.bit_length() - 1]
                forth, back = f"move {sign} {god} {gods[to]}", f"move {sign} {gods[to]} {god}"
                pairs.append((at, to, shared, forth, back))
    return _Layout(
        plays=tuple([(BEARS[god], _PLAYS[god]) for god in gods]),
        switches=tuple([(BEARS[god] & ~CARDINALS, _SWITCHES[god]) for god in gods]),
        from_depot=tuple([(BEARS[god], _FROM_DEPOT[god]) for god in gods]),
        pairs=tuple(pairs),
    )


def list_legal(state: TeotlatolliState) -> Actions:
    """List the legal actions of the seat whose turn it is; equal cards give one."""
    phase = state.phase
    if phase == ACT:
        return _list_actions(state)
    if phase == DRAW:
        return _DRAWS
    if phase == EXTRA:
        return (*list_switches(state), *list_moves(state))
    verb = "discard" if phase == DISCARD else "give"
    names = dict.fromkeys(name_cards(state.hands[state.seat]))
    return tuple([f"{verb} {name}" for name in names])


def _list_actions(state: TeotlatolliState) -> Actions:
    _, _, _, _, seat, _, gods, _, _, spent, hands, _, depots, sides = state
    hand = hands[seat]
    own = sides[seat]
    actions: list[Action] = []
    if hand:
        for (bears, plays), side in zip(_lay_out(gods).plays, own, strict=True):
            playable = hand & bears & ~side
            if playable:
                actions += plays[playable]
    cardinals = hand & CARDINALS
    switches: Sequence[Action] = ()
    moves: Sequence[Action] = ()
    if cardinals or not spent & SWITCHED:
        switches = _list_switches(gods, sides[1 - seat])
        if not spent & SWITCHED:
            actions += switches
    if (cardinals and not switches) or not spent & MOVED:
        moves = _list_moves(gods, own, depots[seat])
        if not spent & MOVED:
            actions += moves
    if cardinals and (switches or moves):
        actions += _USES[cardinals]
    actions.append("end")
    return tuple(actions)


def list_switches(state: TeotlatolliState) -> Sequence[Action]:
    """List what the seat could switch if it had a switch left."""
    return _list_switches(state.gods, state.sides[1 - state.seat])


def list_moves(state: TeotlatolliState) -> Sequence[Action]:
    """List what the seat could move if it had a move left."""
    seat = state.seat
    return _list_moves(state.gods, state.sides[seat], state.depots[seat])


@lru_cache(maxsize=1 << 12)
def _list_switches(gods: tuple[int, ...], theirs: tuple[Cards, ...]) -> Actions:
    """List the switches.  Cached: from one action to the next the other seat's sides rarely change."""
    actions: list[Action] = []
    for (switchable, switches), side in zip(_lay_out(gods).switches, theirs, strict=True):
        actions += switches[side & switchable]
    return tuple(actions)


def _list_moves(gods: tuple[int, ...], own: tuple[Cards, ...], depot: Cards) -> list[Action]:
    layout = _lay_out(gods)
    actions: list[Action] = []
    for at, to, shared, forth, back in layout.pairs:
        side = own[at]
        if (side ^ own[to]) & shared:
            actions.append(forth if side & shared else back)
    if depot:
        for (bears, moves), side in zip(layout.from_depot, own, strict=True):
            actions += moves[depot & bears & ~side]
    return actions
