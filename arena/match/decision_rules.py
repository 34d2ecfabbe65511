"""What becomes of a decision: the platform answers it itself, or the seat is asked.  For sessions, and for replays of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.kernel import SILENCE, Action, Answer, Choice, Decision, Game, Step, Talk
from arena.match.clock import Clock
from arena.match.session_events import DecisionRequested


def offered_actions(game: Game[Any, Any], state: Any, decision: Decision) -> tuple[Action, ...]:  # noqa: ANN401 - each game has its own state
    """Return the legal actions of a choice; none for talk."""
    return game.legal(state, decision.seat) if isinstance(decision, Choice) else ()


def forced_answer(decision: Decision, actions: Sequence[Action], talks: Sequence[bool]) -> Answer | None:
    """Return the answer that the platform gives for a seat, None if the seat is asked.

    A single legal action is played, and a seat that does not talk is silent; `talks` says by seat who does.
    """
    if isinstance(decision, Talk):
        return None if talks[decision.seat] else SILENCE
    return actions[0] if len(actions) == 1 else None


def request_decision(
    decision: Decision, number: int, actions: tuple[Action, ...], seen: tuple[Step, ...], clock: Clock
) -> DecisionRequested:
    """Return what a seat is asked, with the time that it has; `seen` is what it has seen since its last ask."""
    seat = decision.seat
    bank_ms = clock.remaining_ms(seat)
    if isinstance(decision, Talk):
        return DecisionRequested(seat, number, (), decision.limits, seen, bank_ms, float(clock.time.talk_ms))
    return DecisionRequested(seat, number, actions, None, seen, bank_ms, clock.limit_ms(seat))
