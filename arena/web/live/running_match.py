"""A match as far as it has been played: its public points, and the position, from the seed and what the seats chose.

    frames of a running match ──take──▶ Running ──▶ points (what everybody saw), scene (what everybody may see)

The whole state stays inside.  Points have the numbers that they will have in the replay.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.games import registry
from arena.games.kernel import Choice, Played, Said, advance
from arena.match.record import FAULT_END, RecordedStep
from arena.web.boards import Clock, Scene, public_scene
from arena.web.matches.replay_points import read_answers

if TYPE_CHECKING:
    from arena.games.kernel import Decision, Step
    from arena.messaging.live_steps import Ended, Frame
    from arena.reports.live_matches import LiveMatch

Point = tuple[RecordedStep, ...]
"""What everybody saw happen at one point, with the time that each seat took."""


class Running:
    """One match; mutable, for one event loop."""

    def __init__(self, match: LiveMatch) -> None:
        self.match = match
        self.run = 0
        """Counts how often it began: a match that the platform failed is played again."""
        self.points: list[Point] = []
        self.ended: Ended | None = None
        self._game = registry.find(match.game)
        self._state: Any = None
        self._steps: list[RecordedStep] = []
        self._after: tuple[Step, ...] = ()
        self._said: tuple[Said, ...] = ()
        self._banks: list[float] = []
        self._together = 0

    @property
    def begun(self) -> bool:
        """Whether there is a position to show."""
        return bool(self.points)

    @property
    def acting(self) -> tuple[int, ...]:
        """Name the seats that decide next."""
        if self._state is None or self.ended is not None:
            return ()
        return tuple(decision.seat for decision in self._game.to_act(self._state))

    def take(self, frame: Frame) -> None:
        """Take what has happened.  Raises ArenaError where the match cannot have gone like this."""
        if frame.talks is not None:
            self._begin(frame.talks)
        if self._state is None:
            return
        self._steps += frame.steps
        self.ended = frame.ended or self.ended
        self._go_on()

    def lose(self) -> None:
        """Take nothing more before the match is shown from its start again: some of its steps were lost."""
        self._state = None

    def scene(self) -> Scene:
        """Show the position as everybody may see it, with the clocks; `begun` must hold."""
        acting = self.acting
        running = {each.seat for each in self._decisions() if isinstance(each, Choice)} & set(acting)
        clocks = [Clock(bank, seat in running) for seat, bank in enumerate(self._banks)]
        return public_scene(
            self.match.game, self._state, self.match.names, after=self._after, said=self._said, clocks=clocks
        )

    def _begin(self, talks: tuple[bool, ...]) -> None:
        self.run += 1
        self.ended = None
        self._state, dealt = self._game.new(self.match.setup(talks), self.match.seed)
        self._steps, self._together, self._said = [], 0, ()
        self._banks = [float(self.match.time.base_ms)] * len(self.match.names)
        self.points = []
        self._add([RecordedStep(step) for step in dealt])

    def _go_on(self) -> None:
        """Resolve the points that are known.  Nobody hears silence: it is known by what comes after it."""
        while decisions := self._decisions():
            if not self._steps and not self._ends_in_silence(decisions):
                return
            answers = read_answers(decisions, self._steps, 0)
            self._state, steps, self._together = advance(self._game, self._state, answers, self._together)
            told = sum(isinstance(step, Played | Said) for step in steps)
            times = iter([each.ms for each in self._steps[:told]])
            del self._steps[:told]
            if steps:
                self._add(
                    [
                        RecordedStep(step, next(times) if isinstance(step, Played | Said) else None)
                        for step in steps
                    ]
                )

    def _ends_in_silence(self, decisions: Sequence[Decision]) -> bool:
        played = self.ended is not None and self.ended.end != FAULT_END and bool(self.ended.places)
        return played and not any(isinstance(each, Choice) for each in decisions)

    def _decisions(self) -> tuple[Decision, ...]:
        return () if self._state is None else self._game.to_act(self._state)

    def _add(self, steps: Sequence[RecordedStep]) -> None:
        self._after = tuple(each.step for each in steps)
        lines = tuple(step for step in self._after if isinstance(step, Said))
        self._said = (*self._said, *lines) if lines else ()
        for each in steps:
            if isinstance(each.step, Played) and each.ms:
                self._banks[each.step.seat] += self.match.time.increment_ms - each.ms
        seen = ((self._game.seen(each.step, None), each.ms) for each in steps)
        self.points.append(tuple(RecordedStep(step, ms) for step, ms in seen if step is not None))
