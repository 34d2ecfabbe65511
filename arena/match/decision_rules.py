"""Rules for decisions: which ones the platform answers itself, and which are put to the seat.  For sessions and replays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.kernel import SILENCE, Action, Answer, Choice, Decision, Game, Step
from arena.match.clock import Clock
from arena.match.session_events import DecisionRequested


def offer(
    game: Game[Any, Any],
    state: Any,  # noqa: ANN401 - each game has its own state
    decision: Decision,
    talks: Sequence[bool],
) -> tuple[tuple[Action, ...], Answer | None]:
    """Return the legal actions of a decision, and the answer that the platform gives for the seat.

    There are no actions where it is talk, and no answer where the seat is asked.  A single legal action is played, and a
    seat that does not talk is silent; `talks` says by seat who does.
    """
    if isinstance(decision, Choice):
        actions = game.legal(state, decision.seat)
        return actions, actions[0] if len(actions) == 1 else None
    return (), None if talks[decision.seat] else SILENCE


def request_decision(
    decision: Decision, number: int, actions: tuple[Action, ...], seen: tuple[Step, ...], clock: Clock
) -> DecisionRequested:
    """Return what a seat is asked, with the time that it has; `seen` is what it has seen since its last ask."""
    seat = decision.seat
    if isinstance(decision, Choice):
        bank_ms, limit_ms = clock.time_for_choice(seat)
        return DecisionRequested(seat, number, actions, None, seen, bank_ms, limit_ms)
    bank_ms, limit_ms = clock.time_for_talk(seat)
    return DecisionRequested(seat, number, (), decision.limits, seen, bank_ms, limit_ms)
