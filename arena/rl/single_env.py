"""A game as a Gymnasium environment: one seat against bots of this process.

The seat is asked as the arena asks it: a single legal action is played for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
from gymnasium import spaces

from arena.core.errors import UsageError
from arena.games import registry
from arena.games.kernel import Action, Answer, Choice
from arena.rl.action_numbers import action_numbers, encoding
from arena.rl.house_opponents import load_bot
from arena.rl.rewards import ILLEGAL, from_places
from arena.rl.spaces import Observation, observation, observation_space, observe
from arena.rl.text import describe
from arena.sdk.bot import Bot, Outcome
from arena.sdk.practice import PracticeMatch


def single(
    game: str,
    opponents: Sequence[str | Bot[Any]],
    *,
    seats: int | None = None,
    seat: int | None = None,
    variant: str | None = None,
    render_mode: str | None = None,
    **options: int,
) -> SeatEnv:
    """Make an environment of one seat of a game against opponents; `options` are the game's.

    Opponents are house bots by name, Python files, or bots.  As many as there are other seats take them in order, one for each;
    with another number they are a pool, from which each match draws.  Without `seat` each match draws the seat, too; without `seats`
    there is one more than opponents.  Raises UsageError for a match that cannot be.
    """
    bots = [load_bot(game, each) if isinstance(each, str) else each for each in opponents]
    return SeatEnv(
        game,
        bots,
        seats=len(bots) + 1 if seats is None else seats,
        seat=seat,
        variant=variant,
        render_mode=render_mode,
        options=options,
    )


class SeatEnv(gymnasium.Env[Any, Any]):
    """A match of a game; mutable.  What is not legal ends it with −1."""

    def __init__(
        self,
        game: str,
        opponents: Sequence[Bot[Any]],
        *,
        seats: int,
        seat: int | None,
        variant: str | None,
        render_mode: str | None,
        options: dict[str, int],
    ) -> None:
        """Prepare a match; `reset` deals it.  Raises UsageError."""
        setup = registry.find(game).setup(seats, variant=variant, options=options)
        if not opponents:
            raise UsageError("opponents: must be one at least")
        if seat is not None and seat not in range(seats):
            raise UsageError(f"seat {seat}: must be 0 to {seats - 1}")
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.setup = setup
        self.seat = 0
        self.render_mode = render_mode
        self._game = game
        self._opponents = tuple(opponents)
        self._fixed_seat = seat
        self._encoding = encoding(game)
        self._numbers = action_numbers(game)
        self.observation_space = observation_space(self._encoding, self._numbers)
        self.action_space = spaces.Discrete(self._numbers.count)
        self._legal: tuple[Action, ...] = ()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal another match and play on until the seat has a choice: after a seed, always the same ones."""
        super().reset(seed=seed, options=options)
        draw, seats = self.np_random, self.setup.seats
        self.seat = int(draw.integers(seats)) if self._fixed_seat is None else self._fixed_seat
        others = list(self._opponents)
        if len(others) != seats - 1:
            others = [others[int(draw.integers(len(others)))] for _ in range(seats - 1)]
        bots: list[Bot[Any] | None] = [*others[: self.seat], None, *others[self.seat :]]
        self._match = PracticeMatch(
            self._game,
            bots,
            seed=draw.bytes(32),
            variant=self.setup.variant,
            options=self.setup.options,
        )
        self._play_on()
        return self._show()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make the seat's choice, and play on until it has the next one or the match is over."""
        chosen = self._numbers.name(int(action))
        if chosen not in self._legal:
            self._legal = ()
            shown, info = self._show()
            return shown, ILLEGAL, True, False, {**info, "end": f"illegal action: {action}"}
        self._resolve(chosen)
        self._play_on()
        shown, info = self._show()
        result = self._match.rules.result(self._match.state)
        if result is None:
            return shown, 0.0, False, False, info
        self._match.end(Outcome(result.places, result.scores, result.end))
        info |= {"end": result.end, "scores": result.scores, "places": result.places}
        return shown, from_places(result.places)[self.seat], True, False, info

    def render(self) -> str | None:
        """Return the position as text; None without `render_mode`."""
        return self.text() if self.render_mode == "ansi" else None

    def text(self) -> str:
        """Return the position as text, as the seat may know it."""
        return describe(self._match.rules.view(self._match.state, self.seat), self.seat, self._legal)

    def _play_on(self) -> None:
        """Play until the seat has a choice: two actions or more."""
        match, seat = self._match, self.seat
        while decisions := match.rules.to_act(match.state):
            mine = [
                decision for decision in decisions if decision.seat == seat and isinstance(decision, Choice)
            ]
            self._legal = match.rules.legal(match.state, seat) if mine else ()
            if len(self._legal) > 1:
                return
            self._resolve(self._legal[0] if mine else "")
        self._legal = ()

    def _resolve(self, own: Action) -> None:
        """Have the others answer, and resolve all open decisions."""
        match = self._match
        answers: list[Answer] = []
        for decision in match.rules.to_act(match.state):
            if decision.seat == self.seat:
                answers.append(own)
                continue
            legal = match.rules.legal(match.state, decision.seat) if isinstance(decision, Choice) else ()
            answers.append(legal[0] if len(legal) == 1 else match.ask(decision, legal))
        match.resolve(answers)

    def _show(self) -> tuple[Observation, dict[str, Any]]:
        match = self._match
        view = observe(match.rules, self._encoding, match.state, self.seat, self.setup.seats)
        shown = observation(view, self._numbers, self._legal)
        return shown, {"action_mask": shown["action_mask"]}
