"""Draws whole positions of Teotlatolli that agree with what a seat knows, for bots that search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from arena.games.chance import SEED_BYTES, Stream
from arena.games.kernel import Played, Setup, Step
from arena.games.teotlatolli.cards import DECK, GODS, SIGNS, Cards, gather, list_signs
from arena.games.teotlatolli.state import (
    ACT,
    DISCARD,
    DRAW,
    EXTRA,
    GIVE,
    LAST_GOD,
    MOVED,
    NOBODY,
    QUIET_LIMIT,
    SEATS,
    SWITCHED,
    TURN_LIMIT,
    Supply,
    TeotlatolliState,
)
from arena.games.teotlatolli.view import Pile, TeotlatolliView

_AFTER = {"draw": ACT, "keep": ACT, "use": EXTRA, "end": DISCARD, "discard": GIVE}
"""Decision of a seat after an action of its own, if it does not depend on the action's result."""


class _Open(NamedTuple):
    """Contents of a view, in cards."""

    hand: Cards
    known: tuple[int, ...]
    unseen: tuple[int, ...]
    """Signs in the reserve or in the other hand, without those known to be in that hand."""

    depots: tuple[Cards, Cards]
    discards: Cards
    sides: tuple[tuple[Cards, ...], tuple[Cards, ...]]
    came: tuple[int, ...]
    """Gods completed or in play."""

    to_come: tuple[int, ...]


def sample(
    setup: Setup,  # noqa: ARG001 - there is one way to set up
    view: TeotlatolliView,
    history: Sequence[Step],
    seat: int,
    random: Random,
) -> TeotlatolliState:
    """Draw a position that looks the same to the seat: other hand, reserve and gods to come are guessed."""
    opened = _read(view)
    unseen = list(opened.unseen)
    random.shuffle(unseen)
    hidden = view.opponent_hand - len(opened.known)
    other = gather((*opened.known, *unseen[:hidden]))
    to_come = list(opened.to_come)
    random.shuffle(to_come)
    acting, phase, completes = _tell_phase(view, history)
    known = gather(opened.known)
    return TeotlatolliState(
        supply=Supply(
            stream=Stream(random.randbytes(SEED_BYTES)),
            reserve=tuple(unseen[hidden:]),
            gods=(*opened.came, *to_come),
        ),
        drawn=0,
        turn=view.turn,
        quiet=-1 if completes else view.quiet_turns,
        seat=acting,
        phase=phase,
        spent=SWITCHED * view.switched | MOVED * view.moved,
        hands=(other, opened.hand) if seat else (opened.hand, other),
        known=(known, 0) if seat else (0, known),
        depots=opened.depots,
        discards=opened.discards,
        gods=view.gods,
        sides=opened.sides,
        completed=(view.completed[0], view.completed[1]),
    )


def _tell_phase(view: TeotlatolliView, history: Sequence[Step]) -> tuple[int, int, bool]:
    """Return who is to act, what is to be decided, and whether a god was completed in this turn, which is not over."""
    first, second = map(len, view.completed)
    decided = first + second >= LAST_GOD and first != second
    played = [step for step in history[-6:] if isinstance(step, Played)]
    if decided or view.turn == TURN_LIMIT or view.quiet_turns == QUIET_LIMIT:
        return NOBODY, ACT, False
    acting = view.turn % SEATS  # the turns alternate, and count when they are over
    if not played or played[-1].seat != acting:
        return acting, DRAW if view.reserve or view.discards else ACT, False
    action = played[-1].action
    phase = _AFTER.get(action.split()[0], ACT)
    if phase == GIVE:
        return acting, GIVE, played[-2].action != "end"
    if phase == ACT and not set(map(int, filter(str.isdigit, action.split()))) <= set(view.gods):
        # A god that the action names is no longer in play: it was completed, and the hand limit is due.
        return acting, DISCARD, True
    return acting, phase, False


@lru_cache(maxsize=64)
def _read(view: TeotlatolliView) -> _Open:
    """Read a view.  Cached: a search draws many positions from one view."""
    sides = (tuple(map(_gather, view.sides[0])), tuple(map(_gather, view.sides[1])))
    depots = (_gather(view.depots[0]), _gather(view.depots[1]))
    hand, known, discards = _gather(view.hand), _gather(view.opponent_known), _gather(view.discards)
    unseen = list(DECK)
    for cards in (*sides[0], *sides[1], *depots, hand, known, discards):
        for sign in list_signs(cards):
            unseen.remove(sign)
    came = (*view.completed[0], *view.completed[1], *view.gods)
    return _Open(
        hand=hand,
        known=list_signs(known),
        unseen=tuple(unseen),
        depots=depots,
        discards=discards,
        sides=sides,
        came=came,
        to_come=tuple([god for god in GODS if god not in came]),
    )


def _gather(pile: Pile) -> Cards:
    return gather(tuple(map(SIGNS.index, pile)))


def redeal(state: TeotlatolliState, random: Random) -> TeotlatolliState:
    """Draw the signs that are still in the reserve, the gods to come, and the later shuffles."""
    supply = state.supply
    came = len(state.completed[0]) + len(state.completed[1]) + len(state.gods)
    signs, gods = sorted(supply.reserve[state.drawn :]), sorted(supply.gods[came:])
    random.shuffle(signs)
    random.shuffle(gods)
    after = state.copy()
    after.supply = Supply(
        stream=Stream(random.randbytes(SEED_BYTES)),
        reserve=(*supply.reserve[: state.drawn], *signs),
        gods=(*supply.gods[:came], *gods),
    )
    return after
