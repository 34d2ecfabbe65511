"""A match that is played at random and published point by point, as a worker would."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from arena.games import registry
from arena.games.kernel import Played, Said, advance
from arena.match.record import RecordedStep, write_step
from arena.messaging import live_steps
from arena.messaging.live_steps import EndedMatch, Frame, RunningMatch
from arena.reports import live_matches as live_tables
from tests.games.playing import choose

if TYPE_CHECKING:
    from redis import Redis

    from arena.storage import Store


@dataclass
class PublishedMatch:
    """The first match of a tournament, played at random and published point by point."""

    client: Redis
    store: Store
    tournament: int
    points: list[list[dict[str, Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.match = live_tables.find(self.store, self.tournament, 0, 0)
        self.game = registry.find(self.match.game)
        self.talks = (self.game.has_talk,) * len(self.match.names)
        self.state, dealt = self.game.new(self.match.setup(self.talks), self.match.seed)
        self.together, self.chance = 0, random.Random(4)
        self._note(dealt)
        live_steps.publish(self.client, self.match.id, Frame(talks=self.talks))

    def play(self, moves: int) -> None:
        for _ in range(moves):
            answers = [
                choose(self.game, self.state, each, self.chance) for each in self.game.to_act(self.state)
            ]
            self.state, steps, self.together = advance(self.game, self.state, answers, self.together)
            self._note(steps)
            chosen = [RecordedStep(step, 5.0) for step in steps if isinstance(step, Played | Said)]
            live_steps.publish(self.client, self.match.id, Frame(tuple(chosen)))

    def end(self) -> None:
        live_steps.publish(
            self.client, self.match.id, Frame(ended=EndedMatch((1, 2, 3), (9, 3, 0), "completed"))
        )

    @property
    def table(self) -> RunningMatch:
        return RunningMatch(self.match.id, self.tournament, 0, 0, 0, time.time() - 70, followed=True)

    def show(self) -> None:
        """Publish that it is being played; that holds for some seconds."""
        live_steps.show(self.client, "a worker", (self.table,))

    def _note(self, steps: Any) -> None:
        seen = [(step, self.game.seen(step, None)) for step in steps]
        self.points.append(
            [
                write_step(RecordedStep(shown, 5.0 if isinstance(step, Played | Said) else None))
                for step, shown in seen
                if shown is not None
            ]
        )

    @property
    def address(self) -> str:
        return f"/tournaments/{self.tournament}/sets/0/matches/0"
