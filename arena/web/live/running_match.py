"""A match as far as it has been played: its public points, and the position, from the seed and what the seats chose.

    frames of a running match ──take──▶ Running ──▶ points and scene (both public)

The whole state stays inside.  Points have the numbers that they will have in the replay.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.games import registry
from arena.games.kernel import Choice, Said
from arena.match.record import FAULT_END, RecordedStep
from arena.match.replay import MatchReplay
from arena.web.boards import Clock, Scene, public_scene
from arena.web.boards.story import Story

if TYPE_CHECKING:
    from arena.games.kernel import Step
    from arena.games.narrating import ScoreSheet
    from arena.match.replay import OpenDecision
    from arena.messaging.live_steps import EndedMatch, Frame
    from arena.reports.live_matches import LiveMatch

Point = tuple[RecordedStep, ...]
"""The public part of one point, with the time that each seat took."""


class Running:
    """One match; mutable, for one event loop."""

    def __init__(self, match: LiveMatch) -> None:
        self.match = match
        self.run = 0
        """Counts how often it began: a match that the platform failed is played again."""
        self.points: list[Point] = []
        self.told: list[tuple[str, ...]] = []
        """The account of each point, in words."""
        self.sheets: list[ScoreSheet | None] = []
        """The score sheet of what ended at each of the points."""
        self.ended: EndedMatch | None = None
        self._game = registry.find(match.game)
        self._replay: MatchReplay | None = None
        self._is_lost = False
        """Whether what came after the last position is not known."""
        self._steps: list[RecordedStep] = []
        self._story = Story(match.game, match.names)
        self._after: tuple[Step, ...] = ()
        self._said: tuple[Said, ...] = ()

    @property
    def begun(self) -> bool:
        """Whether there is a position to show."""
        return bool(self.points)

    @property
    def acting(self) -> tuple[int, ...]:
        """Name the seats that decide next, as far as that is known."""
        if self._replay is None or self._is_lost or self.ended is not None:
            return ()
        return tuple(each.seat for each in self._replay.open_decisions())

    def take(self, frame: Frame) -> None:
        """Take what has happened.  Raises ArenaError where the match cannot have gone like this."""
        if frame.talks is not None:
            self._begin(frame.talks)
        if self._replay is None or self._is_lost:
            return
        self._steps += frame.steps
        self.ended = frame.ended or self.ended
        self._go_on(self._replay)

    def lose(self) -> None:
        """Stay at this position until the match is shown from its start again: some of its steps were lost."""
        self._is_lost = True

    def scene(self) -> Scene:
        """Return the public scene of the position, with the clocks; `begun` must hold."""
        if self._replay is None:
            raise RuntimeError(f"match {self.match.id}: it has not begun, there is no position to show")
        acting = self.acting
        choosing = {each.seat for each in self._replay.open_decisions() if isinstance(each.decision, Choice)}
        clocks = [
            Clock(bank_ms, seat in acting and seat in choosing)
            for seat, bank_ms in enumerate(self._replay.clock.banks_ms)
        ]
        return public_scene(
            self.match.game,
            self._replay.state,
            self.match.names,
            after=self._after,
            said=self._said,
            clocks=clocks,
        )

    def _begin(self, talks: tuple[bool, ...]) -> None:
        self.run += 1
        self.ended, self._is_lost = None, False
        match = self.match
        self._replay = MatchReplay(self._game, match.setup(talks), match.seed, match.time)
        self._steps, self._said = [], ()
        self.points, self.told, self.sheets = [], [], []
        self._story = Story(match.game, match.names)
        self._add(self._replay.deal.steps, self._replay.state)

    def _go_on(self, replay: MatchReplay) -> None:
        """Resolve the points that are known.  Silence is not published: it is known by what comes after it."""
        while decisions := replay.open_decisions():
            if not self._steps and not self._ends_in_silence(decisions):
                return
            point = replay.resolve(self._steps)
            del self._steps[: sum(each.recorded is not None for each in point.answers)]
            if point.steps:
                self._add(point.steps, replay.state)

    def _ends_in_silence(self, decisions: Sequence[OpenDecision]) -> bool:
        played = self.ended is not None and self.ended.end != FAULT_END and bool(self.ended.places)
        return played and not any(isinstance(each.decision, Choice) for each in decisions)

    def _add(self, steps: Sequence[RecordedStep], state: Any) -> None:  # noqa: ANN401 - each game has its own state
        self.told.append(self._story.tell(state, [each.step for each in steps]))
        self.sheets.append(self._story.sheet)
        self._after = tuple(each.step for each in steps)
        lines = tuple(step for step in self._after if isinstance(step, Said))
        self._said = (*self._said, *lines) if lines else ()
        seen = ((self._game.seen(each.step, None), each.ms) for each in steps)
        self.points.append(tuple(RecordedStep(step, ms) for step, ms in seen if step is not None))
