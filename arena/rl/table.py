"""A match in which every choice is made from outside, one after the other.

Choices that are made at the same time are asked for in seat order; nothing happens before the last of them is there.
"""

from __future__ import annotations

from typing import Any

from arena.games.kernel import Action, Answer, AnyGame, Result, Setup

NOBODY = -1


class Table:
    """A match as far as it has been played; mutable.  Nobody talks in it."""

    __slots__ = ("_answers", "_decisions", "game", "legal", "seat", "setup", "state")

    def __init__(self, game: AnyGame, setup: Setup) -> None:
        self.game = game
        self.setup = setup

    def deal(self, seed: bytes) -> None:
        """Begin a match."""
        self.state: Any = self.game.new(self.setup, seed)[0]
        self._begin_point()

    def _begin_point(self) -> None:
        self._decisions = decisions = self.game.to_act(self.state)
        self._answers: list[Answer] = []
        if decisions:
            self.seat = decisions[0].seat
            self.legal: tuple[Action, ...] = self.game.legal(self.state, self.seat)
        else:
            self.seat = NOBODY
            self.legal = ()

    def choose(self, action: Action) -> bool:
        """Answer for the seat whose choice it is; return whether that is legal.  What is not changes nothing."""
        if action not in self.legal:
            return False
        answers, decisions = self._answers, self._decisions
        answers.append(action)
        at = len(answers)
        if at == len(decisions):
            self.state = self.game.apply(self.state, answers)[0]
            self._begin_point()
        else:
            self.seat = decisions[at].seat
            self.legal = self.game.legal(self.state, self.seat)
        return True

    def seats_to_act(self) -> tuple[int, ...]:
        """Name all seats with an open choice."""
        return tuple([decision.seat for decision in self._decisions[len(self._answers) :]])

    def result(self) -> Result | None:
        """Return the result of the match; None while it continues."""
        return self.game.result(self.state)
